"""Shares with their intervals, and the counts of people's yes and no against a judge's."""

import math
from dataclasses import dataclass
from statistics import NormalDist

LEVEL = 0.95
Z = NormalDist().inv_cdf(0.5 + LEVEL / 2)
"""Standard deviations from the middle to the end of a 95 % interval."""


@dataclass(frozen=True)
class Estimate:
    """A value and the ends of its 95 % interval; `value` is None where it is not defined."""

    value: float | None
    low: float
    high: float


@dataclass(frozen=True)
class Counts:
    """Labelled items by what people said (first word) and the judge (second), each >= 0."""

    yes_yes: int
    yes_no: int
    no_yes: int
    no_no: int

    @property
    def yes(self) -> int:
        """How many people call yes."""
        return self.yes_yes + self.yes_no

    @property
    def no(self) -> int:
        """How many people call no."""
        return self.no_yes + self.no_no


def wilson(hits: int, n: int) -> Estimate:
    """A share with its score interval.

    Args:
        hits: how many, 0 to n.
        n: out of how many; 0 gives None with the interval [0, 1].

    Source: Wilson 1927, JASA 22; Brown, Cai & DasGupta 2001, Statistical Science 16(2).
    """
    if not n:
        return Estimate(None, 0.0, 1.0)
    share, more = hits / n, Z * Z / n
    middle = (share + more / 2) / (1 + more)
    half = Z * math.sqrt(share * (1 - share) / n + more / (4 * n)) / (1 + more)
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    return Estimate(share, low, 1.0 if hits == n else min(1.0, middle + half))


def change(before: Estimate, after: Estimate) -> Estimate:
    """How far apart two shares are, after - before, with the interval that theirs give.

    Each end is as far from the change as the two ends that it comes of are from their values,
    taken together as the sides of a right angle.

    Returns:
        Value in [-1, 1]; None with the interval [-1, 1] where a value is not defined. It is
        right for shares of different items; of the same questions, whose answers tend to go
        together, it is too wide rather than too narrow.

    Source: Newcombe 1998, Statistics in Medicine 17(8), method 10; Zou & Donner 2008,
    Statistics in Medicine 27(10).
    """
    if before.value is None or after.value is None:
        return Estimate(None, -1.0, 1.0)
    value = after.value - before.value
    down = math.hypot(after.value - after.low, before.high - before.value)
    up = math.hypot(after.high - after.value, before.value - before.low)
    return Estimate(value, value - down, value + up)


def clip(value: float) -> float:
    """The nearest value in [0, 1]."""
    return float(min(1.0, max(0.0, value)))
