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
Span = tuple[str, int, int]


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


def moves(before: Case | None, after: Case | None) -> list[list[list[int]]]:
    """Say where each chunk of one context stands in the other's.

    Returns:
        For each repeat, aligned with the candidate's responses, the places of its visible
        chunks in the baseline's context, and those of the baseline's chunks in its own, as
        `stood` gives them; empty where a side is missing.
    """
    if before is None or after is None:
        return []
    found = []
    for at in range(len(after.contexts)):
        spans = _spans(before, min(at, len(before.contexts) - 1)), _spans(after, at)
        found.append([stood(spans[1], spans[0]), stood(spans[0], spans[1])])
    return found


def stood(spans: Sequence[Span], there: Sequence[Span]) -> list[int]:
    """Find the rank of each span in another context.

    Args:
        spans: document, start and end of each chunk.
        there: the same of the other context, in order.

    Returns:
        For each of `spans` its rank from 1 where the very same chunk is there; where only
        others that share text with it are, the rank of the one that shares most, negative;
        0: none of its text is there.
    """
    ranks = {span: rank for rank, span in enumerate(there, 1)}
    return [ranks.get(span) or -_nearest(span, there) for span in spans]


def _nearest(span: Span, there: Sequence[Span]) -> int:
    """Rank from 1 of the chunk that shares most with a span, the first of equals; 0: none."""
    shared = [
        min(span[2], end) - max(span[1], start) if doc == span[0] else 0
        for doc, start, end in there
    ]
    most = max(shared, default=0)
    return shared.index(most) + 1 if most > 0 else 0


def _spans(case: Case, at: int) -> list[Span]:
    chunks = [case.chunks[code] for code in case.contexts[at] or ()]
    return [(case.documents[row["doc"]]["doc_id"], row["start"], row["end"]) for row in chunks]


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
