"""What one system made of a question: context, answer, claims with their ruling, values."""

from pipeline.contract import words
from pipeline.contract.metrics import JUDGED, METRICS, SPANS
from pipeline.contract.rankings import rankings
from pipeline.scoring.case import Case, Row
from pipeline.verbs.terminal.claims import claim_lines
from pipeline.verbs.terminal.grounded import grounded_lines
from pipeline.verbs.terminal.ruled import verdict_lines
from pipeline.verbs.terminal.text import (
    Line,
    Style,
    block,
    clean,
    fitted,
    listed,
    padded,
    wrapped,
)

COLUMN, NAMES = 11, 10
"""Characters of a cutoff's column, and of the metrics' names before them."""

PLACED: dict[str, Style] = {"leak": "red", "relevant": "green", "disputed": "yellow"}


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
    ruled = verdict_lines(case, at, width, limit)
    if case.question["labelled"] or not ruled:
        lines += claim_lines(case, at, width, limit)
    lines += [*ruled, *grounded_lines(case, at, width, limit)]
    return [*lines, *_values(values, width)]


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
        place = case.place(code)
        style = PLACED.get(place, "")
        head = f"{rank:>2} {clean(document['doc_id'])}, {words.PLACE[place]}"
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


def _rankings(values: Row, width: int) -> list[Line]:
    """The ranking at the cutoffs asked for: a row a metric, a column a cutoff."""
    found = rankings(values.get("ranked") or [])
    if not found["rows"]:
        return []
    room = max((width - 2 - NAMES) // COLUMN, 1)
    lines = []
    for start in range(0, len(found["cutoffs"]), room):
        rows = [["k", *map(str, found["cutoffs"])], *found["rows"]]
        for at, (label, *cells) in enumerate(rows):
            shown = "".join(f"{cell:>{COLUMN}}" for cell in cells[start : start + room])
            if shown:
                lines.append(Line(f"  {padded(label, NAMES)}{shown}", "" if at else "dim"))
    return lines


def _values(values: Row, width: int) -> list[Line]:
    """The response's values, what is n/a and why, its causes and leaks."""
    given: list[str] = []
    absent: dict[str, list[str]] = {}
    judged = [metric for metric in JUDGED if metric.name in values]
    for metric in (*(metric for metric in METRICS if not metric.variant), *judged):
        name = words.label(metric, values["cutoff"])
        number, reason = values[metric.name], values[f"{metric.name}_reason"]
        low, high = values[f"{metric.name}_low"], values[f"{metric.name}_high"]
        if metric in SPANS and reason in ("not_labelled", "unanswerable"):
            continue  # most sets have no marked spans
        if metric in JUDGED and reason == "not_labelled":
            continue  # no verdict of its family
        if number is not None:
            given.append(f"{name} {words.value(metric.name, number)}")
            continue
        ends = (words.value(metric.name, end) for end in (low, high))
        name += "" if low is None else f" ({' to '.join(ends)})"
        absent.setdefault(words.REASON[reason], []).append(name)
    lines = [Line(line) for line in listed(given, width, first="  ")] if given else []
    lines += _rankings(values, width)
    for reason, names in absent.items():
        lines += [Line(s, "dim") for s in listed(names, width, first=f"  n/a, {reason}: ")]
    if values["causes"]:
        text = f"went wrong: {words.causes(values['causes'])}"
        lines += [Line(s, "red") for s in wrapped(text, width, first="  ", rest="    ")]
    if values["leaks"]:
        text = f"leaked: {', '.join(map(clean, values['leaks']))}"
        lines += [Line(s, "red") for s in wrapped(text, width, first="  ", rest="    ")]
    return lines
