"""A difference between two systems with its standard error, interval and p-value."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from pipeline.scoring.arrays import Bools, Floats
from pipeline.scoring.flipped import p_values
from pipeline.scoring.pairs import Pairs
from pipeline.scoring.resampled import resampled
from pipeline.scoring.student import student
from pipeline.scoring.whole import distinct, ordered

FEW = 10
"""Clusters that have to differ from the others before the interval holds what it says."""
NEGLIGIBLE = 1e-9
"""No two deltas of real shares are so close, and roundings are closer."""

EQUAL = "all questions have the same delta"


@dataclass(frozen=True)
class Difference:
    """Candidate minus baseline in one metric.

    Attributes:
        n: questions that are defined on both sides.
        clusters: what was resampled: these questions, or the clusters that they fall into.
        mean: the difference, in [-1, 1].
        se: its standard error, >= 0.
        low: lower end of the interval, in [-1, `mean`].
        high: upper end, in [`mean`, 1].
        p: two-sided, in (0, 1], by sign flips; not corrected, see `holm`.
        small: fewer than 10 clusters differ from the others, so that the interval may hold
            the truth less often than its level says.
        reason: why `se`, `low`, `high` and `p` are None, or why the interval is not from a
            bootstrap; None where nothing is out of the ordinary.
    """

    n: int
    clusters: int
    mean: float | None
    se: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    small: bool = True
    reason: str | None = None

    @property
    def sd(self) -> float | None:
        """Standard deviation over clusters, as `needed` takes it."""
        return None if self.se is None else self.se * math.sqrt(self.clusters)


@dataclass(frozen=True)
class Asked:
    """What is known of a difference before anything is drawn."""

    n: int
    clusters: int
    mean: float | None
    pairs: Pairs | None
    reason: str | None


def answered(
    asked: Sequence[Asked], *, seed: int, resamples: int, level: float
) -> list[Difference]:
    """Draw for all differences at once; those without pairs stay open, with their reason."""
    if not 0 < level < 1:
        raise ValueError(f"level: expected between 0 and 1, got {level!r}")
    known = [each for each in asked if each.pairs is not None]
    turned = [_turned(each.pairs) for each in known if each.pairs is not None]
    sources = [(ordered(pairs.rows), pairs.extremes()) for _, pairs in turned]
    sums = iter(resampled(sources, resamples=resamples, seed=seed))
    chances = iter(p_values([pairs for _, pairs in turned], resamples=resamples, seed=seed))
    signs = iter(turned)
    found = []
    for each in asked:
        if each.pairs is None or each.mean is None:
            found.append(Difference(each.n, each.clusters, each.mean, reason=each.reason))
            continue
        sign, pairs = next(signs)
        drawn = pairs.difference(next(sums))
        found.append(_difference(each, each.mean, sign, pairs, drawn, next(chances), level))
    return found


def _turned(pairs: Pairs) -> tuple[int, Pairs]:
    """The systems in an order that depends on the values alone, and the sign of that.

    So exchanged systems draw the same. The sign is 0 where the order does not matter.
    """
    swapped = pairs.swapped()
    mine, other = ordered(pairs.rows).ravel(), ordered(swapped.rows).ravel()
    unlike = np.flatnonzero(mine != other)
    if not len(unlike):
        return 0, pairs
    return (1, pairs) if mine[unlike[0]] > other[unlike[0]] else (-1, swapped)


def _difference(
    asked: Asked, mean: float, sign: int, pairs: Pairs, drawn: Floats, p: float, level: float
) -> Difference:
    m = asked.clusters
    influence = pairs.influence()
    se = math.sqrt(math.fsum(influence**2) / (m * (m - 1)))
    reason = None
    if np.abs(influence).max() <= NEGLIGIBLE:
        # were more than this share of all clusters unlike these, one of them would be here
        unseen, reason, se = 1 - ((1 - level) / 2) ** (1 / m), EQUAL, 0.0
        low, high = mean - unseen * (1 + mean), mean + unseen * (1 - mean)
    else:
        low, high = _ends(drawn[np.isfinite(drawn)], sign, m, level)
        low, high = min(low, mean), max(high, mean)
    return Difference(asked.n, m, mean, se, low, high, p, _small(pairs), reason)


def _ends(drawn: Floats, sign: int, m: int, level: float) -> tuple[float, float]:
    """Percentiles, further out than the level by as much as Student's t is."""
    tail = NormalDist().cdf(-student(level, m - 1) * math.sqrt(m / (m - 1)))
    low, high = (float(end) for end in np.quantile(drawn, [tail, 1 - tail]))
    if sign == 0:
        half = (high - low) / 2
        return -half, half
    return (low, high) if sign > 0 else (-high, -low)


def _small(pairs: Pairs) -> bool:
    _, counts = distinct(ordered(pairs.rows))
    same: Bools = (pairs.odd == 0).all(axis=1)
    alike = max(int(counts.max()), int(np.count_nonzero(same)))
    return len(pairs.rows) - alike < FEW
