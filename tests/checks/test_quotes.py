"""Quotes beside spans: a label whose text no longer stands there is refused."""

from typing import Any

import pytest

from pipeline.checks.quotes import listed, places, whereabouts
from tests.sets import QUESTION, faults

PLACE = "questions.jsonl:1: price: expected "


def of(text: str, **mark: Any) -> list[str]:
    """Faults of a mark for the claim `nine` on a document `boats` with this text."""
    evidence = [{"doc_id": "boats", "claim_id": "nine", **mark}]
    documents = [{"doc_id": "boats", "text": text}]
    return faults(documents, [{**QUESTION, "evidence": evidence}], [])


def test_a_quote_that_stands_at_its_span_is_good() -> None:
    assert of("🚣 cost nine.", start=7, end=11, quote="nine") == []


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("🚣 costs nine.", "' nin'; the quote is moved to 8–12"),
        ("🚣 cost eight.", "'eigh'; the quote is not in the document"),
        ("nine, 🚣 nine.", "'🚣 ni'; the quote is moved to 0–4, 8–12"),
        ("nine.", "5 characters; the quote is moved to 0–4"),
        ("It is a nin", "' nin'; the quote is not in the document"),
    ],
)
def test_a_quote_that_left_its_span_is_refused_with_where_it_went(text: str, got: str) -> None:
    start = 6 if text.startswith("nine,") else 7
    expected = f"{PLACE}'nine' at {start}–{start + 4} of boats in evidence[0] for claim nine"
    assert of(text, start=start, end=start + 4, quote="nine") == [f"{expected}, got {got}"]


def test_offsets_from_the_end_do_not_count_as_a_place() -> None:
    # Python would read text[-5:-1] as "nine"
    assert of("It is nine.", start=-5, end=-1, quote="nine") == [
        f"{PLACE}'nine' at -5–-1 of boats in evidence[0] for claim nine, "
        "got 11 characters; the quote is moved to 6–10"
    ]


def test_a_quote_needs_its_span() -> None:
    assert of("nine", quote="nine") == [
        f"{PLACE}start and end beside quote in evidence[0], got quote alone"
    ]


def test_a_quote_on_a_document_that_is_gone_is_named() -> None:
    evidence = [{"doc_id": "barge", "claim_id": "nine", "start": 0, "end": 1, "quote": "9"}]
    plain = {key: QUESTION[key] for key in ("question_id", "text")}
    assert faults(questions=[{**plain, "evidence": evidence}], responses=[]) == [
        f"{PLACE}a document of the corpus in evidence[0].doc_id, got 'barge', and with it '9'"
    ]


def test_two_marks_at_one_place_are_one_twice_whatever_they_quote() -> None:
    place = {"doc_id": "boats", "claim_id": "nine", "start": 0, "end": 4}
    documents = [{"doc_id": "boats", "text": "nine"}]
    evidence = [place, {**place, "quote": "nine"}]
    assert len(faults(documents, [{**QUESTION, "evidence": evidence}], [])) == 1


def test_places_overlap() -> None:
    assert list(places("aa", "aaab")) == [(0, 2), (1, 3)]


def test_of_many_places_the_first_three_are_listed() -> None:
    assert listed(places("a", "aaaa")) == "0–1, 1–2, 2–3, …"
    assert listed(places("a", "aaa")) == "0–1, 1–2, 2–3"


def test_an_empty_quote_is_nowhere() -> None:
    assert whereabouts("", "text") == "not in the document"
