"""Harmonic means of averages: rule by rule, and n/a where a side is."""

from typing import Any

import polars as pl
import pytest

from pipeline.contract.metrics import GROUNDED, REASONS
from pipeline.contract.results import Aggregates
from pipeline.scoring.harmonic import harmonized

SIDES = ("attribution_precision", "attribution_recall")


def averages(*rows: tuple[str, str, float | None, float | None]) -> pl.DataFrame:
    """Aggregates of one system: slice, metric, macro and pooled; strict and bounds as macro."""
    made: list[dict[str, Any]] = [
        {
            "system": "A", "attribute": "a", "value": value, "metric": metric,
            "population": "all", "macro": macro, "pooled": pooled, "strict": macro, "sd": 0.5,
            "low": macro, "high": macro, "n": 2, "n_values": 2, "numerator": None,
            "denominator": None, **{f"na_{reason}": 0 for reason in REASONS},
        }
        for value, metric, macro, pooled in rows
    ]  # fmt: skip
    return pl.DataFrame(made, schema=Aggregates.schema)


def f1(p: tuple[float | None, float | None], r: tuple[float | None, float | None]) -> Any:
    frame = averages(("x", SIDES[0], *p), ("x", SIDES[1], *r), ("x", "attribution_f1", 0.1, None))
    found = harmonized(frame, GROUNDED)
    assert found.head(2).equals(frame.head(2), null_equal=True)
    return found.row(2, named=True)


def test_each_rule_has_its_own_harmonic_mean() -> None:
    # macro 2 * 1/2 * 1 / (3/2) = 2/3; pooled 2 * 1/4 * 1/4 / (1/2) = 1/4
    row = f1((0.5, 0.25), (1.0, 0.25))
    assert (row["macro"], row["pooled"]) == (pytest.approx(2 / 3), 0.25)
    assert row["strict"] == row["low"] == row["high"] == row["macro"]
    assert (row["sd"], row["n"]) == (None, 2)


def test_it_is_0_where_both_are_0_and_not_there_where_one_is_not() -> None:
    row = f1((0.0, 0.0), (0.0, None))
    assert (row["macro"], row["pooled"]) == (0.0, None)


def test_each_slice_is_its_own() -> None:
    rows = [(value, name, x, x) for value, x in (("x", 0.25), ("y", 0.75)) for name in SIDES]
    frame = averages(*rows, ("y", "attribution_f1", 0.1, None), ("x", "attribution_f1", 0.1, None))
    assert harmonized(frame, GROUNDED)["macro"].to_list()[-2:] == [0.75, 0.25]


def test_without_such_a_metric_nothing_changes() -> None:
    frame = averages(("x", "raf", 0.1, None))
    assert harmonized(frame, [GROUNDED[-1]]).equals(frame, null_equal=True)
