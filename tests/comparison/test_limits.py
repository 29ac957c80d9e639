"""Limits on failures, claims too many, disputes, leaks and values that are n/a."""

from typing import Any

from pipeline.comparison.grounds import Grounds
from pipeline.contract.policy import Limit, Limits, Share
from tests.comparison.judging import grounds, held, lost, new, old


def limited(on: Grounds, **limits: Any) -> dict[str, Any]:
    (row,) = held(on=on, limits=Limits(**{"leaks": None, **limits}))["rules"]
    return dict(row)


def test_failures_are_counted_by_response_and_named() -> None:
    on = grounds(old("a"), old("b"), lost("new", "a"), new("b"))
    row = limited(on, failures=Limit(0))
    assert (row["outcome"], row["measured"], row["n"]) == ("fail", 1, 2)
    assert (row["bound"], row["questions"]) == ("≤ 0", ["a"])
    assert limited(on, failures=Limit(1))["outcome"] == "pass"


def test_a_failure_may_hide_a_failure_of_the_judge() -> None:
    rows = [old("a"), old("b"), new("b")]
    unjudged = grounds(*rows, new("a", status="judge_failed", support="judge_failed"))
    assert limited(unjudged, judge_failures=Limit(0))["outcome"] == "fail"
    never = grounds(*rows, lost("new", "a"))
    row = limited(never, judge_failures=Limit(0))
    assert (row["outcome"], row["measured"]) == ("unmeasurable", 0)
    assert limited(never, judge_failures=Limit(1))["outcome"] == "pass"


def test_unsupported_claims_are_claims_less_those_supported() -> None:
    # 3 - 1 = 2 at a, none at b
    rows = [old("a"), old("b"), new("a", claims=3, supported=1)]
    whole = grounds(*rows, new("b"))
    row = limited(whole, unsupported_claims=Limit(1))
    assert (row["outcome"], row["measured"], row["questions"]) == ("fail", 2, ["a"])
    torn = limited(grounds(*rows, lost("new", "b")), unsupported_claims=Limit(2))
    assert (torn["outcome"], torn["why"]) == (
        "unmeasurable", "1 response without a record of claims",
    )  # fmt: skip


def test_without_any_record_of_claims_there_is_no_number_of_them() -> None:
    on = grounds(old("a"), new("a", claims=None, supported=None))
    row = limited(on, unsupported_claims=Limit(5))
    assert (row["outcome"], row["measured"]) == ("unmeasurable", None)


def test_questions_in_dispute_are_counted_once() -> None:
    dispute: dict[str, Any] = dict.fromkeys(("recall", "precision"), "unresolved")
    on = grounds(old("a"), old("b"), new("a", **dispute), lost("new", "b"))
    assert limited(on, unresolved=Limit(0))["questions"] == ["a"]
    row = limited(on, unresolved=Limit(1))
    assert (row["outcome"], row["why"]) == ("unmeasurable", "1 question lost to errors")
    assert limited(on, unresolved=Limit(2))["outcome"] == "pass"


def test_a_leak_is_a_document_of_a_question_however_often_it_is_shown() -> None:
    rows = [old("a", 1), new("a", 1, leaks=["d"]), new("a", 2, leaks=["d", "e"])]
    row = limited(grounds(*rows), leaks=Limit(0))
    assert (row["outcome"], row["measured"], row["questions"]) == ("fail", 2, ["a"])


def test_an_error_may_hide_a_leak() -> None:
    row = limited(grounds(old("a"), lost("new", "a")), leaks=Limit(0))
    assert (row["outcome"], row["measured"]) == ("unmeasurable", 0)


def test_no_leak_is_tolerated_unless_the_policy_says_so() -> None:
    on = grounds(old("a"), new("a", leaks=["d"]))
    assert held(on=on, limits=Limits())["verdict"] == "reject"
    assert held(on=on, limits=Limits(leaks=Limit(1)))["verdict"] == "accept"


def test_the_share_without_a_value_is_of_the_metrics_own_questions_and_counts_errors() -> None:
    # answerable: a (no claims), b (error), c, d; e is outside: 2 / 4
    on = grounds(
        *map(old, "abcd"), old("e", population="unanswerable"),
        new("a", coverage="no_claims"), lost("new", "b"), new("c"), new("d"),
        new("e", population="unanswerable"),
    )  # fmt: skip
    row = limited(on, na=(Share("coverage", 0.4),))
    assert (row["name"], row["outcome"], row["measured"], row["n"]) == (
        "na coverage", "fail", 0.5, 4,
    )  # fmt: skip
    assert row["questions"] == ["a", "b"]
    assert limited(on, na=(Share("coverage", 0.5),))["outcome"] == "pass"
