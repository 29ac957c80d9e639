"""Lists of different lengths as arrays, and the few sums that scoring takes of them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Ints = NDArray[np.signedinteger[Any]]
Floats = NDArray[np.float64]


VALUES = 200_000
"""Values that `everywhere` looks at together, so that they stay in the cache."""


@dataclass(frozen=True)
class Lists:
    """How values fall into lists: list i holds those from `offsets[i]` up to `offsets[i + 1]`."""

    offsets: Ints

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def lengths(self) -> Ints:
        """How many values each list has."""
        return np.diff(self.offsets)

    @cached_property
    def owner(self) -> Ints:
        """For each value, the list it stands in."""
        size = self.offsets[-1]
        # as np.repeat(arange, lengths), three times as fast
        return np.cumsum(np.bincount(self.offsets[1:-1], minlength=size)[:size])

    def sum(self, values: Ints | Bools) -> Ints:
        """Sum of whole numbers in each list, or how many are marked; 0 for an empty list."""
        # doubles hold whole numbers exactly up to 2**53
        return np.bincount(self.owner, weights=values, minlength=len(self)).astype(np.int64)

    def least(self, values: Ints, otherwise: int) -> Ints:
        """Least value in each list; `otherwise` for an empty one."""
        found = np.full(len(self), otherwise)
        filled = self.lengths > 0
        if filled.any():
            found[filled] = np.minimum.reduceat(values, self.offsets[:-1][filled])
        return found


@dataclass(frozen=True)
class Ragged(Lists):
    """Lists with their values, end to end.

    `given[i]` is False where the column held null, which is not an empty list.
    """

    values: Any
    given: Bools

    @classmethod
    def of(cls, column: pl.Series) -> Self:
        """Take a list column as it lies in memory."""
        lengths = column.list.len().fill_null(0).to_numpy()
        values = column.explode(keep_nulls=False)
        return cls(starts(lengths), values.to_numpy(), column.is_not_null().to_numpy())

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


def within(first: Ints, lists: Lists) -> Ints:
    """Positions first[i], first[i] + 1, … for each value of list i."""
    places: Ints = np.arange(lists.offsets[-1]) + (first - lists.offsets[:-1])[lists.owner]
    return places


def ratio(numerator: Ints, denominator: Ints) -> Floats:
    """Divide; 0 where the denominator is 0, since that value is n/a and never shown."""
    return numerator / np.maximum(denominator, 1)


def marked(flags: Bools, position: Ints) -> Bools:
    """Whether the flag at each position is set; the position -1 has none."""
    return flags[position] & (position >= 0) if len(flags) else np.zeros(len(position), np.bool_)


def locate(lists: Ragged, owner: Ints, member: Ints) -> Ints:
    """Find values in given lists.

    Args:
        lists: where to look.
        owner: (m,) the list to look in; -1 is none.
        member: (m,) the value to look for.

    Returns:
        (m,) position in `lists.values` of the first such value, -1 where there is none.
    """
    found = np.full(len(owner), -1)
    # for the list before the first, which holds nothing, these are the end and the start
    position, stop = lists.offsets[owner], lists.offsets[owner + 1]
    left = np.flatnonzero(position < stop)
    position, last, wanted = position[left], stop[left] - 1, member[left]
    while len(left):
        here = lists.values[position] == wanted
        hit, on = np.flatnonzero(here), np.flatnonzero(~here & (position < last))
        found[left[hit]] = position[hit]
        left, position, last, wanted = left[on], position[on] + 1, last[on], wanted[on]
    return found


def everywhere(lists: Ragged, owner: Ints, member: Ints) -> tuple[Ints, Ints]:
    """Find every place where values stand in given lists.

    Args:
        lists: where to look.
        owner: (m,) the list to look in.
        member: (m,) the value to look for.

    Returns:
        (found,) index into `member` and (found,) place in its list, from 0; in order.
    """
    filled = lists.lengths > 0
    sizes = lists.lengths[filled]
    even = len(sizes) > 0 and bool((sizes == sizes[0]).all())
    rows = lists.values.reshape(len(sizes), -1) if even else None
    row, asked = np.cumsum(filled) - 1, np.flatnonzero(filled[owner])
    found = [(_NONE, _NONE)]
    step = max(VALUES // max(int(sizes.max(initial=0)), 1), 1)
    for start in range(0, len(asked), step):
        here = asked[start : start + step]
        one, wanted = owner[here], member[here]
        if rows is not None:
            hit = np.flatnonzero(rows[row[one]] == wanted[:, None])
            which, place = np.divmod(hit, rows.shape[1])
        else:
            inside = Lists(starts(lists.lengths[one]))
            values = lists.values[within(lists.offsets[one], inside)]
            hit = np.flatnonzero(values == wanted[inside.owner])
            which = inside.owner[hit]
            place = hit - inside.offsets[which]
        found.append((here[which], place))
    return np.concatenate([at for at, _ in found]), np.concatenate([place for _, place in found])


_NONE = np.empty(0, np.int64)
