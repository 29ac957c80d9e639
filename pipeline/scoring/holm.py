"""Holm's correction: many comparisons, and still few false alarms among all of them."""

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjust the p-values of one family of comparisons.

    Calling everything at or below alpha different raises a false alarm anywhere in the
    family in at most a share alpha of all families, however the comparisons depend on each
    other. The k-th smallest of m values is multiplied by m - k + 1, and made no smaller
    than the one before it and no greater than 1; equal values stay equal.

    Args:
        p_values: in [0, 1], in any order; None is no comparison and is not in the family.
            A family of m needs p-values as small as alpha / m: with sign flips, at least
            m / alpha resamples.

    Returns:
        The adjusted values in the same order, None where None was given.

    Source: Holm 1979, Scandinavian Journal of Statistics 6(2).
    """
    family = sorted((p, at) for at, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (p, at) in enumerate(family):
        least = max(least, min(1.0, p * (len(family) - rank)))
        adjusted[at] = least
    return adjusted
