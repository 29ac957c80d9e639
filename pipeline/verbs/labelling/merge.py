"""People's labels put into the questions of a set, and what is held back."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from pipeline.checks.ids import label
from pipeline.checks.questions import annotators, labelled
from pipeline.contract.records import Mark, Question
from pipeline.verbs.labelling.read import Label, Taken

Labels = dict[str, dict[str, Label]]
"""By annotator and document."""


@dataclass
class Merged:
    """The questions, and what people should know.

    Attributes:
        questions: all of the set, in order.
        changed: ids of those that have other labels now.
        first: ids of those that had none before.
        held: why labels were left out, in words, one for each question and person.
        remarks: what else to look at.
    """

    questions: list[Question] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    first: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def merge(questions: Sequence[Question], taken: Taken, *, silent_is_no: bool) -> Merged:
    """Put labels into the questions that they are on.

    Silence of somebody who labelled a question is a no. So a person's labels are taken where
    that person has decided on everything that is labelled for the question: the pool of the
    sheets, and what was looked at before. Labels that are settled, and those over the whole
    corpus, stay as they are.

    Args:
        questions: of the set.
        taken: what the sheets hold, without faults.
        silent_is_no: take everybody's labels, and what was left undecided as no.
    """
    merged = Merged()
    by: dict[str, Labels] = {}
    for (question_id, who, doc), one in taken.said.items():
        by.setdefault(question_id, {}).setdefault(who, {})[doc] = one
    for row in questions:
        pool = taken.pools.get(row.question_id, set())
        new = _merged(row, by.get(row.question_id, {}), pool, taken, merged, silent_is_no)
        merged.questions.append(new)
        if new != row:
            merged.changed.append(row.question_id)
            if not labelled(row):
                merged.first.append(row.question_id)
            _remark(new, merged)
    return merged


def _merged(
    row: Question, by: Labels, pool: set[str], taken: Taken, merged: Merged, silent_is_no: bool
) -> Question:
    title = label(row.question_id)
    if not by:
        return row
    if row.relevant is not None or (labelled(row) and row.judged is None):
        what = "settled" if row.relevant is not None else "labelled over the whole corpus"
        merged.held.append(f"{title}: {what} before; it stays as it is")
        return row
    before = set(row.judged or ())
    needed = before | pool
    old = set(annotators(row))
    covered = {who: set(by.get(who, ())) | (before if who in old else set()) for who in {*by, *old}}
    silent = {who: needed - docs for who, docs in covered.items() if needed - docs}
    if silent and not silent_is_no:
        for who in sorted(silent):
            merged.held.append(f"{title}: {label(who)} has {_counted(silent[who], needed)}")
        if old & set(silent):  # whom the new documents would make say no
            return row
        by = {who: said for who, said in by.items() if who not in silent}
    if not by:
        return row
    marks = [mark for who in sorted(by) for mark in _marks(who, by[who])]
    fresh = [mark for mark in marks if mark not in (row.evidence or ())]
    words = {**(row.claims or {}), **taken.texts.get(row.question_id, {})}
    return replace(
        row,
        evidence=[*(row.evidence or ()), *fresh] or None,
        annotators=sorted(old | set(by)),
        claims=words or None,
        judged=sorted(needed),
    )


def _marks(who: str, said: dict[str, Label]) -> list[Mark]:
    """A person's yeses: a mark for each claim that a document supports, or one at large."""
    return [
        Mark(doc, claim, annotator=who, grade=one.grade)
        for doc, one in sorted(said.items())
        if one.yes
        for claim in (one.claims or (None,))
    ]


def _counted(left: set[str], needed: set[str]) -> str:
    return f"decided on {len(needed) - len(left)} of {len(needed)} documents"


def _remark(row: Question, merged: Merged) -> None:
    if not any(mark.grade is None or mark.grade > 0 for mark in row.evidence or ()):
        merged.remarks.append(
            f"{label(row.question_id)}: nothing in its pool is relevant, so it is unanswerable; "
            "make sure that the corpus has no answer"
        )
