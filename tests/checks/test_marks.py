from typing import Any

import pytest

from pipeline.checks.marks import positive
from pipeline.contract.records import Mark
from tests.sets import QUESTION, faults

LENGTH = len("Boats cost nine coins.")


def of(*marks: dict[str, Any]) -> list[str]:
    """Faults of a question whose labels are these marks on `boats`."""
    evidence = [{"doc_id": "boats", "claim_id": "nine", **mark} for mark in marks]
    plain = {key: QUESTION[key] for key in ("question_id", "text")}
    return faults(questions=[{**plain, "evidence": evidence}])


def test_a_span_may_reach_from_the_first_to_the_last_character() -> None:
    assert of({"start": 0, "end": LENGTH}) == []
    assert of({"start": LENGTH - 1, "end": LENGTH}) == []


@pytest.mark.parametrize(
    ("start", "end"), [(-1, 2), (2, 2), (3, 2), (0, LENGTH + 1), (LENGTH, LENGTH + 1)]
)
def test_a_span_outside_its_document_is_refused(start: int, end: int) -> None:
    assert of({"start": start, "end": end}) == [
        "questions.jsonl:1: price: expected 0 <= start < end <= 22, the document's length, "
        f"in evidence[0], got start {start}, end {end}"
    ]


def test_a_span_counts_code_points() -> None:
    # four code points, though six UTF-16 units and fourteen bytes
    documents = [{"doc_id": "boats", "text": "\U0001f6a3é\U0001f6a3."}]
    question = {"question_id": "q", "text": "?"}
    for end, n in ((4, 0), (5, 1)):
        evidence = [{"doc_id": "boats", "start": 3, "end": end}]
        assert len(faults(documents, [{**question, "evidence": evidence}], [])) == n


@pytest.mark.parametrize(
    ("mark", "fault"),
    [
        ({"start": 3}, "expected start and end, or neither, in evidence[0], got start alone"),
        ({"end": 3}, "expected start and end, or neither, in evidence[0], got end alone"),
        (
            {"doc_id": "Boats"},
            "expected a document of the corpus in evidence[0].doc_id, "
            "got 'Boats' ('boats' is one: differs in case)",
        ),
        ({"grade": -1.0}, "expected a finite number of 0 or more in evidence[0].grade, got -1.0"),
        (
            {"grade": float("inf")},
            "expected a finite number of 0 or more in evidence[0].grade, got inf",
        ),
        (
            {"annotator": ""},
            "expected 1 to 256 printable characters without white space at the ends in "
            "evidence[0].annotator, got an empty text",
        ),
        (
            {"claim_id": "a\tb"},
            "expected 1 to 256 printable characters without white space at the ends in "
            r"evidence[0].claim_id, got 'a\tb', which holds the unprintable U+0009",
        ),
    ],
)
def test_each_fault_of_a_mark_is_named(mark: dict[str, Any], fault: str) -> None:
    assert of(mark) == [f"questions.jsonl:1: price: {fault}"]


def test_an_annotator_marks_a_place_once_for_a_claim() -> None:
    span = {"annotator": "ada", "start": 0, "end": 3}
    assert of(span, {**span, "end": 4}, {**span, "annotator": "ben"}) == []
    assert of(span, {**span, "claim_id": "ten"}, {**span, "grade": 0}) == [
        "questions.jsonl:1: price: expected one mark an annotator for each claim and place, "
        "got evidence[0] and evidence[2]"
    ]


@pytest.mark.parametrize(("grade", "yes"), [(None, True), (0.5, True), (1.0, True), (0.0, False)])
def test_a_mark_says_yes_unless_it_is_graded_0(grade: float | None, yes: bool) -> None:
    assert positive(Mark("d", grade=grade)) is yes
