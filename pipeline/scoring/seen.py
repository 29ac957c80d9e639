"""The values of one system and metric as its aggregates see them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from pipeline.contract.metrics import JUDGED, METRICS, RANKED, REASONS, UNANSWERABLE, Metric
from pipeline.scoring.arrays import Bools, Floats, Ints
from pipeline.scoring.gold import ANSWERABLE, POPULATIONS, UNRESOLVED
from pipeline.scoring.gold import UNANSWERABLE as NOT_ANSWERABLE
from pipeline.scoring.means import over_repeats
from pipeline.scoring.reasons import VALUE

FAILED, JUDGE_FAILED = REASONS.index("failed"), REASONS.index("judge_failed")
"""Reasons that count as the worst value in a strict mean."""

NOT_LABELLED, OPEN = REASONS.index("not_labelled"), REASONS.index("unresolved")

REASONED = {f"{metric.name}_reason" for metric in (*METRICS, *JUDGED, *RANKED)}
"""Columns that tell why a value is n/a."""

Averaged = tuple[Floats, Bools]
"""(questions,) means over repeats, and (questions,) whether there is one."""


@dataclass(frozen=True)
class Seen:
    """A metric of one system; all but `loose` are (repeats, questions).

    Attributes:
        value: of no meaning where there is a reason.
        reason: code as in `pipeline.scoring.reasons`.
        ends: least and greatest value where that is in dispute or in ties, NaN: it has no
            bounds; None: none has.
        loose: (questions,) whether the question is answerable in some resolutions only, so
            that in the others it has no value.
    """

    value: Floats
    reason: Ints
    ends: tuple[Floats, Floats] | None
    loose: Bools

    @cached_property
    def has(self) -> Bools:
        """Whether there is a value."""
        has: Bools = self.reason == VALUE
        return has

    def macro(self) -> Averaged:
        """Average the values over the repeats."""
        return self._means

    @cached_property
    def _means(self) -> Averaged:
        return over_repeats(self.value, self.has)

    def strict(self, worst: float) -> Averaged:
        """As `macro`, with `worst` for what failed."""
        error = (self.reason == FAILED) | (self.reason == JUDGE_FAILED)
        if not error.any():
            return self._means
        return over_repeats(np.where(error, worst, self.value), self.has | error)

    def bounds(self) -> tuple[Averaged, Averaged]:
        """As `macro`, with each value in dispute or in ties at its least, then its greatest."""
        if self.ends is None:
            return self._means, self._means
        ranged = ((self.reason == OPEN) | self.has) & ~np.isnan(self.ends[0])
        low, high = (
            over_repeats(np.where(ranged, end, self.value), self.has | ranged) for end in self.ends
        )
        return low, high


def coded(values: pl.DataFrame) -> pl.DataFrame:
    """A table of values with numbers for its reasons and, if it has them, populations.

    Columns that hold numbers already stay as they are.
    """
    words = [name for name, dtype in values.schema.items() if dtype == pl.String]
    numbers = [
        pl.col(name).cast(pl.Enum(REASONS)).to_physical().fill_null(VALUE)
        for name in words
        if name in REASONED
    ]
    if "population" in words:
        numbers.append(pl.col("population").cast(pl.Enum(POPULATIONS)).to_physical())
    return values.with_columns(numbers)


def see(of: pl.DataFrame, metric: Metric, questions: int, *, bounded: bool) -> Seen:
    """Take the columns of a metric from the rows of one system.

    Args:
        of: rows of `coded`, all questions in each repeat.
        metric: one of `AGGREGATED` or `JUDGED`, whichever the rows hold.
        questions: how many questions there are.
        bounded: whether values in dispute have bounds; False under the policy `exclude`.
    """
    name = "support" if metric is UNANSWERABLE else metric.name
    value, reason, low, high = (
        of[column] for column in (name, f"{name}_reason", f"{name}_low", f"{name}_high")
    )

    def shaped(column: pl.Series) -> Any:
        return column.to_numpy().reshape(-1, questions)

    ends = None if low.null_count() == len(low) else (shaped(low), shaped(high))
    if "population" not in of.columns:  # Judged: who is in is decided by its reasons
        return Seen(shaped(value), shaped(reason), ends, np.zeros(questions, np.bool_))
    population = shaped(of["population"])
    loose = (population == UNRESOLVED).any(axis=0)
    seen = Seen(shaped(value), shaped(reason), ends, loose)
    return _housed(seen, population, metric, bounded) if name == "support" else seen


def _housed(seen: Seen, population: Ints, metric: Metric, bounded: bool) -> Seen:
    """Keep the support of one population: `support` of answerable questions, or of the others.

    A question that is answerable in some resolutions only is in dispute in both. In those
    that make it unanswerable none of its claims is supported.
    """
    labelled = seen.reason != NOT_LABELLED
    other = ANSWERABLE if metric is UNANSWERABLE else NOT_ANSWERABLE
    elsewhere = labelled & (population == other)
    between = labelled & (population == UNRESOLVED)
    reason = np.where(
        elsewhere, REASONS.index(POPULATIONS[other]), np.where(between, OPEN, seen.reason)
    )
    ends, settled = seen.ends, between & seen.has & bounded
    if settled.any():
        low, high = ends or [np.full(settled.shape, np.nan)] * 2
        ends = np.where(settled, seen.value, low), np.where(settled, seen.value, high)
    if ends and metric is UNANSWERABLE:
        low, high = (np.where(between & ~np.isnan(end), 0.0, end) for end in ends)
        ends = low, high
    return Seen(seen.value, reason, ends, seen.loose)
