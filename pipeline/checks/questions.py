"""Checks of the questions by themselves, and their coded table. Labels: `checks.labels`."""

from collections import Counter

import polars as pl

from pipeline.checks.columns import pairs, sorted_lists, text_lists
from pipeline.checks.groups import check_id, check_names
from pipeline.checks.ids import Rule, label
from pipeline.checks.report import Report
from pipeline.checks.texts import check_attributes, check_date, check_text
from pipeline.contract.errors import Fault
from pipeline.contract.records import Part, Question
from pipeline.contract.tables import Questions


def check_questions(part: Part[Question], rule: Rule) -> list[Fault]:
    """List every fault of the questions, their labels apart."""
    report = Report(part, lambda question: label(question.question_id))
    first: dict[str, int] = {}
    for row, question in enumerate(part.rows):
        before = first.setdefault(question.question_id, row)
        if before != row:
            got = f"it again, first on {report.place(before, row)}"
            report.add(row, "each question_id once", got)
        _check(report, row, question, rule)
    if not part.rows and not part.lost:
        return [Fault("questions", None, None, "one question or more", "none")]
    return report.faults


def _check(report: Report[Question], row: int, question: Question, rule: Rule) -> None:
    check_id(report, row, "question_id", question.question_id, rule)
    check_text(report, row, "text", question.text, some=True)
    if question.content_note is not None:
        check_text(report, row, "content_note", question.content_note, some=False)
    if question.asked_at is not None:
        check_date(report, row, "asked_at", question.asked_at)
    if question.annotators:
        check_names(report, row, "annotators", question.annotators)
    if question.caller_groups:
        check_names(report, row, "caller_groups", question.caller_groups)
    if question.attributes:
        check_attributes(report, row, question.attributes)


def split_of(question: Question) -> str:
    """The split a question is in: `dev` unless it says otherwise."""
    return question.split or "dev"


def in_split(part: Part[Question], split: str) -> Part[Question]:
    """The questions of one split (`all`: of both), in order of their ids."""
    found = [i for i, row in enumerate(part.rows) if split in ("all", split_of(row))]
    ids = [row.question_id for row in part.rows]
    found.sort(key=ids.__getitem__)
    return part.at(found)


def check_split(part: Part[Question], split: str) -> list[Fault]:
    """Refuse a split that has no question, saying which have some."""
    counts = Counter(map(split_of, part.rows))
    if not part.rows or split == "all" or counts[split]:
        return []
    got = "none; there are " + ", ".join(f"{n} in {name}" for name, n in sorted(counts.items()))
    return [Fault("questions", None, None, f"questions in the split {split}", got)]


def question_table(part: Part[Question]) -> pl.DataFrame:
    """Checked questions in order of their ids -> Questions."""
    rows = part.rows
    return pl.DataFrame(
        {
            "question": range(len(rows)),
            "question_id": [row.question_id for row in rows],
            "line": part.lines,
            "text": [row.text for row in rows],
            "split": [split_of(row) for row in rows],
            "labelled": [labelled(row) for row in rows],
            "annotators": text_lists([annotators(row) for row in rows]),
            "caller_groups": sorted_lists([row.caller_groups for row in rows]),
            "asked_at": [row.asked_at for row in rows],
            "content_note": [row.content_note for row in rows],
            "attributes": pairs([row.attributes for row in rows]),
        },
        schema=Questions.schema,
    )


def labelled(question: Question) -> bool:
    """Whether anybody said which documents are relevant, be it none."""
    return question.relevant is not None or bool(question.evidence or question.annotators)


def annotators(question: Question) -> list[str]:
    """Everybody named who labelled the question, sorted."""
    marked = {mark.annotator for mark in question.evidence or () if mark.annotator is not None}
    return sorted(marked | set(question.annotators or ()))
