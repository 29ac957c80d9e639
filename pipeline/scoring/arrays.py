"""Lists of different lengths as two arrays, and the few sums that scoring takes of them."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Ints = NDArray[np.signedinteger[Any]]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Ragged:
    """Lists end to end: list i is `values[offsets[i]:offsets[i + 1]]`.

    `given[i]` is False where the column held null, which is not an empty list.
    """

    offsets: Ints
    values: Any
    given: Bools

    @classmethod
    def of(cls, column: pl.Series) -> Self:
        """Take a list column as it lies in memory."""
        lengths = column.list.len().fill_null(0).to_numpy()
        values = column.explode(empty_as_null=False, keep_nulls=False)
        return cls(starts(lengths), values.to_numpy(), column.is_not_null().to_numpy())

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Ints:
        """How many values each list has; 0 for null."""
        return np.diff(self.offsets)

    @property
    def owners(self) -> Ints:
        """For each value, the list it stands in."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def part(self, start: int, stop: int) -> Self:
        """The lists from `start` up to `stop`, without copying a value."""
        offsets = self.offsets[start : stop + 1]
        values = self.values[offsets[0] : offsets[-1]]
        return type(self)(offsets - offsets[0], values, self.given[start:stop])


def starts(lengths: Ints) -> Ints:
    """Lengths of n lists -> n + 1 offsets."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def within(first: Ints, lengths: Ints) -> Ints:
    """Positions first[i], first[i] + 1, … (lengths[i] of them), list after list."""
    offsets = starts(lengths)
    return np.arange(offsets[-1]) + np.repeat(first - offsets[:-1], lengths)


def totals(values: Ints | Bools, offsets: Ints) -> Ints:
    """Sum of whole numbers in each list; 0 for an empty one."""
    running = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=running[1:])
    return running[offsets[1:]] - running[offsets[:-1]]


def least(values: Ints, offsets: Ints, otherwise: int) -> Ints:
    """Least value in each list; `otherwise` for an empty one."""
    found = np.full(len(offsets) - 1, otherwise, np.int64)
    filled = offsets[1:] > offsets[:-1]
    if filled.any():
        found[filled] = np.minimum.reduceat(values, offsets[:-1][filled])
    return found


def ratio(numerator: Ints, denominator: Ints) -> Floats:
    """Divide; 0 where the denominator is 0, since that value is n/a and never shown."""
    return np.divide(
        numerator, denominator, out=np.zeros(len(numerator)), where=np.asarray(denominator) > 0
    )


def keys(groups: Ints, members: Ints) -> Ints:
    """Pairs of codes as single numbers that sort like the pairs."""
    joined: Ints = groups.astype(np.int64) << 32 | members
    return joined


def locate(known: Ints, group: Ints, member: Ints) -> Ints:
    """Find pairs of codes among known ones.

    Args:
        known: (n,) the known pairs as `keys`, ascending.
        group: (m,) first code of each pair looked for; a negative one is nowhere.
        member: (m,) second code; a negative one is nowhere.

    Returns:
        (m,) position among the known pairs, -1 where it is not one of them.
    """
    if not len(known):
        return np.full(len(group), -1, np.int64)
    wanted = keys(group, member)
    position = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    found = (known[position] == wanted) & (group >= 0) & (member >= 0)
    return np.where(found, position, -1)
