"""Every compared question as the page opens it: labels, each side's responses, what moved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.contract.spelling import clean
from pipeline.contract.veil import Content, label, words
from pipeline.report.responses import response
from pipeline.report.store import Store, Texts
from pipeline.scoring.case import Case, Row

Opened = Mapping[str, Case]


@dataclass(frozen=True)
class Kept:
    """The opened questions, packed.

    Attributes:
        cases: one value for each question, in the order asked for.
        texts: the long texts that they name by number.
    """

    cases: Store
    texts: Texts


def keep(order: Sequence[str], sides: Sequence[Opened], content: Content) -> Kept:
    """Set every question.

    Args:
        order: ids of the questions; each is in the first of `sides`.
        sides: the cases of baseline and candidates, by question id. A side may lack one.
        content: how much of the texts may be shown.
    """
    kept = Kept(Store(), Texts())
    for question_id in order:
        cases = [side.get(question_id) for side in sides]
        first = next(case for case in cases if case is not None)
        kept.cases.add(
            {
                **_question(first, kept.texts, content),
                "sides": [_responses(case, kept.texts, content) for case in cases],
                "moves": [moves(cases[0], case) for case in cases[1:]],
            }
        )
    kept.cases.close()
    kept.texts.close()
    return kept


def _responses(case: Case | None, texts: Texts, content: Content) -> list[Row]:
    if case is None:
        return []
    return [response(case, at, texts, content) for at in range(len(case.answers))]


def moves(before: Case | None, after: Case | None) -> list[list[int]]:
    """Say where each chunk of the candidate's context stood in the baseline's.

    Returns:
        For each repeat, aligned with the candidate's responses, a rank from 1 for each
        visible chunk; 0: it was not there. A chunk is the same where document and offsets
        are, whatever its code.
    """
    if before is None or after is None:
        return []
    found = []
    for at, context in enumerate(after.contexts):
        other = before.contexts[min(at, len(before.contexts) - 1)]
        ranks = {_span(before, code): rank for rank, code in enumerate(other or (), 1)}
        found.append([ranks.get(_span(after, code), 0) for code in context or ()])
    return found


def _span(case: Case, code: int) -> tuple[str, int, int]:
    chunk = case.chunks[code]
    return case.documents[chunk["doc"]]["doc_id"], chunk["start"], chunk["end"]


def _question(case: Case, texts: Texts, content: Content) -> dict[str, Any]:
    question = case.question
    shown = words(question["text"], content)
    note = words(question["content_note"], content)
    return {
        "id": clean(question["question_id"]),
        "text": texts.number(shown) if shown else None,
        "note": clean(note) if note else None,
        "facts": _facts(question, content),
        "labelled": question["labelled"],
        "relevant": [_document(case, row, content) for row in case.relevance],
        "expected": [
            {
                "name": clean(claim["claim_id"]),
                "text": clean(words(claim["text"], content) or "") or None,
                "docs": [
                    _document(case, row, content)
                    for row in case.support
                    if row["claim"] == claim["claim"]
                ],
            }
            for claim in case.claims
        ],
    }


def _facts(question: Row, content: Content) -> list[str]:
    facts = ["held-out question"] if question["split"] == "heldout" else []
    if question["caller_groups"] is not None:
        groups = ", ".join(question["caller_groups"]) or "nobody in a group"
        facts.append(f"asked by {groups}")
    if question["annotators"]:
        people = (label(name, content) for name in question["annotators"])
        facts.append(f"labelled by {', '.join(people)}")
    if question["asked_at"]:
        facts.append(f"asked at {label(question['asked_at'], content)}")
    for pair in question["attributes"]:
        facts.append(f"{pair['key']}: {label(pair['value'], content)}")
    return list(map(clean, facts))


def _document(case: Case, row: Row, content: Content) -> str:
    """A labelled document by id and title, with the votes where people disagree."""
    document = case.documents[row["doc"]]
    title = document["title"] if content == "full" else None
    text = document["doc_id"] + (f" “{title}”" if title else "")
    if row["yes"] != row["votes"]:
        text += f", say {row['yes']} of {row['votes']} annotators"
    return clean(text)
