"""Checks of evidence: each mark names a document, a place in it, and somebody's judgement."""

from collections.abc import Mapping

from pipeline.checks.groups import check_id
from pipeline.checks.ids import Rule, label, show
from pipeline.checks.quotes import inside, span, stands, whereabouts
from pipeline.checks.references import References
from pipeline.checks.report import Report
from pipeline.checks.texts import check_number, check_text
from pipeline.contract.records import Mark, Question


def positive(mark: Mark) -> bool:
    """Whether a mark says yes: ungraded, or graded above 0."""
    return mark.grade is None or mark.grade > 0


def check_marks(
    report: Report[Question],
    row: int,
    question: Question,
    documents: References,
    texts: Mapping[str, str],
    rule: Rule,
) -> None:
    """Check every mark of a question by itself, and that none is there twice."""
    first: dict[Mark, int] = {}
    for at, mark in enumerate(question.evidence or ()):
        field = f"evidence[{at}]"
        if not documents.has(mark.doc_id):
            gone = f", and with it {show(mark.quote)}" if mark.quote else ""
            got = show(mark.doc_id) + (documents.hint(mark.doc_id) or gone)
            report.add(row, f"a document of the corpus in {field}.doc_id", got)
        if mark.claim_id is not None:
            check_id(report, row, f"{field}.claim_id", mark.claim_id, rule)
        if mark.annotator is not None:
            check_id(report, row, f"{field}.annotator", mark.annotator)
        check_number(report, row, f"{field}.grade", mark.grade)
        _check_span(report, row, field, mark, texts.get(mark.doc_id))
        place = Mark(mark.doc_id, mark.claim_id, mark.annotator, None, mark.start, mark.end)
        before = first.setdefault(place, at)
        if before != at:
            got = f"evidence[{before}] and {field}"
            report.add(row, "one mark an annotator for each claim and place", got)


def _check_span(
    report: Report[Question], row: int, field: str, mark: Mark, text: str | None
) -> None:
    start, end = mark.start, mark.end
    check_text(report, row, f"{field}.quote", mark.quote, some=False)
    if start is None and end is None:
        if mark.quote is not None:
            report.add(row, f"start and end beside quote in {field}", "quote alone")
    elif start is None or end is None:
        got = "start alone" if end is None else "end alone"
        report.add(row, f"start and end, or neither, in {field}", got)
    elif text is not None and not stands(mark, text):
        _refuse_quote(report, row, field, mark, text)
    elif text is not None and not inside(mark, text):
        expected = f"0 <= start < end <= {len(text)}, the document's length, in {field}"
        report.add(row, expected, f"start {start}, end {end}")


def _refuse_quote(report: Report[Question], row: int, field: str, mark: Mark, text: str) -> None:
    """Say that a label holds no longer: what was quoted, what stands there, where it went."""
    quote = mark.quote or ""
    claim = "" if mark.claim_id is None else f" for claim {label(mark.claim_id)}"
    expected = f"{show(quote)} at {span(mark)} of {label(mark.doc_id)} in {field}{claim}"
    got = show(text[mark.start : mark.end]) if inside(mark, text) else f"{len(text)} characters"
    report.add(row, expected, f"{got}; the quote is {whereabouts(quote, text)}")
