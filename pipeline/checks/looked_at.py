"""Which documents people looked at when they labelled a question: checks, and the table."""

from collections.abc import Sequence

import polars as pl

from pipeline.checks.groups import check_distinct, check_length
from pipeline.checks.ids import Rule, label, show
from pipeline.checks.marks import positive
from pipeline.checks.questions import labelled
from pipeline.checks.references import References
from pipeline.checks.report import Report
from pipeline.contract.records import Question, Response
from pipeline.contract.tables import LookedAt

THIN = 0.8
"""Mean share of the retrieved documents that people looked at, below which labels are thin.

A convention, no result of any measurement: with one in five not looked at, a metric of five
documents hangs on one that nobody has seen.
"""


def check_judged(
    report: Report[Question], row: int, question: Question, documents: References, rule: Rule
) -> None:
    """Check the documents that were looked at: known, each once, and all labels on them."""
    judged = question.judged or []
    documents.check(report, row, "judged", judged)
    check_distinct(report, row, "judged", judged)
    check_length(report, row, "judged", judged, rule)
    if not judged:
        report.add(row, "a document or more in judged (left out: the whole corpus)", "none")
    if not labelled(question):
        report.add(row, "labels beside judged (relevant, evidence or annotators)", "none")
    yes = {mark.doc_id for mark in question.evidence or () if positive(mark)}
    outside = sorted({*yes, *(question.relevant or ())} - {*judged})
    if outside:
        got = ", ".join(map(show, outside))
        report.add(row, "only documents that are in judged called relevant", got)


def looked_at_table(rows: Sequence[Question], documents: pl.DataFrame) -> pl.DataFrame:
    """Checked questions in order of their ids, Documents -> LookedAt."""
    doc = dict(zip(documents["doc_id"], documents["doc"], strict=True))
    pairs = [(at, doc[id_]) for at, row in enumerate(rows) for id_ in row.judged or ()]
    return pl.DataFrame(pairs, schema=LookedAt.schema, orient="row").sort(LookedAt.key)


def thin_notes(
    questions: Sequence[Question], responses: Sequence[Response], cutoff: int | None
) -> list[str]:
    """Warn of recorded systems much of whose first `cutoff` documents nobody looked at.

    Questions that do not say what was looked at do not count.
    """
    judged = {row.question_id: {*row.judged} for row in questions if row.judged is not None}
    shares: dict[str, list[float]] = {}
    for response in responses:
        first = (response.retrieved or [])[: cutoff or None]
        if first and response.question_id in judged:
            seen = len(judged[response.question_id].intersection(first))
            shares.setdefault(response.system, []).append(1 - seen / len(first))
    means = {system: sum(of) / len(of) for system, of in sorted(shares.items())}
    return [thin(label(system), mean) for system, mean in means.items() if mean > 1 - THIN]


def thin(system: str, unseen: float) -> str:
    """What to tell people of a system whose labels are thin."""
    return (
        f"labels are thin for {system}: {unseen:.2f} of what it retrieved was looked at by "
        "nobody and counts as not relevant; label-pool and label-take add labels"
    )
