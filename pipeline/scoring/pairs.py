"""What resampling draws: clusters of questions, each with its sums on both sides."""

from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from pipeline.scoring.arrays import Floats, Ints
from pipeline.scoring.whole import whole_sums

Sides = tuple[Floats, Floats]
"""Numerators and denominators of one system, (questions,) each, denominators >= 0."""


class Pairs(Protocol):
    """m clusters; a difference is a function of sums over clusters."""

    @property
    def rows(self) -> Floats:
        """(m, columns) the sums of each cluster, whole numbers."""

    @property
    def odd(self) -> Floats:
        """(m, columns) what changes its sign where a cluster's sides are swapped."""

    @property
    def slack(self) -> float:
        """How far two differences that are equal may come out apart, by rounding."""

    def swapped(self) -> Self:
        """The same clusters with the systems exchanged."""

    def extremes(self) -> Floats:
        """(2, columns) an average cluster at its worst for the candidate, and at its best."""

    def difference(self, sums: Floats) -> Floats:
        """(resamples, columns of `rows`) -> (resamples,); NaN where nothing is divided by."""

    def flipped(self, sums: Floats) -> Floats:
        """(flips, columns of `odd`) -> (flips,) the difference with those sides swapped."""

    def influence(self) -> Floats:
        """(m,) how the difference moves with each cluster, to first order."""


@dataclass(frozen=True)
class Means:
    """The mean of deltas over questions; rows: their sum and their number.

    `most` is how many questions the largest cluster has.
    """

    rows: Floats
    most: int

    @classmethod
    def of(cls, deltas: Floats, clusters: Ints | None) -> Self:
        """Take (n,) deltas, and (n,) the cluster of each; None: each is its own."""
        return cls(*whole_sums(np.column_stack([deltas, np.ones(len(deltas))]), clusters))

    @property
    def odd(self) -> Floats:
        """The sums of deltas."""
        return self.rows[:, :1]

    @property
    def slack(self) -> float:
        """Two means over the same number, each off by half a unit at the most."""
        return 2 * self.most * len(self.rows) / float(self.rows[:, 1].sum())

    def swapped(self) -> Self:
        """Deltas with their signs changed."""
        return type(self)(self.rows * [-1, 1], self.most)

    def extremes(self) -> Floats:
        """All deltas -1, and all 1."""
        average = np.rint(self.rows[:, 1].mean())
        return np.array([[-average, average], [average, average]])

    def difference(self, sums: Floats) -> Floats:
        """Sum over number."""
        means: Floats = sums[:, 0] / sums[:, 1]
        return means

    def flipped(self, sums: Floats) -> Floats:
        """Sum over number, which no swap changes."""
        means: Floats = sums[:, 0] / self.rows[:, 1].sum()
        return means

    def influence(self) -> Floats:
        """How far each cluster is off the mean, weighed by its number."""
        total, count = self.rows.sum(axis=0)
        off: Floats = self.rows[:, 0] - self.rows[:, 1] * (total / count)
        off *= len(self.rows) / count
        return off


@dataclass(frozen=True)
class Pooled:
    """The difference of two ratios of sums; rows: baseline's, then candidate's, top and bottom.

    `most` is how many questions the largest cluster has.
    """

    rows: Floats
    most: int

    @classmethod
    def of(cls, before: Sides, after: Sides, clusters: Ints | None) -> Self:
        """Take the sides' numerators and denominators, and (n,) the cluster of each question."""
        return cls(*whole_sums(np.column_stack([*before, *after]), clusters))

    @property
    def odd(self) -> Floats:
        """Top and bottom, candidate minus baseline."""
        return self.rows[:, 2:] - self.rows[:, :2]

    @property
    def slack(self) -> float:
        """Sums of m rows, off by half a unit a row at the most, in four places."""
        return 4 * self.most * len(self.rows) / float(self.rows[:, 1::2].sum(axis=0).min())

    def swapped(self) -> Self:
        """Each side in the place of the other."""
        return type(self)(self.rows[:, [2, 3, 0, 1]], self.most)

    def extremes(self) -> Floats:
        """From a ratio of 1 to 0, and from 0 to 1."""
        _, before, _, after = np.rint(self.rows.mean(axis=0))
        return np.array([[before, before, 0, after], [0, before, after, after]])

    def difference(self, sums: Floats) -> Floats:
        """Ratio of the candidate minus that of the baseline."""
        top, bottom = sums[:, ::2], sums[:, 1::2]
        ratios = np.divide(top, bottom, out=np.full_like(top, np.nan), where=bottom > 0)
        apart: Floats = ratios[:, 1] - ratios[:, 0]
        return apart

    def flipped(self, sums: Floats) -> Floats:
        """The sides share what both have, and differ by the sums."""
        both = self.rows[:, :2].sum(axis=0) + self.rows[:, 2:].sum(axis=0)
        return self.difference(np.hstack([both - sums, both + sums]))

    def influence(self) -> Floats:
        """Likewise on either side."""
        sums = self.rows.sum(axis=0)
        ratios, averages = sums[::2] / sums[1::2], sums[1::2] / len(self.rows)
        sides = (self.rows[:, ::2] - ratios * self.rows[:, 1::2]) / averages
        apart: Floats = sides[:, 1] - sides[:, 0]
        return apart
