"""Many lists of ids, kept as codes: a tenth of the memory that the texts would take."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, overload

import numpy as np
import polars as pl
from numpy.typing import NDArray

PACKED = 8_192
"""Ids that become a column at a time, while the processor still has them at hand."""

SETTLED = 4_000_000
"""Ids of such columns that get their codes at a time."""

Codes = NDArray[np.uint32]


class Shelf:
    """Takes lists of ids one after the other; equal ids share a code.

    Attributes:
        odd: lists with half a surrogate pair, which no column can hold, by their first place.
    """

    def __init__(self) -> None:
        self.odd: dict[int, list[str]] = {}
        self._kind = pl.Categorical(pl.Categories.random())
        self._alive = pl.Series(dtype=self._kind)  # Polars forgets a kind that no column has
        self._names = np.empty(0, object)
        self._codes = np.empty(0, np.uint32)
        self._settled: list[Codes] = []
        self._packed: list[pl.Series] = []
        self._loose: list[list[str]] = []
        self._size = 0
        self._unpacked = 0
        self._unsettled = 0

    def put(self, ids: list[str]) -> "Ids":
        """Keep a list; what comes back reads as that list."""
        first = self._size
        self._size += len(ids)
        self._unpacked += len(ids)
        self._loose.append(ids)
        if self._unpacked >= PACKED:
            self._pack()
            if self._unsettled >= SETTLED:
                self._settle()
        return Ids(self, first, self._size)

    @property
    def codes(self) -> Codes:
        """The codes of all ids, list after list; those of an odd list mean nothing."""
        self._code()
        if self._settled:
            self._codes = np.concatenate([self._codes, *self._settled])
            self._settled.clear()
        return self._codes

    @property
    def names(self) -> NDArray[np.object_]:
        """The distinct ids, by code."""
        self._code()
        return self._names

    def _code(self) -> None:
        """Give every id that was put here its code."""
        if self._loose:
            self._pack()
        if self._packed:
            self._settle()

    def _pack(self) -> None:
        try:
            packed = [_column(chain.from_iterable(self._loose))]
        except UnicodeEncodeError:
            packed = self._apart()
        self._packed += packed
        self._unsettled += self._unpacked
        self._unpacked = 0
        self._loose.clear()

    def _apart(self) -> list[pl.Series]:
        """The loose lists one by one; those that are odd are put aside."""
        first, columns = self._size - self._unpacked, []
        for ids in self._loose:
            try:
                columns.append(_column(ids))
            except UnicodeEncodeError:
                self.odd[first] = ids
                columns.append(_column([""] * len(ids)))
            first += len(ids)
        return columns

    def _settle(self) -> None:
        coded = pl.concat(self._packed, rechunk=False).cast(self._kind)
        self._alive = coded.clear()
        codes = coded.to_physical().to_numpy()
        new = coded.filter(codes >= len(self._names)).unique()
        places = new.to_physical().to_numpy()
        names = np.empty(max(len(self._names), int(places.max(initial=0)) + 1), object)
        names[: len(self._names)] = self._names
        names[places] = new.cast(pl.String()).to_list()
        self._names = names
        self._settled.append(codes)
        self._packed.clear()
        self._unsettled = 0


class Ids(Sequence[str]):
    """A list on a shelf: `codes[first:stop]` of it. Equal to a list of the same ids."""

    __slots__ = ("first", "shelf", "stop")

    def __init__(self, shelf: Shelf, first: int, stop: int) -> None:
        self.shelf, self.first, self.stop = shelf, first, stop

    def list(self) -> list[str]:
        """The ids as they were put there."""
        shelf = self.shelf
        codes, names = shelf.codes, shelf.names
        odd = shelf.odd and shelf.odd.get(self.first)
        if odd and len(odd) == self.stop - self.first:
            return odd
        found: list[str] = names[codes[self.first : self.stop]].tolist()
        return found

    def __len__(self) -> int:
        return self.stop - self.first

    def __iter__(self) -> Iterator[str]:
        return iter(self.list())

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        return self.list()[at]

    def __eq__(self, other: object) -> bool:
        return self.list() == (other.list() if isinstance(other, Ids) else other)

    __hash__ = None  # type: ignore[assignment]  # a list has none either

    def __repr__(self) -> str:
        return repr(self.list())


def plain(value: Any) -> Any:
    """What an encoder writes for a list on a shelf.

    Raises:
        NotImplementedError: it is none.
    """
    if isinstance(value, Ids):
        return value.list()
    raise NotImplementedError(f"no way to encode {type(value).__name__}")


def _column(ids: Any) -> pl.Series:
    return pl.Series(list(ids), dtype=pl.String())
