from tests.sets import QUESTION, RESPONSE, checked, faults

QUESTIONS = [QUESTION, {**QUESTION, "question_id": "other"}]
OTHER = {**RESPONSE, "question_id": "other"}
MISSING = "expected a response (missing=failed counts such a one as failed), got none"


def test_every_missing_response_is_refused_with_its_id() -> None:
    responses = [RESPONSE, {**OTHER, "repeat": 2}, {**RESPONSE, "system": "B"}]
    assert faults(questions=QUESTIONS, responses=responses) == [
        f"responses: A / other: {MISSING}",
        f"responses: A / price / repeat 2: {MISSING}",
        f"responses: B / other: {MISSING}",
    ]


def test_a_missing_response_can_count_as_failed() -> None:
    found = checked(questions=QUESTIONS, responses=[RESPONSE], missing="failed")
    assert found.faults == []
    assert found.missing == [("A", 1, "other")]
    stand_in = found.responses.rows[0]
    assert (stand_in.question_id, stand_in.status, stand_in.error) == ("other", "failed", "missing")
    assert stand_in.retrieved is None
    assert found.responses.lines == [0, 1]


def test_an_extra_response_is_refused_even_where_missing_ones_count_as_failed() -> None:
    extra = {**RESPONSE, "question_id": "nobody asked"}
    assert faults(questions=QUESTIONS, responses=[RESPONSE, extra], missing="failed") == [
        "responses.jsonl:2: A / nobody asked: expected a question of the set in question_id, "
        "got 'nobody asked'"
    ]


def test_each_system_has_repeats_of_its_own() -> None:
    responses = [RESPONSE, {**RESPONSE, "system": "B"}, {**RESPONSE, "system": "B", "repeat": 2}]
    assert faults(responses=responses) == []


def test_repeats_have_no_gap() -> None:
    assert faults(responses=[RESPONSE, {**RESPONSE, "repeat": 3}]) == [
        "responses: A: expected repeats from 1 without a gap, up to 3, got 1, 3"
    ]


def test_repeats_are_as_many_as_were_set() -> None:
    assert faults(repeats=1) == []
    assert faults(repeats=3) == ["responses: A: expected 3 repeats, as set, got 1"]


def test_only_the_chosen_split_has_to_be_complete() -> None:
    questions = [QUESTION, {**QUESTIONS[1], "split": "heldout"}]
    assert faults(questions=questions) == []
    assert faults(questions=questions, split="all") == [f"responses: A / other: {MISSING}"]
    assert faults(questions=questions, split="heldout") == [f"responses: A / other: {MISSING}"]


def test_what_is_not_chosen_is_checked_all_the_same() -> None:
    questions = [QUESTION, {**QUESTIONS[1], "split": "heldout"}]
    assert faults(questions=questions, responses=[RESPONSE, {**OTHER, "retrieved": ["x"]}]) == [
        "responses.jsonl:2: A / other: expected documents of the corpus in retrieved, got 'x' at 0"
    ]


def test_a_set_without_responses_is_complete() -> None:
    assert faults(responses=[]) == []
