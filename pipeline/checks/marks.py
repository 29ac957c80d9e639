"""Checks of evidence: each mark names a document, a place in it, and somebody's judgement."""

from collections.abc import Mapping

from pipeline.checks.groups import check_id
from pipeline.checks.ids import Rule, show
from pipeline.checks.references import References
from pipeline.checks.report import Report
from pipeline.checks.texts import check_number
from pipeline.contract.records import Mark, Question


def positive(mark: Mark) -> bool:
    """Whether a mark says yes: ungraded, or graded above 0."""
    return mark.grade is None or mark.grade > 0


def check_marks(
    report: Report[Question],
    row: int,
    question: Question,
    documents: References,
    lengths: Mapping[str, int],
    rule: Rule,
) -> None:
    """Check every mark of a question by itself, and that none is there twice."""
    first: dict[Mark, int] = {}
    for at, mark in enumerate(question.evidence or ()):
        field = f"evidence[{at}]"
        if not documents.has(mark.doc_id):
            got = show(mark.doc_id) + documents.hint(mark.doc_id)
            report.add(row, f"a document of the corpus in {field}.doc_id", got)
        if mark.claim_id is not None:
            check_id(report, row, f"{field}.claim_id", mark.claim_id, rule)
        if mark.annotator is not None:
            check_id(report, row, f"{field}.annotator", mark.annotator)
        check_number(report, row, f"{field}.grade", mark.grade)
        _check_span(report, row, field, mark, lengths)
        place = Mark(mark.doc_id, mark.claim_id, mark.annotator, None, mark.start, mark.end)
        before = first.setdefault(place, at)
        if before != at:
            got = f"evidence[{before}] and {field}"
            report.add(row, "one mark an annotator for each claim and place", got)


def _check_span(
    report: Report[Question], row: int, field: str, mark: Mark, lengths: Mapping[str, int]
) -> None:
    start, end, length = mark.start, mark.end, lengths.get(mark.doc_id)
    if start is None and end is None:
        return
    if start is None or end is None:
        got = "start alone" if end is None else "end alone"
        report.add(row, f"start and end, or neither, in {field}", got)
    elif length is not None and not 0 <= start < end <= length:
        expected = f"0 <= start < end <= {length}, the document's length, in {field}"
        report.add(row, expected, f"start {start}, end {end}")
