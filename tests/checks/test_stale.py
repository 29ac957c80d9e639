"""Labels of another version of the corpus: left out and named, or refused, never kept."""

from dataclasses import replace
from typing import Any

import pytest

from pipeline.checks.collection import Checked, check
from tests.sets import DOCUMENTS, QUESTION, collection

BOATS = {"doc_id": "boats", "claim_id": "nine", "start": 11, "end": 15, "quote": "nine"}
HOURS = {"doc_id": "hours", "claim_id": "nine", "start": 19, "end": 24, "quote": "eight"}
BOTH = {
    **QUESTION,
    "relevant": ["boats", "hours"],
    "support": {"nine": ["boats", "hours"]},
    "claims": {"nine": "A boat costs nine."},
    "evidence": [BOATS, HOURS],
}
VOTED = {"question_id": "voted", "text": "?", "evidence": [BOATS], "annotators": ["a", "b"]}
OTHER = {"question_id": "other", "text": "?", "relevant": ["hours"], "support": {"c": ["hours"]}}


def excluding(
    boats: dict[str, Any] | None, *questions: dict[str, Any], split: str = "dev"
) -> Checked:
    """Check questions on a corpus with another `boats`, or without it."""
    documents = [DOCUMENTS[0], *([boats] if boats else [])]
    whole = replace(collection(documents, list(questions), []), stale="exclude")
    return check(whole, claims="auto", split=split, missing="refuse", repeats=None, rule="open")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Boats cost eight coins.", "not in the document"),
        ("The boats cost nine coins.", "moved to 15–19"),
        ("Boats", "not in the document"),
    ],
)
def test_a_question_with_a_label_that_does_not_hold_is_not_labelled(text: str, why: str) -> None:
    found = excluding({"doc_id": "boats", "text": text}, BOTH, OTHER)
    assert found.faults == []
    kept = {row.question_id: row for row in found.questions.rows}
    price = kept["price"]
    assert (price.relevant, price.support, price.claims) == (None, None, None)
    assert (price.evidence, price.annotators) == (None, None)
    assert kept["other"].relevant == ["hours"]
    assert found.notes == [
        f"question price is not labelled, its labels do not hold: claim nine, boats 11–15, {why}"
    ]


def test_a_document_that_is_gone_takes_the_labels_on_it_along() -> None:
    settled = {
        **OTHER,
        "question_id": "settled",
        "relevant": ["boats"],
        "support": {"c": ["boats"]},
    }
    found = excluding(None, BOTH, settled, VOTED, OTHER)
    assert found.faults == []
    assert list(found.stale) == ["price", "settled", "voted"]
    assert found.stale["settled"] == ["no document boats"]
    assert [row.relevant for row in found.questions.rows] == [["hours"], None, None, None]


def test_what_is_left_out_stays_part_of_the_set() -> None:
    # the version of a question set is over what people labelled, whatever the corpus is
    found = excluding(None, BOTH, OTHER)
    assert found.collection.questions.rows[0].relevant == ["boats", "hours"]
    assert found.claims is True


def test_notes_are_of_the_chosen_split_and_quote_no_text() -> None:
    heldout = {**BOTH, "question_id": "hidden", "split": "heldout"}
    found = excluding(None, BOTH, heldout, OTHER)
    assert list(found.stale) == ["price"]
    assert len(found.notes) == 1
    assert "nine coins" not in found.notes[0]


def test_labels_that_hold_are_kept_where_others_would_be_left_out() -> None:
    found = excluding(DOCUMENTS[1], BOTH, OTHER)
    assert (found.stale, found.notes, found.faults) == ({}, [], [])
    assert found.questions.rows[1].relevant == ["boats", "hours"]


def test_without_the_wish_they_are_refused() -> None:
    whole = collection([DOCUMENTS[0]], [VOTED, OTHER], [])
    found = check(whole, claims="auto", split="dev", missing="refuse", repeats=None, rule="open")
    assert len(found.faults) == 1
    assert list(found.stale) == ["voted"]
