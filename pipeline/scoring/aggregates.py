"""Averages by system, slice and metric: macro, pooled and strict, with what was left out."""

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from pipeline.contract.metrics import AGGREGATED, RANKED, REASONS, UNCUT, Metric, at
from pipeline.contract.results import Aggregates
from pipeline.contract.tables import check
from pipeline.scoring.harmonic import harmonized
from pipeline.scoring.means import Tally
from pipeline.scoring.reasons import VALUE
from pipeline.scoring.seen import Seen, coded, see
from pipeline.scoring.slices import Slicing, slicings
from pipeline.scoring.sums import Sums


def aggregate(
    values: pl.DataFrame,
    attributes: pl.Series,
    *,
    bounded: bool,
    metrics: Sequence[Metric] = AGGREGATED,
) -> pl.DataFrame:
    """Average every metric over all questions and over each slice.

    Args:
        values: PerQuestion, or Judged; each system has all questions in each of its repeats.
        attributes: (questions,) key-value pairs of each question.
        bounded: whether values in dispute have bounds; False under the policy `exclude`.
        metrics: what to average, of those that `values` holds.

    Returns:
        Aggregates in order of its key.
    """
    averages = Averages(bounded, metrics)
    averages.add(values, attributes)
    return averages.table()


def over_cutoffs(
    values: pl.DataFrame, attributes: pl.Series, *, bounded: bool
) -> list[pl.DataFrame]:
    """Average the rows of Ranked, each cutoff by itself.

    Returns:
        Aggregates of each cutoff, whose metrics are called `ndcg@10` and so on; AP, which
        has no cutoff, is in the first. Nothing where there are no rows.
    """
    return [
        means.table().with_columns(pl.col("metric").replace(names))
        for means, names in averages_at(values, attributes, bounded=bounded)
    ]


def averages_at(
    values: pl.DataFrame, attributes: pl.Series, *, bounded: bool
) -> list[tuple["Averages", dict[str, str]]]:
    """The averages of each cutoff of Ranked, and what each of their metrics is called there."""
    found = []
    for at_, k in enumerate(values["cutoff"].unique().sort().to_list()):
        metrics = [metric for metric in RANKED if at_ == 0 or metric.name != UNCUT]
        averages = Averages(bounded, metrics)
        averages.add(values.filter(cutoff=k), attributes)
        found.append((averages, {metric.name: at(metric, k).name for metric in metrics}))
    return found


class Averages:
    """Averages of values that come block by block.

    A question's value is the mean over its repeats that have one; the average is over
    questions. `strict` counts failures as the worst value; `low` and `high` count each
    value in dispute at its least and greatest. Metrics with a `harmonic` pair are made of the
    averages of that pair.
    """

    def __init__(self, bounded: bool, metrics: Sequence[Metric] = AGGREGATED) -> None:
        self._bounded = bounded
        self._metrics = metrics
        self._cells: dict[tuple[str, str, str, Metric], Sums] = {}

    def add(self, values: pl.DataFrame, attributes: pl.Series) -> None:
        """Take in a block: some questions, with every repeat of each system in it.

        Args:
            values: PerQuestion, or Judged, as it is or `seen.coded`.
            attributes: (questions,) key-value pairs of each question.
        """
        cuts = slicings(attributes)
        for system, of in _systems(coded(values)):
            for metric in self._metrics:
                seen = see(of, metric, len(attributes), bounded=self._bounded)
                for cut in cuts:
                    for value, sums in zip(cut.values, _sums(of, metric, seen, cut), strict=True):
                        key = system, cut.attribute, value, metric
                        self._cells.setdefault(key, Sums()).add(sums)

    def table(self) -> pl.DataFrame:
        """Aggregates in order of its key."""
        rows = [
            {"system": system, "attribute": attribute, "value": value, "metric": metric.name,
             "population": metric.population, **sums.row()}
            for (system, attribute, value, metric), sums in self._cells.items()
        ]  # fmt: skip
        frame = harmonized(pl.DataFrame(rows, schema=Aggregates.schema), self._metrics)
        return check(Aggregates, frame.sort(Aggregates.key))

    def tally(self, system: str, metric: Metric) -> Tally:
        """How often each value is there among the questions' means, over all questions."""
        return self._cells[system, "", "", metric].macro

    def systems(self) -> list[str]:
        """Whose values were taken in, in order."""
        return sorted({key[0] for key in self._cells})


def _systems(values: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """The rows of each system, which stand together."""
    runs, start = values["system"].rle().struct.unnest(), 0
    for length, system in runs.iter_rows():
        yield system, values.slice(start, length)
        start += length


def _sums(of: pl.DataFrame, metric: Metric, seen: Seen, cut: Slicing) -> list[Sums]:
    """The sums of one system and metric for each slice of a cut."""
    macro, strict, (low, high) = seen.macro(), seen.strict(metric.worst), seen.bounds()
    found = {"macro": cut.tallies(*macro)}
    found["strict"] = found["macro"] if strict is macro else cut.tallies(*strict)
    for name, (values, defined) in (("low", low), ("high", high)):
        if low is macro and not seen.loose.any():
            found[name] = found["macro"]
            continue
        found[name] = cut.tallies(values, defined & ~seen.loose)
        found[f"loose_{name}"] = cut.tallies(values, defined & seen.loose)
    columns: dict[str, Any] = {**found, "reasons": cut.count(seen.reason, VALUE + 1)}
    parts = {"numerator": metric.numerator, "denominator": metric.denominator}
    for name, part in parts.items():
        if part:
            amounts = of[part].fill_null(0).to_numpy().reshape(seen.has.shape) * seen.has
            columns[name] = cut.sum(amounts).tolist()
    rows = zip(*columns.values(), strict=True)
    return [Sums(**dict(zip(columns, row, strict=True))) for row in rows]


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
