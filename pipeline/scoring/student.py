"""Quantiles of Student's t distribution."""

import math
from functools import lru_cache
from statistics import NormalDist

LONG = 200
"""Degrees of freedom from which a series in 1 / degrees is good to 12 digits."""


@lru_cache
def student(level: float, degrees: int) -> float:
    """The t that a share `level` of Student's distribution lies within, in -t to t.

    Args:
        level: in (0, 1).
        degrees: of freedom, >= 1.

    Source: Abramowitz & Stegun 1964, 26.7.3 and 26.7.4, solved by bisection; 26.7.5 for many
    degrees.
    """
    if degrees >= LONG:
        return _series(NormalDist().inv_cdf((1 + level) / 2), degrees)
    low, high = 0.0, math.pi / 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if _within(middle, degrees) < level else (low, middle)
    return math.sqrt(degrees) * math.tan(high)


def _within(angle: float, degrees: int) -> float:
    """Share within -t to t, where t = sqrt(degrees) * tan(angle)."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2
    total, term = 0.0, cosine if odd else 1.0
    for power in range(odd, degrees - 1, 2):
        total += term
        term *= cosine * cosine * (power + 1) / (power + 2)
    return (angle + sine * total) * 2 / math.pi if odd else sine * total


def _series(z: float, degrees: int) -> float:
    terms = [
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    ]
    return z + math.fsum(term / degrees**power for power, term in enumerate(terms, 1))
