"""Checks of what people labelled: every id known, and no label against another."""

from collections.abc import Mapping
from typing import Literal

from pipeline.checks.groups import check_distinct, check_id, check_length
from pipeline.checks.ids import Rule, label, show
from pipeline.checks.looked_at import check_judged
from pipeline.checks.marks import check_marks, positive
from pipeline.checks.questions import labelled
from pipeline.checks.references import References
from pipeline.checks.report import Report
from pipeline.checks.texts import check_text
from pipeline.contract.errors import Fault
from pipeline.contract.records import Part, Question

CARRIES = "the set carries claim labels"


def carries_claims(part: Part[Question], setting: bool | Literal["auto"]) -> bool:
    """Whether the set carries claim labels; `auto`: when any question has some."""
    if setting != "auto":
        return setting
    return any(
        row.support is not None or any(mark.claim_id is not None for mark in row.evidence or ())
        for row in part.rows
    )


def check_labels(
    part: Part[Question],
    documents: References,
    texts: Mapping[str, str],
    *,
    claims: bool,
    rule: Rule,
) -> list[Fault]:
    """List every fault of the labels.

    Args:
        part: the questions.
        documents: ids of the corpus.
        texts: text of each document, by id.
        claims: whether the set carries claim labels.
        rule: the rubric's rule for ids.
    """
    report = Report(part, lambda question: label(question.question_id))
    for row, question in enumerate(part.rows):
        documents.check(report, row, "relevant", question.relevant)
        check_distinct(report, row, "relevant", question.relevant)
        check_length(report, row, "relevant", question.relevant, rule)
        _check_support(report, row, question, documents, rule)
        _check_claims(report, row, question, rule)
        check_marks(report, row, question, documents, texts, rule)
        if question.judged is not None:
            check_judged(report, row, question, documents, rule)
        if question.relevant is not None:
            _check_settled(report, row, question, claims)
        else:
            _check_votes(report, row, question, claims)
    return report.faults


def _check_support(
    report: Report[Question], row: int, question: Question, documents: References, rule: Rule
) -> None:
    relevant = question.relevant
    for claim, ids in (question.support or {}).items():
        check_id(report, row, "support", claim, rule)
        if len(ids) == 1 and ids[0] in documents.known and (not relevant or ids[0] in relevant):
            continue  # nearly always, and quick
        field = f"support.{label(claim)}"
        documents.check(report, row, field, ids)
        check_distinct(report, row, field, ids)
        check_length(report, row, field, ids, rule)
        if not ids:
            report.add(row, f"a document or more in {field}", "none")
        outside = [id_ for id_ in ids if id_ not in (relevant or ids)]
        if outside:
            got = ", ".join(map(show, outside))
            report.add(row, f"only documents that are in relevant in {field}", got)


def _check_claims(report: Report[Question], row: int, question: Question, rule: Rule) -> None:
    for claim, text in (question.claims or {}).items():
        check_id(report, row, "claims", claim, rule)
        check_text(report, row, f"claims.{label(claim)}", text, some=True)
        if question.relevant is not None and claim not in (question.support or {}):
            report.add(row, "texts only of claims that are in support", show(claim))
    if question.claims and not labelled(question):
        report.add(row, "labels beside claims (relevant, evidence or annotators)", "none")


def _check_settled(report: Report[Question], row: int, question: Question, claims: bool) -> None:
    """Labels that somebody settled: the two kinds and the marks have to say the same."""
    relevant, support = question.relevant or [], question.support or {}
    if claims and relevant and not support:
        report.add(row, f"support beside relevant documents ({CARRIES})", "none")
    if support and not relevant:
        got = ", ".join(map(show, support))
        report.add(row, "no claims in support where relevant is empty", got)
    for at, mark in enumerate(question.evidence or ()):
        if not positive(mark):
            continue
        if mark.doc_id not in relevant:
            got = show(mark.doc_id)
            report.add(row, f"evidence[{at}] on a document that is in relevant", got)
        elif mark.claim_id is not None and mark.doc_id not in support.get(mark.claim_id, ()):
            got = f"{show(mark.doc_id)} for {show(mark.claim_id)}"
            report.add(row, f"evidence[{at}] on a document that is in support of its claim", got)


def _check_votes(report: Report[Question], row: int, question: Question, claims: bool) -> None:
    """Labels that are votes: they have to say who is relevant, and for what claim."""
    if question.support is not None:
        report.add(row, "relevant beside support", "none")
        return
    if question.evidence is not None and not labelled(question):
        report.add(row, "relevant or annotators beside an empty evidence", "neither")
    marks = [mark for mark in question.evidence or () if positive(mark)]
    if claims and marks and all(mark.claim_id is None for mark in marks):
        report.add(row, f"a claim_id in one piece of evidence or more ({CARRIES})", "none")
