"""Averages by system, slice and metric: macro, pooled and strict, with what was left out."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from pipeline.contract.metrics import AGGREGATED, RANKED, REASONS, UNCUT, Metric, at
from pipeline.contract.results import Aggregates
from pipeline.contract.tables import check
from pipeline.scoring.arrays import Bools
from pipeline.scoring.harmonic import harmonized
from pipeline.scoring.reasons import VALUE
from pipeline.scoring.seen import coded, see
from pipeline.scoring.slices import Slicing, slicings

Columns = dict[str, list[Any]]


def aggregate(
    values: pl.DataFrame,
    attributes: pl.Series,
    *,
    bounded: bool,
    metrics: Sequence[Metric] = AGGREGATED,
) -> pl.DataFrame:
    """Average every metric over all questions and over each slice.

    A question's value is the mean over its repeats that have one; the average is over
    questions. `strict` counts failures as the worst value; `low` and `high` count each
    value in dispute at its least and greatest. Metrics with a `harmonic` pair are made of the
    averages of that pair.

    Args:
        values: PerQuestion, or Judged; each system has all questions in each of its repeats.
        attributes: (questions,) key-value pairs of each question.
        bounded: whether values in dispute have bounds; False under the policy `exclude`.
        metrics: what to average, of those that `values` holds.

    Returns:
        Aggregates in order of its key.
    """
    cuts = slicings(attributes)
    columns: Columns = {name: [] for name in Aggregates.columns}
    for (system,), of in coded(values).group_by("system"):
        for metric in metrics:
            for rows in _rows(of, metric, cuts, bounded):
                rows["system"] = [system] * len(rows["n"])
                for name, column in columns.items():
                    column += rows[name]
    averages = harmonized(pl.DataFrame(columns, schema=Aggregates.schema), metrics)
    return check(Aggregates, averages.sort(Aggregates.key))


def over_cutoffs(
    values: pl.DataFrame, attributes: pl.Series, *, bounded: bool
) -> list[pl.DataFrame]:
    """Average the rows of Ranked, each cutoff by itself.

    Returns:
        Aggregates of each cutoff, whose metrics are called `ndcg@10` and so on; AP, which
        has no cutoff, is in the first. Nothing where there are no rows.
    """
    found = []
    for at_, k in enumerate(values["cutoff"].unique().sort().to_list()):
        metrics = [metric for metric in RANKED if at_ == 0 or metric.name != UNCUT]
        means = aggregate(values.filter(cutoff=k), attributes, bounded=bounded, metrics=metrics)
        names = {metric.name: at(metric, k).name for metric in metrics}
        found.append(means.with_columns(pl.col("metric").replace(names)))
    return found


def _rows(of: pl.DataFrame, metric: Metric, cuts: list[Slicing], bounded: bool) -> list[Columns]:
    """The rows of one system and metric, for each cut as columns; its system is left out."""
    seen = see(of, metric, len(cuts[0].members), bounded=bounded)
    macro, strict, (low, high) = seen.macro(), seen.strict(metric.worst), seen.bounds()
    found = []
    for cut in cuts:
        size = len(cut.values)
        reasons = cut.count(seen.reason, VALUE + 1).T.tolist()
        n, mean, spread = cut.means(*macro)
        found.append(
            {
                "attribute": [cut.attribute] * size,
                "value": cut.values,
                "metric": [metric.name] * size,
                "population": [metric.population] * size,
                "macro": mean,
                "strict": cut.means(*strict)[1],
                "sd": spread,
                "low": cut.extremes(*low, seen.loose, greatest=False),
                "high": cut.extremes(*high, seen.loose, greatest=True),
                "n": n.tolist(),
                "n_values": reasons[VALUE],
                **_pooled(of, metric, seen.has, cut),
                **{f"na_{reason}": reasons[code] for code, reason in enumerate(REASONS)},
            }
        )
    return found


def _pooled(of: pl.DataFrame, metric: Metric, has: Bools, cut: Slicing) -> Columns:
    """Sums of numerators and denominators over the responses with a value, and their ratio."""
    summed = [part for part in (metric.numerator, metric.denominator) if part]
    if not summed:
        return {name: [None] * len(cut.values) for name in ("pooled", "numerator", "denominator")}
    top, bottom = (
        cut.sum(np.where(has, of[name].to_numpy().reshape(has.shape), 0)).tolist()
        for name in summed
    )
    return {"pooled": list(map(_share, top, bottom)), "numerator": top, "denominator": bottom}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def summary(aggregates: pl.DataFrame) -> dict[str, dict[str, dict[str, Any]]]:
    """The aggregates over all questions as `{system: {metric: {...}}}`, null for n/a.

    `na` names only the reasons that occur. Where `pooled` is not offered it is null.
    """
    found: dict[str, dict[str, dict[str, Any]]] = {}
    keys = ("macro", "pooled", "strict", "sd", "n", "n_values", "low", "high")
    for row in aggregates.filter(pl.col("attribute") == "").iter_rows(named=True):
        na = {reason: row[f"na_{reason}"] for reason in REASONS if row[f"na_{reason}"]}
        found.setdefault(row["system"], {})[row["metric"]] = {
            **{key: row[key] for key in keys},
            "na": na,
        }
    return found
