"""Rows of values as whole numbers, so that sums are exact and order is of no meaning.

Values are held as whole numbers of one small unit, in doubles. Sums of those are exact, so
no result depends on the order of rows, on threads, or on which side is called the baseline,
and deltas that differ by the rounding of doubles alone count as one value.
"""

import numpy as np

from pipeline.scoring.arrays import Bools, Floats, Ints

BITS = 52
"""Sums stay below two to this power, up to which doubles hold every whole number."""
FINEST = 40
"""Binary digits after the point at most, so that 2/3 - 1/3 and 1/3 - 0 are one value."""


def whole_sums(values: Floats, clusters: Ints | None) -> tuple[Floats, int]:
    """(n, columns) values -> (m, columns) sums by cluster, and the questions of the largest.

    A value is off by half a unit at the most, and a sum by that for each of its questions.
    """
    owner = (
        np.arange(len(values)) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    )
    sizes = np.bincount(owner)
    greatest = np.abs(values).max() * sizes.max() * len(sizes)
    digits = min(FINEST, BITS - int(np.ceil(np.log2(max(greatest, 1)))))
    whole = np.rint(np.ldexp(values, digits))
    sums = [np.bincount(owner, weights=column) for column in whole.T]
    return np.column_stack(sums), int(sizes.max())


def ordered(rows: Floats) -> Floats:
    """Rows in one fixed order, so that the order they came in is of no meaning."""
    return rows[np.lexsort(rows.T[::-1])]


def distinct(rows: Floats) -> tuple[Floats, Ints]:
    """Ordered rows -> the different ones, and how often each is there."""
    new: Bools = np.ones(len(rows), np.bool_)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    places = np.flatnonzero(new)
    return rows[places], np.diff(np.append(places, len(rows)))
