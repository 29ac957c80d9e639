"""Means whose last bit depends neither on the order, nor on threads, nor on doubled repeats."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np

from pipeline.scoring.arrays import Bools, Floats


def moments(values: list[float]) -> tuple[float, float]:
    """Mean and population standard deviation of at least one value.

    The mean is the double nearest to the true mean of the given doubles, so equal values
    have themselves as mean and 0 as deviation.
    """
    counts = Counter(values)
    mean = _mean(counts, len(values))
    squares = Counter[float]()
    for value, count in counts.items():
        squares[(value - mean) ** 2] += count
    return mean, math.sqrt(_mean(squares, len(values)))


def extreme(fixed: list[float], free: list[float], *, greatest: bool) -> float | None:
    """Least or greatest mean of the fixed values and any of the free ones; None without any."""
    total, count = sum(map(Fraction, fixed)), len(fixed)
    for value in map(Fraction, sorted(free, reverse=greatest)):
        if count and (value * count <= total if greatest else value * count >= total):
            break
        total, count = total + value, count + 1
    return float(total / count) if count else None


def over_repeats(values: Floats, counted: Bools) -> tuple[Floats, Bools]:
    """Mean of each question over its repeats.

    Args:
        values: (repeats, questions); of no meaning where not counted.
        counted: (repeats, questions) whether the value counts.

    Returns:
        (questions,) the mean over the repeats that count, as exact as in `moments`, and
        (questions,) whether there is one.
    """
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


def _mean(counts: Counter[float], total: int) -> float:
    if len(counts) == 1:
        return next(iter(counts))
    exact = sum((Fraction(value) * count for value, count in counts.items()))
    return float(exact / total)
