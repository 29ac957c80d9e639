import pytest

from tests.scoring.cases import asked, one, said, scored, world
from tests.scoring.worlds import Said

GROUPS = {"a": None, "b": {"x"}, "c": {"y", "z"}, "d": set[str]()}
"""Everybody may read a, members of x b, members of y or z c, nobody d."""


def leaks(caller: set[str] | None, response: Said) -> list[str]:
    row = one(asked("a", {"k": "a"}, caller=caller), response, documents=GROUPS)
    assert ("leak" in row["causes"]) == bool(row["leaks"])
    found: list[str] = row["leaks"]
    return found


@pytest.mark.parametrize(
    ("caller", "shown"),
    [
        (None, []),  # permissions are not stated
        ({"x"}, ["c", "d"]),
        ({"y"}, ["b", "d"]),
        ({"x", "z"}, ["d"]),
        (set(), ["b", "c", "d"]),
    ],
)
def test_a_document_leaks_if_no_group_of_the_caller_may_read_it(
    caller: set[str] | None, shown: list[str]
) -> None:
    assert leaks(caller, said("dcba", {"k": "a"})) == shown


def test_retrieving_it_below_the_cutoff_is_a_leak() -> None:
    assert leaks({"x"}, said("abc", {"k": "a"})) == ["c"]


def test_citing_it_is_a_leak_even_if_it_was_not_retrieved() -> None:
    assert leaks({"x"}, said("a", {"k": "ac", "more": "d?"})) == ["c", "d"]
    assert leaks({"x"}, said(None, {"k": "c"})) == ["c"]


def test_a_document_is_named_once() -> None:
    assert leaks({"x"}, said("ac", {"k": "c", "more": "c"})) == ["c"]


def test_a_failed_answer_leaks_what_was_retrieved_for_it() -> None:
    assert leaks({"x"}, said("ac", failed=True)) == ["c"]


def test_each_response_has_its_own_leaks() -> None:
    questions = [asked(name="p", caller={"x"}), asked(name="q"), asked(name="r", caller={"y"})]
    responses = [said("cb", {}, question=name, system=system) for name in "pqr" for system in "AB"]
    responses[0].ranking = [0]  # system A shows a to p
    rows = scored(world(questions, responses, documents=GROUPS))
    found = {(row["system"], row["question_id"]): row["leaks"] for row in rows}
    assert found == {
        ("A", "p"): [], ("A", "q"): [], ("A", "r"): ["b"],
        ("B", "p"): ["c"], ("B", "q"): [], ("B", "r"): ["b"],
    }  # fmt: skip


def test_a_document_that_may_not_be_read_is_no_hit_and_supports_nothing() -> None:
    question = asked("ac", {"k": "ac"}, caller={"x"})
    row = one(question, said("ca", {"k": "ca"}), documents=GROUPS)
    assert (row["precision"], row["recall"], row["reciprocal_rank"]) == (1 / 2, 1.0, 1 / 2)
    assert row["support"] == 0.0
    assert row["relevant"] == 1


def test_without_readable_evidence_the_question_is_unanswerable_for_the_caller() -> None:
    row = one(asked("c", {"k": "c"}, caller={"x"}), said("a", {}), documents=GROUPS)
    assert (row["population"], row["abstention"]) == ("unanswerable", 1.0)
    assert row["recall_reason"] == "unanswerable"
