"""Bounds on a value, a change, and the worse end of the change's interval."""

from typing import Any

import pytest

from pipeline.contract.policy import Rule
from tests.comparison.judging import grounds, lost, new, old, one


def rule(metric: str = "recall", bound: float = 0.5, **more: Any) -> Rule:
    return Rule("r", metric, bound, **more)


def outcome(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["outcome"], row["measured"], row["n"]


def test_a_value_on_the_bound_passes_and_one_below_fails() -> None:
    # (1 + 0.5 + 0) / 3 = 0.5
    on = grounds(*map(old, "abc"), new("a"), new("b", recall=0.5), new("c", recall=0.0))
    assert outcome(one(rule(bound=0.5), on)) == ("pass", 0.5, 3)
    assert outcome(one(rule(bound=0.51), on)) == ("fail", 0.5, 3)


def test_where_less_is_better_the_bound_is_the_greatest() -> None:
    on = grounds(old("a"), old("b"), new("a"), new("b", false_abstention=1.0))
    row = one(rule("false_abstention", 0.4), on)
    assert (outcome(row), row["bound"]) == (("fail", 0.5, 2), "≤ 0.4")
    assert one(rule("false_abstention", 0.5), on)["outcome"] == "pass"


def test_a_change_of_a_tenth_is_a_tenth_whatever_its_last_bit() -> None:
    # 0.3 - 0.4 = -0.10000000000000003 as doubles
    on = grounds(old("a", recall=0.4), new("a", recall=0.3))
    assert one(rule(bound=-0.1, reads="delta"), on)["outcome"] == "pass"


def test_strict_counts_an_error_as_the_worst_and_says_so() -> None:
    # 99 errors and 1 pass: (1 + 99 * 0) / 100
    ids = [f"q{at:02}" for at in range(100)]
    on = grounds(*map(old, ids), new(ids[0]), *(lost("new", name) for name in ids[1:]))
    row = one(rule(bound=0.5), on)
    assert outcome(row) == ("fail", 0.01, 100)
    assert row["why"] == "99 questions lost to errors, counted as the worst"


@pytest.mark.parametrize(("reads", "bound"), [("delta", -1.0), ("value", 0.0)])
def test_an_error_where_there_was_no_value_does_not_make_up_the_least(
    reads: str, bound: float
) -> None:
    # b made no claim: one question of two has a support; had b failed, two would count
    silent: dict[str, Any] = {
        "support": None,
        "support_reason": "no_claims",
        "claims": 0,
        "supported": 0,
    }
    asked = rule("support", bound, reads=reads, least=2)
    row = one(asked, grounds(*map(old, "ab"), new("a"), new("b", **silent)))
    assert (row["outcome"], row["n"]) == ("unmeasurable", 1)
    row = one(asked, grounds(*map(old, "ab"), new("a"), lost("new", "b")))
    assert (row["outcome"], row["n"]) == ("unmeasurable", 2)
    assert "1 question without errors to measure, 2 needed" in row["why"]
    worse = rule("support", 0.9, reads="value", least=2)  # (1 + 0) / 2, error and all
    assert one(worse, grounds(*map(old, "ab"), new("a"), lost("new", "b")))["outcome"] == "fail"


def test_macro_cannot_pass_with_an_error_and_can_fail() -> None:
    on = grounds(*map(old, "ab"), new("a", recall=0.5), lost("new", "b"))
    row = one(rule(bound=0.5, aggregate="macro"), on)
    assert outcome(row) == ("unmeasurable", 0.5, 1)
    assert row["why"] == "1 question lost to errors, which macro leaves out"
    assert one(rule(bound=0.6, aggregate="macro"), on)["outcome"] == "fail"


def test_pooled_sums_and_is_not_read_when_anything_failed() -> None:
    # 1 of 1 claim and 1 of 4: pooled 2/5, macro (1 + 1/4) / 2
    rows = [new("a", claims=1, supported=1), new("b", claims=4, supported=1, support=0.25)]
    whole = grounds(*map(old, "ab"), *rows)
    assert outcome(one(rule("support", 0.4, aggregate="pooled"), whole)) == ("pass", 0.4, 2)
    torn = grounds(*map(old, "abc"), *rows, lost("new", "c"))
    assert outcome(one(rule("support", 0.9, aggregate="pooled"), torn)) == (
        "unmeasurable", None, 2,
    )  # fmt: skip


def test_a_delta_is_over_pairs_and_says_how_many_have_none() -> None:
    # a: 0.5 - 1, b: none, c: 1 - 1; mean -0.25
    on = grounds(
        *map(old, "abc"), new("a", recall=0.5), new("b", recall="unresolved"), new("c")
    )  # fmt: skip
    row = one(rule(bound=-0.2, reads="delta"), on)
    assert outcome(row) == ("fail", -0.25, 2)
    assert (row["questions"], row["why"]) == (["a"], "1 question n/a on a side")
    assert row["bound"] == "delta ≥ -0.2"


def test_an_error_of_the_baseline_makes_the_delta_unmeasurable_unless_it_may_be_left_out() -> None:
    on = grounds(old("a"), lost("old", "b"), new("a"), new("b"))
    row = one(rule(bound=0, reads="delta"), on)
    assert row["outcome"] == "unmeasurable"
    assert row["why"] == "1 question lost to errors of the baseline"
    allowed = one(rule(bound=0, reads="delta", baseline_errors=1), on)
    assert outcome(allowed) == ("pass", 0.0, 1)


def test_an_error_where_the_baseline_was_bad_does_not_dilute_a_loss() -> None:
    # a: 0.5 - 1 = -0.5. With b lost, 0 - 0: the mean is -0.25, above the bound of -0.3.
    rows = [old("a"), old("b", recall=0.0), new("a", recall=0.5)]
    assert one(rule(bound=-0.3, reads="delta"), grounds(*rows, new("b", recall="unresolved")))[
        "outcome"
    ] == "fail"  # fmt: skip
    row = one(rule(bound=-0.3, reads="delta"), grounds(*rows, lost("new", "b")))
    assert outcome(row) == ("unmeasurable", -0.25, 2)
    assert "only because errors are among its questions" in row["why"]


def interval(low: float | None, high: float | None, **more: Any) -> dict[str, Any]:
    row = {"metric": "recall", "attribute": "", "value": "", "n": 2, "reason": None}
    return row | {"low": low, "high": high} | more


@pytest.mark.parametrize(("bound", "expected"), [(-0.1, "pass"), (-0.05, "fail")])
def test_an_interval_is_held_at_its_worse_end(bound: float, expected: str) -> None:
    on = grounds(*map(old, "ab"), *map(new, "ab"), uncertainty=[interval(-0.1, 0.2)])
    row = one(rule(bound=bound, reads="interval"), on)
    assert outcome(row) == (expected, -0.1, 2)
    assert row["bound"] == f"interval's low ≥ {bound}"


def test_the_worse_end_is_the_upper_one_where_less_is_better() -> None:
    found = interval(-0.1, 0.2, metric="false_abstention")
    on = grounds(*map(old, "ab"), *map(new, "ab"), uncertainty=[found])
    assert outcome(one(rule("false_abstention", 0.1, reads="interval"), on)) == ("fail", 0.2, 2)


def test_an_interval_cannot_pass_with_an_error_since_it_leaves_it_out() -> None:
    on = grounds(*map(old, "ab"), new("a"), lost("new", "b"), uncertainty=[interval(0.0, 0.0)])
    assert one(rule(bound=-0.1, reads="interval"), on)["outcome"] == "unmeasurable"


@pytest.mark.parametrize("least", [0, 1])
def test_an_interval_that_nobody_computed_is_unmeasurable(least: int) -> None:
    on = grounds(*map(old, "ab"), *map(new, "ab"))
    row = one(rule(bound=-0.1, reads="interval", least=least), on)
    assert (row["outcome"], row["why"]) == ("unmeasurable", "no interval was computed")


def test_fewer_questions_than_the_rule_needs_are_unmeasurable() -> None:
    row = one(rule(least=3), grounds(*map(old, "ab"), *map(new, "ab")))
    assert outcome(row) == ("unmeasurable", 1.0, 2)
    assert row["why"] == "2 questions to measure, 3 needed"


def test_nothing_to_measure_passes_only_where_the_rule_says_so() -> None:
    on = grounds(old("a"), new("a"))
    assert outcome(one(rule("abstention"), on)) == ("unmeasurable", None, 0)
    allowed = one(rule("abstention", least=0), on)
    assert outcome(allowed) == ("pass", None, 0)
    assert allowed["why"] == "nothing to measure, which is allowed"


def test_a_slice_holds_the_questions_with_that_value() -> None:
    on = grounds(
        *map(old, "abc"), new("a"), new("b", recall=0.0), new("c", recall=0.0),
        attributes={"a": {"tag": "x=y"}, "b": {"tag": "x"}},
    )  # fmt: skip
    assert outcome(one(rule(slice="tag=x=y"), on)) == ("pass", 1.0, 1)
    assert outcome(one(rule(slice="tag=x"), on)) == ("fail", 0.0, 1)
    assert outcome(one(rule(slice="tag=z"), on)) == ("unmeasurable", None, 0)


def test_a_metric_that_nobody_was_scored_in_is_unmeasurable() -> None:
    assert one(rule("raf"), grounds(old("a"), new("a")))["outcome"] == "unmeasurable"
