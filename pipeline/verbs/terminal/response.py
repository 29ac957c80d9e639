"""What one system made of a question: context, answer, claims with their ruling, values."""

from pipeline.contract.metrics import METRICS, SPANS
from pipeline.scoring.explain import Ruling, rule
from pipeline.verbs.terminal import words
from pipeline.verbs.terminal.case import Case, Row
from pipeline.verbs.terminal.text import Line, Style, block, clean, fitted, listed, wrapped

STANDING = {
    "counts": "labelled for this claim and visible",
    "unknown": "which is not in the corpus",
    "not_labelled": "which is not labelled for this claim",
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


def response_lines(case: Case, at: int, width: int, limit: int | None) -> list[Line]:
    """Set one response.

    Args:
        case: the opened question.
        at: row of `case.answers`, `case.statements` and `case.values`.
        width: columns of the page.
        limit: code points of a text that are shown; None: all.
    """
    answer, values = case.answers[at], case.values[at]
    repeat = f", repeat {answer['repeat']}" if len({r["repeat"] for r in case.answers}) > 1 else ""
    lines = [Line(f"system {clean(answer['system'])}{repeat}", "bold")]
    if answer["status"] == "failed":
        error = f"failed: {clean(answer['error'] or 'no error recorded')}"
        lines += [Line(line, "red") for line in wrapped(error, width, first="  ", rest="    ")]
    lines += _context(case, at, width, limit)
    if answer["answer"] is not None:
        lines.append(Line("  answer", "dim"))
        lines += [Line(s) for s in block(answer["answer"], width, indent="    ", limit=limit)]
    return [*lines, *_claims(case, at, width), *_values(values, width)]


def _context(case: Case, at: int, width: int, limit: int | None) -> list[Line]:
    """The visible chunks in order, a line of text each (all of it without a limit)."""
    context = case.contexts[at]
    if context is None:
        return [Line("  context: not known, the ranking was not stored", "yellow")]
    inferred = "" if case.answers[at]["context_recorded"] else ", inferred from the ranking"
    n = words.counted(len(context), "chunk")
    lines = [Line(f"  context: {n}, k = {case.values[at]['cutoff']}{inferred}", "dim")]
    for rank, code in enumerate(context, 1):
        chunk = case.chunks[code]
        document = case.documents[chunk["doc"]]
        what, style = _standing(case, chunk["doc"])
        head = f"{rank:>2} {clean(document['doc_id'])}, {what}"
        whole = chunk["start"] == 0 and chunk["end"] == len(document["text"])
        head += "" if whole else f", characters {chunk['start']:,} to {chunk['end']:,}"
        lines += [Line(s, style) for s in wrapped(head, width, first="    ", rest="       ")]
        text = document["text"][chunk["start"] : chunk["end"]]
        if limit is None:
            lines += [Line(s, "dim") for s in block(text, width, indent="       ", limit=None)]
        else:
            first = clean(" ".join(text[: 2 * width].split()))
            lines.append(Line(fitted(f"       {first}", width), "dim"))
    return lines


def _standing(case: Case, doc: int) -> tuple[str, Style]:
    if not case.readable(doc):
        return "LEAK: who asks may not read it", "red"
    sure = case.labels.relevant.get(doc)
    if sure is None:
        return "not relevant" if case.question["labelled"] else "not labelled", ""
    return ("relevant", "green") if sure else ("relevance in dispute", "yellow")


def _claims(case: Case, at: int, width: int) -> list[Line]:
    """Each claim with its ruling, then the expected claims that were not made."""
    answer, statement = case.answers[at], case.statements[at]
    if not statement["judged"]:
        return [Line("  claims: the judge gave no ruling", "red")]
    if statement["claims"] is None or case.contexts[at] is None:
        return [Line("  claims: no record of them, or of the context", "dim")]
    lines = [Line("  claims", "dim")] if statement["claims"] else [Line("  no claim was made")]
    visible = {case.chunks[chunk]["doc"] for chunk in case.contexts[at] or ()}
    end = 0
    for index, (claim, n) in enumerate(zip(statement["claims"], statement["cited"], strict=True)):
        citations, end = statement["citations"][end : end + n], end + n
        ruling = rule(citations, case.labels.support.get(claim), visible)
        what, style = MARK[ruling.verdict]
        names = _names(case, answer, index, citations)
        text = f"{_claim_name(case, answer, index, claim)}: {what}; {_why(ruling, names)}"
        lines += [Line(s, style) for s in wrapped(text, width, first="    ", rest="      ")]
    made = set(statement["claims"])
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


def _claim_name(case: Case, answer: Row, index: int, claim: int) -> str:
    """The expected claim's id, or else the id the answer gave, or else its place."""
    named = [clean(row["claim_id"]) for row in case.claims if row["claim"] == claim]
    if named:
        return named[0]
    stated = answer["claim_ids"]
    return clean(stated[index]) if stated else f"claim {index + 1}"


def _names(case: Case, answer: Row, index: int, citations: list[int]) -> list[str]:
    """Cited ids as the answer wrote them, or as the corpus has them."""
    if answer["citations"] and len(answer["citations"][index]) == len(citations):
        return [clean(name) for name in answer["citations"][index]]
    return [clean(case.documents[doc]["doc_id"]) if doc >= 0 else "a document" for doc in citations]


def _values(values: Row, width: int) -> list[Line]:
    """The response's values, what is n/a and why, its causes and leaks."""
    given: list[str] = []
    absent: dict[str, list[str]] = {}
    for metric in (metric for metric in METRICS if not metric.variant):
        name = words.label(metric, values["cutoff"])
        number, reason = values[metric.name], values[f"{metric.name}_reason"]
        low, high = values[f"{metric.name}_low"], values[f"{metric.name}_high"]
        if metric in SPANS and reason in ("not_labelled", "unanswerable"):
            continue  # most sets have no marked spans
        if number is not None:
            given.append(f"{name} {words.value(metric.name, number)}")
            continue
        ends = (words.value(metric.name, end) for end in (low, high))
        name += "" if low is None else f" ({' to '.join(ends)})"
        absent.setdefault(words.REASON[reason], []).append(name)
    lines = [Line(line) for line in listed(given, width, first="  ")] if given else []
    for reason, names in absent.items():
        lines += [Line(s, "dim") for s in listed(names, width, first=f"  n/a, {reason}: ")]
    if values["causes"]:
        text = f"went wrong: {words.causes(values['causes'])}"
        lines += [Line(s, "red") for s in wrapped(text, width, first="  ", rest="    ")]
    if values["leaks"]:
        text = f"leaked: {', '.join(map(clean, values['leaks']))}"
        lines += [Line(s, "red") for s in wrapped(text, width, first="  ", rest="    ")]
    return lines
