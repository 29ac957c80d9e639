"""What single questions have to show: no regression, silence, an answer; and exceptions."""

from datetime import date
from typing import Any

import pytest

from pipeline.contract.policy import QuestionRule, Tolerance
from tests.comparison.judging import grounds, lost, new, old, one

CRITICAL = {"a": {"critical": "true"}, "b": {"critical": "true"}}


def no_regression(**more: Any) -> QuestionRule:
    return QuestionRule("r", "no_regression", **more)


def test_a_critical_question_that_got_worse_is_named_and_others_do_not_matter() -> None:
    on = grounds(
        *map(old, "abc"), new("a"), new("b", support=0.5), new("c", recall=0.0),
        attributes=CRITICAL,
    )  # fmt: skip
    row = one(no_regression(slice="critical=true"), on)
    assert (row["outcome"], row["measured"], row["n"]) == ("fail", 1, 2)
    assert (row["questions"], row["bound"]) == (["b"], "worse ≤ 0")


def test_a_critical_question_lost_to_an_error_is_a_regression_that_nothing_tolerates() -> None:
    on = grounds(*map(old, "ab"), new("a"), lost("new", "b"))
    leave = Tolerance("b", "known", "2026-12-31")
    row = one(no_regression(ids=("b",), tolerate=(leave,)), on)
    assert (row["outcome"], row["questions"], row["tolerated"]) == ("fail", ["b"], [])


def test_an_error_where_the_baseline_had_nothing_to_lose_does_not_pass() -> None:
    rows = [old("a", support="no_claims"), lost("new", "a")]
    metrics = ("support",)
    row = one(no_regression(metrics=metrics), grounds(*rows))
    assert (row["outcome"], row["why"]) == ("unmeasurable", "1 question lost to errors")


def test_an_error_of_the_baseline_leaves_its_question_unmeasurable() -> None:
    on = grounds(lost("old", "a"), old("b"), new("a"), new("b"))
    assert one(no_regression(), on)["outcome"] == "unmeasurable"
    assert one(no_regression(baseline_errors=1), on)["outcome"] == "pass"


def test_a_question_that_got_worse_fails_whatever_the_baseline_lost_elsewhere() -> None:
    on = grounds(lost("old", "a"), old("b"), new("a"), new("b", recall=0.5))
    assert one(no_regression(), on)["questions"] == ["b"]


def test_only_the_metrics_named_count() -> None:
    on = grounds(old("a"), new("a", precision=0.5))
    assert one(no_regression(metrics=("recall",)), on)["outcome"] == "pass"


def test_a_document_that_only_the_candidate_leaks_is_a_regression() -> None:
    both = grounds(old("a", leaks=["d"]), new("a", leaks=["d"]))
    assert one(no_regression(), both)["outcome"] == "pass"
    more = grounds(old("a", leaks=["d"]), new("a", leaks=["d", "e"]))
    leave = Tolerance("a", "known", "2026-12-31")
    assert one(no_regression(tolerate=(leave,)), more)["outcome"] == "fail"


@pytest.mark.parametrize(
    ("today", "expected"), [(date(2026, 6, 15), "pass"), (date(2026, 6, 16), "fail")]
)
def test_a_tolerance_holds_through_its_day_and_not_after(today: date, expected: str) -> None:
    on = grounds(old("a"), new("a", recall=0.5))
    leave = Tolerance("a", "labels are being mended", "2026-06-15")
    row = one(no_regression(tolerate=(leave,)), on, today)
    assert row["outcome"] == expected
    if expected == "pass":
        assert row["tolerated"] == [
            {"question": "a", "reason": "labels are being mended", "until": "2026-06-15"}
        ]
    else:
        assert row["why"] == "the tolerance of a ended on 2026-06-15"


def test_a_tolerance_of_one_metric_does_not_cover_another() -> None:
    leave = Tolerance("a", "known", "2026-12-31", "recall")
    rule = no_regression(tolerate=(leave,))
    assert one(rule, grounds(old("a"), new("a", recall=0.5)))["outcome"] == "pass"
    both = grounds(old("a"), new("a", recall=0.5, support=0.5))
    assert one(rule, both)["outcome"] == "fail"


def test_a_question_that_nobody_asked_is_unmeasurable() -> None:
    row = one(no_regression(ids=("a", "zz")), grounds(old("a"), new("a")))
    assert (row["outcome"], row["n"]) == ("unmeasurable", 1)
    assert row["why"] == "not among the questions: zz"


def test_no_question_of_the_slice_passes_only_where_the_rule_says_so() -> None:
    on = grounds(old("a"), new("a"))
    row = one(no_regression(slice="critical=true"), on)
    assert (row["outcome"], row["why"]) == ("unmeasurable", "0 questions to look at, 1 needed")
    assert one(no_regression(slice="critical=true", least=0), on)["outcome"] == "pass"


def test_silence_is_expected_in_every_repeat() -> None:
    there = {"population": "unanswerable", "support": "no_claims"}
    rows = [old("a", repeat, **there) for repeat in (1, 2)]
    rule = QuestionRule("r", "abstain", ids=("a",))
    silent = grounds(*rows, new("a", 1, **there), new("a", 2, **there))
    assert one(rule, silent)["outcome"] == "pass"
    once = grounds(*rows, new("a", 1, **there), new("a", 2, **there, abstention=0.0))
    row = one(rule, once)
    assert (row["outcome"], row["bound"]) == ("fail", "not silent ≤ 0")


def test_an_answer_is_expected_where_there_is_one() -> None:
    rule = QuestionRule("r", "answer", ids=("a",))
    assert one(rule, grounds(old("a"), new("a")))["outcome"] == "pass"
    assert one(rule, grounds(old("a"), new("a", false_abstention=1.0)))["outcome"] == "fail"


@pytest.mark.parametrize("expects", ["abstain", "answer"])
def test_an_error_is_neither_silence_nor_an_answer(expects: Any) -> None:
    rule = QuestionRule("r", expects, ids=("a",))
    assert one(rule, grounds(old("a"), lost("new", "a")))["outcome"] == "fail"


def test_where_nobody_can_tell_silence_it_is_unmeasurable() -> None:
    on = grounds(old("a"), new("a", false_abstention="unresolved"))
    row = one(QuestionRule("r", "answer", ids=("a",)), on)
    assert (row["outcome"], row["why"]) == ("unmeasurable", "1 question n/a")
