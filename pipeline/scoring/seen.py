"""The values of one system and metric as its aggregates see them."""

from dataclasses import dataclass
from functools import cached_property

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

Averaged = tuple[Floats, Bools]
"""(questions,) means over repeats, and (questions,) whether there is one."""


@dataclass(frozen=True)
class Seen:
    """A metric of one system; all but `loose` are (repeats, questions).

    Attributes:
        value: of no meaning where there is a reason.
        reason: code as in `pipeline.scoring.reasons`.
        low: least value where that is in dispute or in ties; NaN: it has no bounds.
        high: greatest value, as `low`.
        loose: (questions,) whether the question is answerable in some resolutions only, so
            that in the others it has no value.
    """

    value: Floats
    reason: Ints
    low: Floats
    high: Floats
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
        ranged = ((self.reason == OPEN) | self.has) & ~np.isnan(self.low)
        if not ranged.any():
            return self._means, self._means
        low, high = (
            over_repeats(np.where(ranged, end, self.value), self.has | ranged)
            for end in (self.low, self.high)
        )
        return low, high


def coded(values: pl.DataFrame) -> pl.DataFrame:
    """A table of values with numbers for its reasons and, if it has them, populations."""
    reasons = {f"{metric.name}_reason" for metric in (*METRICS, *JUDGED, *RANKED)}
    numbers = [
        pl.col(name).cast(pl.Enum(REASONS)).to_physical().fill_null(VALUE)
        for name in values.columns
        if name in reasons
    ]
    if "population" in values.columns:
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
        of[column].to_numpy().reshape(-1, questions)
        for column in (name, f"{name}_reason", f"{name}_low", f"{name}_high")
    )
    if "population" not in of.columns:  # Judged: who is in is decided by its reasons
        return Seen(value, reason, low, high, np.zeros(questions, np.bool_))
    population = of["population"].to_numpy().reshape(-1, questions)
    seen = Seen(value, reason, low, high, (population == UNRESOLVED).any(axis=0))
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
    settled = between & seen.has & bounded
    low, high = (np.where(settled, seen.value, end) for end in (seen.low, seen.high))
    if metric is UNANSWERABLE:
        low, high = (np.where(between & ~np.isnan(end), 0.0, end) for end in (low, high))
    return Seen(seen.value, reason, low, high, seen.loose)
