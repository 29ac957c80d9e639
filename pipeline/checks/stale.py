"""Labels made on another version of the corpus that do not hold for this one.

Such a label is never kept: it is refused, or its question counts as not labelled.
"""

from collections.abc import Mapping
from itertools import chain

from msgspec.structs import replace

from pipeline.checks.ids import label
from pipeline.checks.quotes import span, stands, whereabouts
from pipeline.checks.references import References
from pipeline.contract.records import Mark, Part, Question

Stale = dict[str, list[str]]
"""What does not hold, in words without any text of the set, by the question's id."""


def stale_questions(part: Part[Question], documents: References, texts: Mapping[str, str]) -> Stale:
    """Find the questions with labels that do not hold: a quote or a document is gone.

    Args:
        part: the questions.
        documents: ids of the corpus.
        texts: text of each document, by id.
    """
    found = (
        (row.question_id, _stale(row, documents, texts))
        for row in part.rows
        if row.evidence or not _known(row, documents.known)
    )
    return {id_: reasons for id_, reasons in found if reasons}


def without_labels(part: Part[Question], stale: Stale) -> Part[Question]:
    """The questions, those with labels that do not hold as if nobody had labelled them."""
    rows = [_unlabelled(row) if row.question_id in stale else row for row in part.rows]
    return Part(rows, part.files, part.lines, part.lost)


def stale_notes(stale: Stale) -> list[str]:
    """A note for each question that is not labelled because its labels do not hold."""
    return [
        f"question {label(id_)} is not labelled, its labels do not hold: {'; '.join(reasons)}"
        for id_, reasons in sorted(stale.items())
    ]


def _known(question: Question, known: frozenset[str]) -> bool:
    """Whether all settled labels are on known documents; fast, for nearly always they are."""
    looked_at = (*(question.relevant or ()), *(question.judged or ()))
    return known.issuperset(looked_at) and all(
        map(known.issuperset, (question.support or {}).values())
    )


def _stale(question: Question, documents: References, texts: Mapping[str, str]) -> list[str]:
    marks = question.evidence or []
    settled = chain(
        question.relevant or (), *(question.support or {}).values(), question.judged or ()
    )
    named = dict.fromkeys(chain(settled, (mark.doc_id for mark in marks)))
    gone = [
        f"no document {label(id_)}{documents.hint(id_)}" for id_ in named if not documents.has(id_)
    ]
    moved = [
        _reason(mark, texts[mark.doc_id])
        for mark in marks
        if mark.doc_id in texts and not stands(mark, texts[mark.doc_id])
    ]
    return list(dict.fromkeys([*gone, *moved]))


def _reason(mark: Mark, text: str) -> str:
    claim = "" if mark.claim_id is None else f"claim {label(mark.claim_id)}, "
    went = whereabouts(mark.quote or "", text)
    return f"{claim}{label(mark.doc_id)} {span(mark)}, {went}"


def _unlabelled(question: Question) -> Question:
    return replace(
        question,
        relevant=None,
        support=None,
        claims=None,
        evidence=None,
        annotators=None,
        judged=None,
    )
