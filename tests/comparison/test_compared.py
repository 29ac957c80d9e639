"""What the whole document of a comparison keeps to, whatever the values."""

import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.comparison.compared import compared
from pipeline.comparison.gathered import Gathered
from pipeline.contract.results import Judged
from pipeline.contract.sides import Side
from pipeline.contract.tables import Questions
from pipeline.scoring.holm import holm
from tests.comparing import UNCERTAINTY
from tests.comparison.chances import two_systems, values_of
from tests.per_question import answered, per_question

FEW = dataclasses.replace(UNCERTAINTY, resamples=200, slices=("topic",))
KEY = ["system", "repeat", "question_id"]
seeds = st.integers(0, 100_000)
Row = dict[str, Any]


def side(name: str) -> Side:
    return Side(name, f"system:{name}", name, Path("data"), name, {})


def attributed(known: dict[str, dict[str, str]]) -> pl.DataFrame:
    """(question_id, attributes) as `gather` reads them."""
    pairs = [
        [{"key": key, "value": value} for key, value in sorted(one.items())]
        for one in known.values()
    ]
    schema = {name: Questions.schema[name] for name in ("question_id", "attributes")}
    return pl.DataFrame({"question_id": list(known), "attributes": pairs}, schema=schema)


def world(seed: int) -> Gathered:
    """A and B with repeats, errors, disputes, verdicts and attributes, by chance."""
    made = two_systems(seed)
    values, judged = values_of(made, Random(seed))
    return Gathered(
        values, judged, attributed({q.name: q.attributes for q in made.questions}), None
    )


def document(
    of: Gathered, names: str = "AB", also: Iterable[tuple[str, str, str]] = (), **asked: Any
) -> Row:
    """The comparison of the second side against the first, as it is written."""
    how = dataclasses.replace(FEW, **asked)
    baseline, candidate = map(side, names)
    _, found = compared(baseline, [candidate], of, uncertainty=how, seed=7, also=also)
    return dict(json.loads(json.dumps(found)))


@settings(deadline=None, max_examples=40)
@given(seeds)
def test_with_the_rows_shuffled_the_document_is_the_same(seed: int) -> None:
    one = world(seed)
    values, judged, attributes = (
        frame.sample(fraction=1.0, shuffle=True, seed=seed)
        for frame in (one.values, one.judged, one.attributes)
    )
    assert document(Gathered(values, judged, attributes, None)) == document(one)


@settings(deadline=None, max_examples=40)
@given(seeds)
def test_each_repeat_twice_over_changes_nothing(seed: int) -> None:
    one = world(seed)

    def doubled(frame: pl.DataFrame) -> pl.DataFrame:
        last = pl.col("repeat").max().over("system")
        again = frame.with_columns((pl.col("repeat") + last).cast(pl.UInt32))
        return pl.concat([frame, again]).sort(KEY)

    both = Gathered(doubled(one.values), doubled(one.judged), one.attributes, None)
    assert document(both) == document(one)


@settings(deadline=None, max_examples=40)
@given(seeds)
def test_exchanged_sides_change_every_sign_and_nothing_else(seed: int) -> None:
    one = world(seed)
    there = document(one)["candidates"]["B"]
    back = document(one, "BA")["candidates"]["A"]
    assert len(there["uncertainty"]) == len(back["uncertainty"])
    for row, other in zip(there["uncertainty"], back["uncertainty"], strict=True):
        turned = {**other, "delta": _minus(other["delta"])}
        turned |= {"low": _minus(other["high"]), "high": _minus(other["low"])}
        assert row == turned
    for row, other in zip(there["averages"], back["averages"], strict=True):
        turned = {**other, "before": other["after"], "after": other["before"]}
        turned |= {"delta": _minus(other["delta"])}
        turned |= {"better": other["worse"], "worse": other["better"]}
        assert row == turned


def _minus(number: float | None) -> float | None:
    return None if number is None else -number


@pytest.fixture
def sliced() -> Gathered:
    """Eight questions on two topics; B loses recall on all four about u, and nothing else."""
    ids = [f"q{at}" for at in range(8)]
    rows = [answered("A", one) for one in ids]
    rows += [answered("B", one, recall=0.5 if at < 4 else 1.0) for at, one in enumerate(ids)]
    known = {one: {"topic": "u" if at < 4 else "v"} for at, one in enumerate(ids)}
    return Gathered(per_question(*rows), Judged.empty(), attributed(known), None)


def found(of: Gathered, **asked: Any) -> tuple[Row, dict[tuple[str, str, str], Row]]:
    """The method, and the rows of B by metric, attribute and value."""
    told = document(of, **asked)
    rows = told["candidates"]["B"]["uncertainty"]
    return told["method"], {(row["metric"], row["attribute"], row["value"]): row for row in rows}


def test_a_slice_has_the_questions_with_its_value(sliced: Gathered) -> None:
    method, rows = found(sliced, metrics=("recall",), slices=("topic",))
    assert [(key, row["n"], row["delta"]) for key, row in rows.items()] == [
        (("recall", "", ""), 8, -0.25),  # 4 of 8 lose 0.5
        (("recall", "topic", "u"), 4, -0.5),
        (("recall", "topic", "v"), 4, 0.0),
    ]
    assert (method["family"], method["absent"]) == (3, [])


def test_the_correction_is_over_metrics_slices_and_what_only_the_policy_reads(
    sliced: Gathered,
) -> None:
    alone, _ = found(sliced, metrics=("recall", "coverage"), slices=())
    assert alone["family"] == 2
    also = (("support", "topic", "u"), ("recall", "topic", "v"))
    method, rows = found(sliced, metrics=("recall", "coverage"), slices=(), also=also)
    assert method["family"] == 4
    assert set(rows) == {("recall", "", ""), ("coverage", "", ""), *also}
    assert [row["p_holm"] for row in rows.values()] == holm([row["p"] for row in rows.values()])
    # 4 losses of 4: 2 of 16 swaps are as far off; the greatest of four such counts for all four
    assert rows["recall", "", ""]["p"] == 0.125
    assert rows["recall", "", ""]["p_holm"] == 0.5


def test_a_slice_without_a_question_that_a_metric_is_over_has_no_difference_in_it() -> None:
    rows = [
        answered(name, one, population=population)
        for name in "AB"
        for one, population in (("q", "answerable"), ("r", "unanswerable"))
    ]
    known = attributed({"q": {"topic": "u"}, "r": {"topic": "v"}})
    asked = {"metrics": ("recall", "support"), "slices": ("topic",)}
    _, found_rows = found(Gathered(per_question(*rows), Judged.empty(), known, None), **asked)
    row = found_rows["support", "topic", "v"]
    assert (row["n"], row["p"]) == (0, None)
    assert row["reason"] == "no question is defined on both sides"


def test_an_attribute_that_no_question_has_is_named(sliced: Gathered) -> None:
    method, rows = found(sliced, metrics=("recall",), slices=("topc",))
    assert method["absent"] == ["topc"]
    assert list(rows) == [("recall", "", "")]
