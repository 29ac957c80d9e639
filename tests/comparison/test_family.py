import dataclasses
from typing import Any

import polars as pl
import pytest

from pipeline.comparison.family import family
from pipeline.contract.tables import PAIRS
from pipeline.scoring.deltas import deltas
from tests.comparing import UNCERTAINTY
from tests.per_question import answered, per_question

QUESTIONS = [f"q{n:02}" for n in range(24)]


def attributes(*, topic: bool = True) -> pl.DataFrame:
    """Every question with a topic: the even ones are fees, the odd ones times."""
    rows = [
        [{"key": "topic", "value": "times" if at % 2 else "fees"}] if topic else []
        for at in range(len(QUESTIONS))
    ]
    return pl.DataFrame(
        {"question_id": QUESTIONS, "attributes": rows},
        schema={"question_id": pl.String, "attributes": PAIRS},
    )


def changes(**recall: list[float]) -> pl.DataFrame:
    """Deltas of candidates against A, which finds everything."""
    rows = [answered("A", question) for question in QUESTIONS]
    for name, values in recall.items():
        rows += [
            answered(name, question, recall=value)
            for question, value in zip(QUESTIONS, values, strict=True)
        ]
    return deltas(per_question(*rows), "A")


def rows_of(found: dict[str, list[dict[str, Any]]], name: str, metric: str) -> list[Any]:
    return [row for row in found[name] if row["metric"] == metric]


HALF = [0.5] * 12 + [1.0] * 12


def test_each_metric_has_its_mean_difference_over_pairs() -> None:
    _, found = family(changes(B=HALF), attributes(), UNCERTAINTY, 7)
    (recall,) = rows_of(found, "B", "recall")
    # twelve of 24 questions lose one half: -0.25 on average
    assert (recall["n"], recall["delta"]) == (24, -0.25)
    assert recall["low"] < -0.25 < recall["high"] < 0
    assert recall["p"] < 0.01
    (same,) = rows_of(found, "B", "precision")
    assert (same["delta"], same["p"], same["needed"]) == (0.0, 1.0, None)


def test_questions_needed_are_those_for_the_stated_difference() -> None:
    # The deltas are twelve times -1/2 and twelve times 0: variance 0.25 × 0.25 × 24/23 = 0.0652.
    # For 0.05: (1.95996 + 0.84162)² × 0.0652 / 0.05² = 204.8, so 205 questions.
    _, found = family(changes(B=HALF), attributes(), UNCERTAINTY, 7)
    (recall,) = rows_of(found, "B", "recall")
    assert recall["needed"] == 205


def test_the_family_is_candidates_times_metrics_times_slices() -> None:
    both = changes(B=HALF, C=HALF)
    one, _ = family(changes(B=HALF), attributes(), UNCERTAINTY, 7)
    two, _ = family(both, attributes(), UNCERTAINTY, 7)
    sliced = dataclasses.replace(UNCERTAINTY, slices=("topic",))
    six, found = family(both, attributes(), sliced, 7)
    assert (two["family"], six["family"]) == (2 * one["family"], 6 * one["family"])
    recall = rows_of(found, "B", "recall")
    assert [(row["attribute"], row["value"], row["n"]) for row in recall] == [
        ("", "", 24),
        ("topic", "fees", 12),
        ("topic", "times", 12),
    ]


def test_a_larger_family_never_makes_a_corrected_p_smaller() -> None:
    _, one = family(changes(B=HALF), attributes(), UNCERTAINTY, 7)
    _, two = family(changes(B=HALF, C=HALF), attributes(), UNCERTAINTY, 7)
    for alone, among in zip(one["B"], two["B"], strict=True):
        assert (alone["p"], alone["low"], alone["high"]) == (
            among["p"],
            among["low"],
            among["high"],
        )
        if alone["p"] is not None:
            assert alone["p_holm"] <= among["p_holm"]


def test_what_a_policy_reads_is_in_the_family_beside_the_rest() -> None:
    reads = [("recall", "topic", "fees"), ("recall", "", ""), ("recall", "topic", "nobody")]
    plain, _ = family(changes(B=HALF), attributes(), UNCERTAINTY, 7)
    method, found = family(changes(B=HALF), attributes(), UNCERTAINTY, 7, reads)
    assert method["family"] == plain["family"] + 1
    fees = [row for row in found["B"] if row["attribute"] == "topic"]
    assert [(row["metric"], row["value"], row["n"]) for row in fees] == [("recall", "fees", 12)]


def test_only_the_metrics_that_are_asked_for_are_in_the_family() -> None:
    asked = dataclasses.replace(UNCERTAINTY, metrics=("recall", "support"))
    method, found = family(changes(B=HALF), attributes(), asked, 7)
    assert [row["metric"] for row in found["B"]] == ["recall", "support"]
    assert method["family"] == 2


@pytest.mark.parametrize("seed", [7, 8])
def test_the_same_seed_gives_the_same_bits_in_any_order_of_rows(seed: int) -> None:
    rows = changes(B=HALF)
    found = family(rows, attributes(), UNCERTAINTY, seed)
    shuffled = rows.sample(fraction=1, shuffle=True, seed=3)
    assert family(shuffled, attributes(), UNCERTAINTY, seed) == found


def test_without_candidates_there_is_no_family() -> None:
    method, found = family(changes(), attributes(), UNCERTAINTY, 7)
    assert (method["family"], found) == (0, {})
