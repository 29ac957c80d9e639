"""Recorded verdicts: on a response that is there, one an item, against a passage it saw."""

from typing import Any

import pytest

from pipeline.checks.verdicts import check_verdicts, of_questions, verdict_table
from pipeline.contract.records import Part, Response, Verdict
from pipeline.contract.tables import Verdicts, check
from tests.adapters.frames import questions
from tests.sets import part

RESPONSE = {"system": "A", "question_id": "q1", "retrieved": ["d"], "delivered": ["d"]}
GOOD: dict[str, Any] = {
    "system": "A", "question_id": "q1", "kind": "answer_to_passage", "item": 0, "against": 0,
    "label": "Neutral",
}  # fmt: skip


def verdicts(*rows: dict[str, Any]) -> Part[Verdict]:
    return part([{**GOOD, **row} for row in rows], Verdict, "v.json")


def faults(*rows: dict[str, Any]) -> list[str]:
    return list(map(str, check_verdicts(verdicts(*rows), part([RESPONSE], Response, "r"))))


def test_a_good_verdict_has_no_fault() -> None:
    assert faults({}, {"item": None, "against": None, "label": None}) == []


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"question_id": "q2"},
         "v.json:1: A / q2: expected a verdict on a response of the set, got no such response"),
        ({"repeat": 2}, "v.json:1: A / q1 / repeat 2: expected a verdict on a response of the "
         "set, got no such response"),
        ({"against": 1},
         "v.json:1: A / q1: expected against below 1, as many passages were delivered, got 1"),
        ({"label": None},
         "v.json:1: A / q1: expected a label on item 0 ('answer_to_passage'), got none"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(row: dict[str, Any], fault: str) -> None:
    assert faults(row) == [fault]


def test_a_second_verdict_on_an_item_is_refused() -> None:
    assert faults({}, {"label": "Entailment"}) == [
        "v.json:2: A / q1: expected one verdict an item (answer_to_passage 0 0), "
        "got another, the first is on line 1"
    ]


def test_a_response_that_was_refused_itself_is_not_missed() -> None:
    responses: Part[Response] = Part()
    responses.lost.add(("A", "1", "q1"))
    assert check_verdicts(verdicts({}), responses) == []


def test_the_table_is_in_order_with_the_whole_text_first_and_without_other_questions() -> None:
    rows = verdicts({"item": 1}, {}, {"question_id": "q0"}, {"item": None, "against": None})
    frame = verdict_table(of_questions(rows, {"q1"}), questions(["?", "?"]))
    check(Verdicts, frame)
    assert frame["item"].to_list() == [None, 0, 1]
    assert frame["question"].to_list() == [1, 1, 1]
    assert frame.equals(frame.sort(Verdicts.key), null_equal=True)
