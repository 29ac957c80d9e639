"""Rates and means read from a judge, corrected by people's labels of a random part of them.

Prediction-powered inference. What holds for labels from elsewhere stands in `corrected`.
"""

import math
from dataclasses import dataclass

import numpy as np

from pipeline.scoring.arrays import Floats
from pipeline.scoring.proportions import Counts, Estimate, Z, clip

PSEUDO = 0.5
"""Added to each of the four cells of people x judge (Jeffreys' prior), or a hundred items
on which nearly all agree would give an interval without width. Found by simulation."""


def powered_rate(yes: int, n: int, people: Counts) -> Estimate:
    """The share of true yes among all items, where those with labels are a random part.

    The value is `powered_mean`'s; the interval is taken with half an item more in each
    cell of people x judge, without which it is too narrow near 0 and 1.

    Args:
        yes: the judge's yes among the items without people's labels.
        n: how many those are, which may be 0.
        people: the labelled items.

    Returns:
        Value in [0, 1]; None with the interval [0, 1] without labelled items.

    At nominal 95 % it covers 93 to 97 % for 100 labelled items and more.

    Source: Angelopoulos et al. 2023, Science 382; tuned as in Angelopoulos, Duchi & Zrnic
    2023, arXiv 2311.01453.
    """
    cells = np.array([people.yes_yes, people.yes_no, people.no_yes, people.no_no], np.float64)
    if not cells.sum():
        return Estimate(None, 0.0, 1.0)
    value = clip(_tuned(_moments(yes, n, cells))[0])
    middle, half = _tuned(_moments(yes, n, cells + PSEUDO))
    return Estimate(value, min(clip(middle - half), value), max(clip(middle + half), value))


def powered_mean(judge_only: Floats, judge: Floats, people: Floats) -> Estimate | None:
    """The mean that people would give all items, where those with labels are a random part.

    mean(people) + weight * (mean(judge_only) - mean(judge)); the weight, which makes the
    variance least, is near 1 for a good judge and 0 for one that tells nothing. So the judge
    may grade on another scale than people.

    Args:
        judge_only: (n,) the judge's grades of items without people's labels; may be empty.
        judge: (m,) the judge's grades of the labelled items.
        people: (m,) people's grades of the same items, in the same order.

    Returns:
        None for fewer than two labelled items. The interval leans on the normal
        distribution: below some 50 labelled items it is too narrow.

    Source: as `powered_rate`.
    """
    if len(people) < 2:
        return None
    both = np.cov(judge, people)
    variance = float(np.var(np.concatenate([judge_only, judge]), ddof=1))
    rest = float(judge_only.mean()) if len(judge_only) else 0.0
    means = float(judge.mean()), float(people.mean())
    moments = _Moments(
        len(judge_only), len(people), rest, *means, variance, both[0, 0], both[1, 1], both[0, 1]
    )
    value, half = _tuned(moments)
    return Estimate(value, value - half, value + half)


@dataclass(frozen=True)
class _Moments:
    """n items of the judge only, m labelled; means, then variances and the covariance."""

    n: int
    m: float
    rest: float
    judge: float
    people: float
    variance: float
    of_judge: float
    of_people: float
    covariance: float


def _tuned(of: _Moments) -> tuple[float, float]:
    """The estimate and half the width of its interval."""
    weight = 0.0
    if of.n and of.variance > 0:
        weight = float(of.covariance / of.variance / (1 + of.m / of.n))
    value = of.people + weight * (of.rest - of.judge)
    labelled = of.of_people - 2 * weight * of.covariance + weight**2 * of.of_judge
    rest = weight**2 * of.variance / of.n if of.n else 0.0
    return value, Z * math.sqrt(max(0.0, rest + labelled / of.m))


def _moments(yes: int, n: int, cells: Floats) -> _Moments:
    """Of yes as 1 and no as 0, out of counts that need not be whole."""
    m = float(cells.sum())
    judge, people = (cells[0] + cells[2]) / m, (cells[0] + cells[1]) / m
    share, unbiased = (yes + cells[0] + cells[2]) / (n + m), m / max(m - 1, 1e-9)
    covariance = (cells[0] / m - judge * people) * unbiased
    of_all = share * (1 - share) * (n + m) / max(n + m - 1, 1e-9)
    spreads = judge * (1 - judge) * unbiased, people * (1 - people) * unbiased
    return _Moments(n, m, yes / n if n else 0.0, judge, people, of_all, *spreads, covariance)
