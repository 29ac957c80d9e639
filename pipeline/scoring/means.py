"""Means whose last bit depends neither on the order, nor on threads, nor on doubled repeats."""

import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
import polars as pl

from pipeline.scoring.arrays import Bools, Floats

Tally = Counter[float]
"""How often each value is there: all that a mean needs to know, however many there are."""

MANY = 2_000
"""From so many values on it pays to have Polars count them."""


def tally(values: Floats) -> Tally:
    """Count equal values."""
    if len(values) < MANY:
        return Counter(values.tolist())
    counted = pl.Series("value", values).value_counts()
    return Counter(dict(zip(*counted.to_dict(as_series=False).values(), strict=True)))


def moments(values: Iterable[float]) -> tuple[float, float]:
    """Mean and population standard deviation of at least one value.

    The mean is the double nearest to the true mean of the given doubles, so equal values
    have themselves as mean and 0 as deviation.

    Args:
        values: the values, or how often each is there.
    """
    counts = Counter(values)
    total = counts.total()
    mean = _mean(counts, total)
    squares = Tally()
    for value, count in counts.items():
        squares[(value - mean) ** 2] += count
    return mean, math.sqrt(_mean(squares, total))


def extreme(fixed: Iterable[float], free: Iterable[float], *, greatest: bool) -> float | None:
    """Least or greatest mean of the fixed values and any of the free ones; None without any.

    Args:
        fixed: values, or how often each is there; so of `free`.
        free: values of which each counts or does not.
        greatest: which end.
    """
    counts = Counter(fixed)
    total, count = _sum(counts), counts.total()
    for value, times in sorted(Counter(free).items(), reverse=greatest):
        # equal values move a mean the same way: all of them count, or none
        exact = Fraction(value)
        if count and (exact * count <= total if greatest else exact * count >= total):
            break
        total, count = total + exact * times, count + times
    return float(total / count) if count else None


def over_repeats(values: Floats, counted: Bools) -> tuple[Floats, Bools]:
    """Mean of each question over its repeats.

    Args:
        values: (repeats, questions); of no meaning where not counted.
        counted: (repeats, questions) whether the value counts.

    Returns:
        (questions,) the mean over the repeats that count, as exact as in `moments`, and
        (questions,) whether there is one; the mean is of no meaning where there is none.
    """
    if len(values) == 1:
        return values[0], counted[0]
    defined: Bools = np.any(counted, axis=0)
    low = np.where(counted, values, np.inf).min(axis=0)
    high = np.where(counted, values, -np.inf).max(axis=0)
    means = np.where(defined, low, 0.0)
    known: dict[tuple[float, ...], float] = {}
    for question in np.flatnonzero(low < high):
        repeats = tuple(sorted(values[counted[:, question], question].tolist()))
        if repeats not in known:
            known[repeats] = _mean(Counter(repeats), len(repeats))
        means[question] = known[repeats]
    return means, defined


def _sum(counts: Tally) -> Fraction:
    return sum((Fraction(value) * count for value, count in counts.items()), Fraction())


def _mean(counts: Tally, total: int) -> float:
    return next(iter(counts)) if len(counts) == 1 else float(_sum(counts) / total)
