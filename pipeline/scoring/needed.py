"""How many questions it takes to see a difference, and how small a one so many can show."""

import math
from statistics import NormalDist

FARTHEST = 1e9
"""Root of a number of questions that nobody has."""
LEAST = 2
"""One question has no spread, so nothing can be said of a difference."""


def needed(sd: float, difference: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """Questions that a paired comparison needs to find a difference of a given size.

    n = ((z(1 - alpha/2) + z(power)) * sd / difference)^2, rounded up: a normal
    approximation, a question or two short where the answer is below about 30.

    Args:
        sd: standard deviation of the deltas over questions, >= 0.
        difference: the size to find, not 0; its sign is of no meaning.
        power: chance of finding it, in [0.5, 1).
        alpha: chance of a false alarm, two-sided, in (0, 1).

    Returns:
        At least 2, which is also the answer where the deltas do not vary.

    Raises:
        ValueError: an argument is out of its range.

    Source: Cohen 1988, Statistical Power Analysis, chapter 2 (paired samples).
    """
    if not (math.isfinite(difference) and difference != 0):
        raise ValueError(f"difference: expected a number other than 0, got {difference!r}")
    root = abs(_factor(sd, power, alpha) / difference)
    if root > FARTHEST:
        raise ValueError(f"difference: expected one that can be found, got {difference!r}")
    # the rounding of doubles alone takes no further question
    return max(LEAST, math.ceil(root * root * (1 - 1e-12)))


def detectable(sd: float, n: int, *, power: float = 0.8, alpha: float = 0.05) -> float | None:
    """Smallest difference that n questions find; the other way round from `needed`.

    Args:
        sd: standard deviation of the deltas over questions, >= 0.
        n: questions that are defined on both sides, >= 0.
        power: chance of finding it, in [0.5, 1).
        alpha: chance of a false alarm, two-sided, in (0, 1).

    Returns:
        A size >= 0; 0 where the deltas do not vary; None for fewer than 2 questions.

    Raises:
        ValueError: an argument is out of its range.
    """
    if n < 0:
        raise ValueError(f"n: expected at least 0, got {n}")
    factor = _factor(sd, power, alpha)
    return factor / math.sqrt(n) if n >= LEAST else None


def _factor(sd: float, power: float, alpha: float) -> float:
    if not (math.isfinite(sd) and sd >= 0):
        raise ValueError(f"sd: expected at least 0, got {sd!r}")
    if not 0.5 <= power < 1:
        raise ValueError(f"power: expected at least 0.5 and below 1, got {power!r}")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha: expected between 0 and 1, got {alpha!r}")
    normal = NormalDist()
    return (normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)) * sd
