"""People's labels put into the questions of a set, and what is held back."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from pipeline.checks.ids import label
from pipeline.checks.marks import positive
from pipeline.checks.questions import annotators, labelled
from pipeline.contract.records import Mark, Question
from pipeline.verbs.labelling.said import Label, Taken

By = dict[str, dict[str, Label]]
"""Labels of a question by annotator and document."""

NAMELESS = ""
"""Stands for whoever made the marks that bear no name."""


@dataclass
class Merged:
    """The questions, and what people should know.

    Attributes:
        questions: all of the set, in order.
        changed: ids of those that have other labels now.
        first: ids of those that had none before.
        held: labels that were left out because their annotator has not finished, in words.
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
    sheets, and what was looked at before. Labels that are settled, or over the whole corpus,
    stay as they are, and so does what a person said before.

    Args:
        questions: of the set.
        taken: what the sheets hold, without faults.
        silent_is_no: take everybody's labels, and what was left undecided as no.
    """
    merged = Merged()
    by: dict[str, By] = {}
    for (question_id, who, doc), one in taken.said.items():
        by.setdefault(question_id, {}).setdefault(who, {})[doc] = one
    for row in questions:
        said = by.get(row.question_id, {})
        if said and _open(row, said, merged):
            needed = {*(row.judged or ()), *taken.pools[row.question_id]}
            said = said if silent_is_no else _finished(row, said, needed, merged)
            texts = taken.texts.get(row.question_id, {})
            new = _with(row, said, needed, texts, merged) if said else row
        else:
            new = row
        merged.questions.append(new)
        if new != row:
            merged.changed.append(row.question_id)
            merged.first += [row.question_id] * (not labelled(row))
    return merged


def _open(row: Question, said: By, merged: Merged) -> bool:
    """Whether a question can take further labels; a remark says why not."""
    title, why = label(row.question_id), ""
    if row.relevant is not None:
        why = "its labels were settled before"
    elif labelled(row) and row.judged is None:
        why = "it was labelled over the whole corpus before"
    for who in sorted(set(said) & set(annotators(row))) if not why else ():
        before = _before(row, who)
        again = sorted(set(said[who]) & set(row.judged or ()))
        other = [doc for doc in again if _marked(said[who][doc]) != before.get(doc, set())]
        if other:
            why = f"{label(who)} said otherwise of {', '.join(map(label, other))} before"
    if why:
        merged.remarks.append(f"{title}: {why}; it stays as it is")
    return not why


def _before(row: Question, who: str) -> dict[str, set[str | None]]:
    """The documents that a person called relevant, with the claims of each."""
    found: dict[str, set[str | None]] = {}
    for mark in row.evidence or ():
        if mark.annotator == who and positive(mark):
            found.setdefault(mark.doc_id, set()).add(mark.claim_id)
    return found


def _marked(one: Label) -> set[str | None]:
    """The claims that the marks of a label name; None: the question at large."""
    return set(one.claims or (None,)) if one.yes else set()


def _finished(row: Question, said: By, needed: set[str], merged: Merged) -> By:
    """The labels of those who have decided on everything; the others' are held back.

    None are taken while somebody who labelled the question before has not seen what is new.
    """
    old = {*annotators(row)}
    old |= {NAMELESS} if any(mark.annotator is None for mark in row.evidence or ()) else set()
    before = set(row.judged or ())
    left = {
        who: needed - set(said.get(who, ())) - (before if who in old else set())
        for who in sorted({*said, *old})
    }
    for who, docs in left.items():
        if docs:
            name = label(who) if who else "marks without a name"
            done = f"{len(needed) - len(docs)} of {len(needed)} documents"
            merged.held.append(f"{label(row.question_id)}: {name}, {done} decided")
    if any(left[who] for who in old):
        return {}
    return {who: of for who, of in said.items() if not left[who]}


def _with(
    row: Question, said: By, needed: set[str], texts: dict[str, str], merged: Merged
) -> Question:
    """The question with these labels."""
    title = label(row.question_id)
    marks = [mark for who in sorted(said) for mark in _marks(row, who, said[who])]
    evidence = [*(row.evidence or ()), *marks]
    used = {mark.claim_id for mark in evidence}
    words = {
        **(row.claims or {}),
        **{claim: text for claim, text in texts.items() if claim in used},
    }
    merged.remarks += [
        f"{title}: no document was said to support claim {label(claim)}; it is left out"
        for claim in texts
        if claim not in words
    ]
    if not any(map(positive, evidence)):
        merged.remarks.append(
            f"{title}: nothing in its pool is relevant, so it counts as unanswerable; make sure "
            "that the corpus has no answer"
        )
    return replace(
        row,
        evidence=evidence or None,
        annotators=sorted({*annotators(row), *said}),
        claims=words or None,
        judged=sorted(needed),
    )


def _marks(row: Question, who: str, said: dict[str, Label]) -> list[Mark]:
    """A person's new yeses: a mark for each claim that a document supports, or one at large."""
    known = set(row.judged or ()) if who in annotators(row) else set()
    return [
        Mark(doc, claim, annotator=who, grade=one.grade)
        for doc, one in sorted(said.items())
        if one.yes and doc not in known
        for claim in (one.claims or (None,))
    ]
