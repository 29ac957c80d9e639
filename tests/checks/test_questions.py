from typing import Any

import pytest

from pipeline.checks.questions import annotators, in_split, labelled, question_table
from pipeline.contract.records import Mark, Question
from pipeline.contract.tables import Questions, check
from tests.sets import QUESTION, faults, part


def of(**fields: Any) -> list[str]:
    """Faults of the question with these fields."""
    return faults(questions=[{**QUESTION, **fields}])


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"text": ""}, "expected text that is not blank, got ''"),
        ({"asked_at": "noon"}, "expected an ISO 8601 date in asked_at, got 'noon'"),
        (
            {"annotators": ["ada", "ada"]},
            "expected no id twice in annotators, got 'ada' at 0 and at 1",
        ),
        (
            {"caller_groups": [" "]},
            "expected 1 to 256 printable characters without white space at the ends in "
            "caller_groups[0], got ' ', which has white space at its ends",
        ),
        (
            {"content_note": "\ud800"},
            "expected whole characters in content_note, "
            "got the lone surrogate U+D800 at character 0",
        ),
        (
            {"attributes": {"topic": "\ud800"}},
            "expected whole characters in attributes.topic, "
            "got the lone surrogate U+D800 at character 0",
        ),
    ],
)
def test_each_fault_of_a_question_is_named(fields: dict[str, Any], fault: str) -> None:
    assert of(**fields) == [f"questions.jsonl:1: price: {fault}"]


def test_an_id_twice_names_both_lines() -> None:
    assert faults(questions=[QUESTION, QUESTION]) == [
        "questions.jsonl:2: price: expected each question_id once, got it again, first on line 1"
    ]


def test_a_set_needs_a_question() -> None:
    assert faults(questions=[], responses=[]) == [
        "questions: expected one question or more, got none"
    ]


def test_a_split_without_a_question_says_which_have_some() -> None:
    assert faults(split="heldout", responses=[]) == [
        "questions: expected questions in the split heldout, got none; there are 1 in dev"
    ]
    assert faults(split="all") == []


def test_a_split_holds_its_questions_in_order_of_their_ids() -> None:
    rows: list[dict[str, Any]] = [
        {"question_id": id_, "text": "?", "split": split}
        for id_, split in [("c", None), ("b", "heldout"), ("a", "dev")]
    ]
    whole = part(rows, Question, "f")
    assert [row.question_id for row in in_split(whole, "dev").rows] == ["a", "c"]
    assert [row.question_id for row in in_split(whole, "heldout").rows] == ["b"]
    assert [row.question_id for row in in_split(whole, "all").rows] == ["a", "b", "c"]
    assert in_split(whole, "dev").lines == [3, 1]


def test_a_question_is_labelled_when_anybody_looked_at_it() -> None:
    assert labelled(Question("q", "?", relevant=[]))
    assert labelled(Question("q", "?", annotators=["ada"]))
    assert labelled(Question("q", "?", evidence=[Mark("d")]))
    assert not labelled(Question("q", "?"))
    assert not labelled(Question("q", "?", annotators=[]))


def test_who_marked_is_an_annotator_as_well_as_who_is_listed() -> None:
    marks = [Mark("d", annotator="ben"), Mark("d")]
    assert annotators(Question("q", "?", evidence=marks, annotators=["cy", "ada"])) == [
        "ada", "ben", "cy",
    ]  # fmt: skip


def test_the_table_says_where_each_question_stood() -> None:
    rows: list[dict[str, Any]] = [
        {"question_id": "a", "text": "A?", "caller_groups": [], "attributes": {"t": "x"}},
        {"question_id": "b", "text": "B?", "relevant": [], "split": "heldout"},
    ]
    frame = check(Questions, question_table(part(rows, Question, "f")))
    assert frame.select("question", "line", "split", "labelled").rows() == [
        (0, 1, "dev", False), (1, 2, "heldout", True),
    ]  # fmt: skip
    assert frame["caller_groups"].to_list() == [[], None]
    assert frame["attributes"].to_list() == [[{"key": "t", "value": "x"}], []]
