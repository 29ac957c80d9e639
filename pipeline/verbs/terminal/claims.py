"""The claims of one answer: what each says and cites, and why it counts or does not."""

from pipeline.contract.words import GROUND, STANDING
from pipeline.scoring.case import Case
from pipeline.scoring.made import Made, left_out, made
from pipeline.verbs.terminal.text import Line, Style, block, clean, fitted, wrapped

MARK: dict[str, tuple[str, Style]] = {
    "supported": ("counts", "green"),
    "unsupported": ("does not count", "red"),
    "unresolved": ("open", "yellow"),
}


def claim_lines(case: Case, at: int, width: int, limit: int | None) -> list[Line]:
    """Set each claim with its ruling, then the expected claims that were not made.

    Args:
        case: the opened question.
        at: row of `case.answers` and `case.statements`.
        width: columns of the page.
        limit: with one, a quote is one line; None: all of it.
    """
    statement = case.statements[at]
    if not statement["judged"]:
        return [Line("  claims: the judge gave no ruling", "red")]
    claims = made(case, at)
    if claims is None:
        return [Line(line, "dim") for line in wrapped(_unknown(case, at), width, first="  ")]
    lines = [Line("  claims", "dim")] if claims else [Line("  no claim was made")]
    for claim in claims:
        what, style = MARK[claim.ruling.verdict]
        text = f"{clean(claim.name)}: {what}; {_why(claim)}"
        lines += [Line(s, style) for s in wrapped(text, width, first="    ", rest="      ")]
        for quote in claim.quotes:
            lines += _quoted(quote, width, limit)
    for row, sure in left_out(case, at):
        expected = "expected" if sure else "in dispute whether expected"
        text = f"{clean(row['claim_id'])}: {expected}, not made"
        lines += [Line(s, "yellow") for s in wrapped(text, width, first="    ", rest="      ")]
    return lines


def _unknown(case: Case, at: int) -> str:
    if case.contexts[at] is not None and case.answers[at]["quotes"] is not None:
        return "claims: not known, since nobody marked where each expected claim stands"
    return "claims: no record of them, or of the context"


def _why(claim: Made) -> str:
    """The ground of a ruling, and of each citation how it stands."""
    names = [clean(name or "a document") for name in claim.cites]
    if claim.ruling.ground == "no_label":
        named = f" (it cites {', '.join(names)})" if names else ""
        return GROUND["no_label"] + named
    cites = [
        f"cites {name}, {STANDING[standing]}"
        for name, standing in zip(names, claim.ruling.citations, strict=True)
    ]
    return "; ".join(cites) if cites else GROUND["no_citation"]


def _quoted(text: str, width: int, limit: int | None) -> list[Line]:
    if limit is None:
        return [Line(s, "dim") for s in block(f"“{text}”", width, indent="      ", limit=None)]
    return [Line(fitted(f"      “{clean(' '.join(text.split()))}”", width), "dim")]
