from itertools import permutations
from math import fsum
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.contract.metrics import COMPARED, METRICS
from pipeline.scoring.deltas import deltas
from tests.per_question import answered, failed, per_question


def delta(values: pl.DataFrame, question: str, metric: str, candidate: str = "B") -> dict[str, Any]:
    rows = deltas(values, "A").filter(
        pl.col("candidate") == candidate, question_id=question, metric=metric
    )
    assert len(rows) == 1
    return rows.row(0, named=True)


def test_systems_are_paired_by_question_and_never_by_position() -> None:
    # x: 1 → 0, y: 0 → 1; by position, with B's rows the other way round, nothing would change
    rows = [
        answered("A", "x", recall=1.0),
        answered("A", "y", recall=0.0),
        answered("B", "y", recall=1.0),
        answered("B", "x", recall=0.0),
    ]
    for order in permutations(rows):
        values = pl.concat([per_question(row) for row in order])
        assert delta(values, "x", "recall")["direction"] == "worse"
        assert delta(values, "y", "recall")["direction"] == "better"


def test_every_other_system_is_set_against_the_baseline() -> None:
    values = per_question(*(answered(name, "x") for name in "CAB"))
    found = deltas(values, "B").select("baseline", "candidate").unique().sort("candidate")
    assert found.rows() == [("B", "A"), ("B", "C")]


def test_each_candidate_and_question_has_a_row_for_every_metric_of_its_kind() -> None:
    values = per_question(answered("A", "x"), answered("B", "x"))
    assert sorted(deltas(values, "A")["metric"]) == sorted(m.name for m in METRICS if not m.variant)


def test_one_system_has_no_deltas() -> None:
    assert deltas(per_question(answered("A", "x")), "A").is_empty()


def test_rows_come_in_the_order_of_the_key() -> None:
    values = per_question(*(answered(s, q) for s in "CAB" for q in ("y", "x", "10", "9")))
    keys = deltas(values, "B").select("candidate", "question_id", "metric").rows()
    assert keys == sorted(keys)


def test_a_lower_false_abstention_is_better() -> None:
    values = per_question(
        answered("A", "x", false_abstention=1.0), answered("B", "x", false_abstention=0.0)
    )
    found = delta(values, "x", "false_abstention")
    assert (found["delta"], found["direction"]) == (-1.0, "better")


@pytest.mark.parametrize(
    "metric", [m.name for m in METRICS if m.better == "higher" and not m.variant]
)
def test_a_higher_value_of_anything_else_is_better(metric: str) -> None:
    kind = "unanswerable" if metric == "abstention" else "answerable"
    sides: Any = (("A", 0.5), ("B", 0.75))
    rows = [answered(s, "x", population=kind, **{metric: v}) for s, v in sides]
    found = delta(per_question(*rows), "x", metric)
    assert (found["delta"], found["direction"]) == (0.25, "better")


def test_equal_values_are_the_same() -> None:
    values = per_question(answered("A", "x", recall=1 / 3), answered("B", "x", recall=1 / 3))
    assert delta(values, "x", "recall")["direction"] == "same"


def test_the_least_difference_counts() -> None:
    # 99/100 against 98/99: 0.0001 apart, and still worse
    values = per_question(answered("A", "x", recall=99 / 100), answered("B", "x", recall=98 / 99))
    assert delta(values, "x", "recall")["direction"] == "worse"


def test_a_value_is_the_mean_over_the_defined_repeats() -> None:
    # A: (1 + 1/2) / 2 = 3/4; B: 1/2 alone, since its other repeat made no claims
    values = per_question(
        answered("A", "x", 1, support=1.0),
        answered("A", "x", 2, support=0.5),
        answered("B", "x", 1, support="no_claims"),
        answered("B", "x", 2, support=0.5),
    )
    found = delta(values, "x", "support")
    assert (found["before"], found["after"], found["delta"]) == (0.75, 0.5, -0.25)
    assert (found["before_reason"], found["after_reason"]) == (None, None)


def test_repeats_of_one_value_are_the_same_as_that_value() -> None:
    # 0.2 three times over: summed up in floating point and divided it is 0.20000000000000004
    assert fsum([0.2] * 3) / 3 != 0.2
    values = per_question(
        answered("A", "x", precision=0.2),
        *(answered("B", "x", repeat, precision=0.2) for repeat in (1, 2, 3)),
    )
    assert delta(values, "x", "precision")["direction"] == "same"


def test_repeats_that_come_to_the_same_mean_are_the_same() -> None:
    # 8/9 and 9/10 average 161/180, which no sum of the two doubles halves to
    assert (8 / 9 + 9 / 10) / 2 != 161 / 180
    values = per_question(
        answered("A", "x", recall=161 / 180),
        answered("B", "x", 1, recall=8 / 9),
        answered("B", "x", 2, recall=9 / 10),
    )
    assert delta(values, "x", "recall")["direction"] == "same"


fractions = st.builds(lambda p, q: min(p, q) / q, st.integers(0, 100), st.integers(1, 100))


@settings(deadline=None)
@given(st.permutations([1, 2, 3, 4]), st.lists(fractions, min_size=4, max_size=4))
def test_the_order_of_repeats_never_matters(order: list[int], found: list[float]) -> None:
    rows = [answered("A", "x", at, recall=value) for at, value in enumerate(found, 1)]
    rows += [answered("B", "x", at, recall=value) for at, value in zip(order, found, strict=True)]
    assert delta(per_question(*rows), "x", "recall")["direction"] == "same"


def test_a_side_that_is_not_defined_leaves_the_pair_open_with_both_reasons() -> None:
    values = per_question(
        answered("A", "x", support="no_claims", recall="unresolved"),
        answered("B", "x", support=1.0, recall="unresolved"),
    )
    found = delta(values, "x", "support")
    assert (found["before"], found["after"], found["delta"]) == (None, 1.0, None)
    assert (found["before_reason"], found["after_reason"]) == ("no_claims", None)
    assert found["direction"] == "unpaired"
    both = delta(values, "x", "recall")
    assert (both["before_reason"], both["after_reason"]) == ("unresolved", "unresolved")


def test_of_several_reasons_over_repeats_the_first_in_precedence_is_given() -> None:
    values = per_question(
        answered("A", "x", 1, support="no_claims"),
        answered("A", "x", 2, support="unresolved"),
        answered("B", "x", 1),
        answered("B", "x", 2),
    )
    assert delta(values, "x", "support")["before_reason"] == "unresolved"


def test_a_failed_repeat_leaves_no_delta_whatever_the_other_repeats_say() -> None:
    # B's only answer is right, but what the other would have been nobody knows
    values = per_question(
        answered("A", "x", 1, recall=0.5),
        answered("A", "x", 2, recall=0.5),
        answered("B", "x", 1, recall=1.0),
        failed("B", "x", 2),
    )
    found = delta(values, "x", "recall")
    assert (found["after"], found["after_reason"]) == (1.0, "failed")
    assert (found["delta"], found["direction"]) == (None, "unpaired")


def test_support_of_unanswerable_questions_stands_under_its_own_name() -> None:
    values = per_question(
        *(answered(system, "x") for system in "AB"),
        *(answered(system, "y", population="unanswerable", support=0.0) for system in "AB"),
    )
    found = deltas(values, "A").filter(pl.col("metric").str.starts_with("support"))
    assert found.select("question_id", "metric").rows() == [
        ("x", "support"),
        ("y", "support_unanswerable"),
    ]


def test_support_has_no_home_while_it_is_in_dispute_whether_a_question_is_answerable() -> None:
    values = per_question(
        answered("A", "x", population="unresolved", support=0.0),
        answered("B", "x", population="unresolved", support="no_claims"),
    )
    found = delta(values, "x", "support")
    assert (found["before"], found["before_reason"]) == (None, "unresolved")
    assert (found["after_reason"], found["direction"]) == ("unresolved", "unpaired")


def test_causes_are_the_candidates_over_all_repeats_in_their_fixed_order() -> None:
    values = per_question(
        answered("A", "x", 1, causes=["leak"]),
        answered("A", "x", 2),
        answered("B", "x", 1, causes=["extra_claim"]),
        answered("B", "x", 2, causes=["not_used", "extra_claim"]),
    )
    assert delta(values, "x", "recall")["causes"] == ["not_used", "extra_claim"]


def test_a_candidate_without_a_fault_keeps_its_rows() -> None:
    values = per_question(answered("A", "x", causes=["leak"]), answered("B", "x"))
    assert delta(values, "x", "recall")["causes"] == []


def test_systems_with_different_questions_are_our_own_bug() -> None:
    with pytest.raises(ValueError, match="B: expected the questions of A"):
        deltas(per_question(answered("A", "x"), answered("B", "y")), "A")
    with pytest.raises(ValueError, match="baseline"):
        deltas(per_question(answered("A", "x")), "C")


def test_every_metric_can_be_told_better_from_worse() -> None:
    for metric in COMPARED:
        kind = metric.population
        name = "support" if metric.name == "support_unanswerable" else metric.name
        low, high = ("A", "B") if metric.better == "higher" else ("B", "A")
        sides: Any = ((low, {name: 0.0}), (high, {name: 1.0}))
        rows = [answered(system, "x", population=kind, **value) for system, value in sides]
        assert delta(per_question(*rows), "x", metric.name)["direction"] == "better"
