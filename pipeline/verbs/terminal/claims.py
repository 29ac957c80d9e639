"""The claims of one answer: what each says and cites, and why it counts or does not."""

from pipeline.scoring.explain import Ruling, rule
from pipeline.verbs.terminal.case import Case, Row
from pipeline.verbs.terminal.text import Line, Style, block, clean, fitted, wrapped

STANDING = {
    "counts": "labelled for this claim and visible",
    "unknown": "which is not in the corpus",
    "not_labelled": "which is not labelled for this claim",
    "chunk_not_labelled": "this part of it is not labelled for the claim",
    "not_visible": "which is labelled for this claim, but not visible",
    "disputed": "whose label for this claim is in dispute",
}
GROUND = {
    "no_label": "no label expects this claim",
    "no_citation": "it cites nothing",
}
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
    if statement["claims"] is None or case.contexts[at] is None:
        return [Line(line, "dim") for line in wrapped(_unknown(case, at), width, first="  ")]
    lines = [Line("  claims", "dim")] if statement["claims"] else [Line("  no claim was made")]
    visible = {case.chunks[chunk]["doc"] for chunk in case.contexts[at] or ()}
    end = 0
    for index, (claim, n) in enumerate(zip(statement["claims"], statement["cited"], strict=True)):
        cited, end = slice(end, end + n), end + n
        citations = statement["citations"][cited]
        chunks = statement["chunks"] and statement["chunks"][cited]
        parts = case.parts(at, claim, chunks)
        ruling = rule(citations, case.labels.support.get(claim), visible, parts)
        what, style = MARK[ruling.verdict]
        why = _why(ruling, _names(case, statement, index, citations))
        text = f"{_claim_name(case, statement, index, claim)}: {what}; {why}"
        lines += [Line(s, style) for s in wrapped(text, width, first="    ", rest="      ")]
        for quote in _quotes(case, at, index, chunks or []):
            lines += _quoted(quote, width, limit)
    return lines + _left_out(case, set(statement["claims"]), width)


def _unknown(case: Case, at: int) -> str:
    if case.contexts[at] is not None and case.answers[at]["quotes"] is not None:
        return "claims: not known, since nobody marked where each expected claim stands"
    return "claims: no record of them, or of the context"


def _left_out(case: Case, made: set[int], width: int) -> list[Line]:
    """The expected claims that were not made."""
    lines = []
    for expected in case.claims:
        labels = case.labels.support[expected["claim"]]
        if expected["claim"] not in made and labels:
            sure = "expected" if any(labels.values()) else "in dispute whether expected"
            text = f"{clean(expected['claim_id'])}: {sure}, not made"
            lines += [Line(s, "yellow") for s in wrapped(text, width, first="    ", rest="      ")]
    return lines


def _why(ruling: Ruling, names: list[str]) -> str:
    """The ground of a ruling, and of each citation how it stands."""
    cites = [
        f"cites {name}, {STANDING[standing]}"
        for name, standing in zip(names, ruling.citations, strict=True)
    ]
    if ruling.ground == "no_label":
        named = f" (it cites {', '.join(names)})" if names else ""
        return GROUND["no_label"] + named
    return "; ".join(cites) if cites else GROUND["no_citation"]


def _claim_name(case: Case, statement: Row, index: int, claim: int) -> str:
    """The expected claim's id, or else the id that the judge gave, or else its place."""
    named = [clean(row["claim_id"]) for row in case.claims if row["claim"] == claim]
    if named:
        return named[0]
    stated = statement["claim_ids"]
    return clean(stated[index]) if stated else f"claim {index + 1}"


def _names(case: Case, statement: Row, index: int, citations: list[int]) -> list[str]:
    """Cited ids as the answer wrote them, or as the corpus has them."""
    if statement["cited_ids"] and len(statement["cited_ids"][index]) == len(citations):
        return [clean(name) for name in statement["cited_ids"][index]]
    return [clean(case.documents[doc]["doc_id"]) if doc >= 0 else "a document" for doc in citations]


def _quotes(case: Case, at: int, index: int, chunks: list[int]) -> list[str]:
    """The quoted words that make a claim: of an expected one, those in which it is marked."""
    statement = case.statements[at]
    claim, names = statement["claims"][index], statement["claim_ids"]
    found = []
    for quote in case.answers[at]["quotes"] or ():
        document = case.documents[case.chunks[quote["chunk"]]["doc"]]
        start, end = quote["start"], quote["end"]
        if claim >= 0:
            marks = case.marks(document["doc"], claim)
            makes = any(first < end and start < last for first, last in marks)
        else:
            makes = names and names[index] == f"{document['doc_id']}#{start}-{end}"
        if makes and quote["chunk"] in chunks:
            found.append(document["text"][start:end])
    return found


def _quoted(text: str, width: int, limit: int | None) -> list[Line]:
    if limit is None:
        return [Line(s, "dim") for s in block(f"“{text}”", width, indent="      ", limit=None)]
    return [Line(fitted(f"      “{clean(' '.join(text.split()))}”", width), "dim")]
