"""Columns of tables out of Python values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pipeline.contract.records import Scalar
from pipeline.contract.shelf import Ids, Shelf

UNKNOWN = -1
"""Code of an id that its dictionary lacks."""

BLOCK = 4_000_000
"""Ids that are sorted at a time: bounds the memory of their copies."""

Codes = NDArray[np.int32]
Lengths = NDArray[np.int64]


@dataclass(frozen=True)
class Coded:
    """Lists of ids as codes end to end; `lengths[i]` belong to list i (0 for None)."""

    flat: Codes
    lengths: Lengths

    def unknown(self) -> list[int]:
        """Lists that hold an unknown id, ascending."""
        ends = np.cumsum(self.lengths)
        rows = np.searchsorted(ends, np.flatnonzero(self.flat < 0), "right")
        return [int(row) for row in np.unique(rows)]

    def repeating(self) -> list[int]:
        """Lists in which a code stands twice, ascending; all unknown ids have the same."""
        found: list[int] = []
        starts = np.cumsum(self.lengths) - self.lengths
        for size in np.unique(self.lengths[self.lengths > 1]).tolist():
            alike = np.flatnonzero(self.lengths == size)
            step = max(BLOCK // size, 1)
            for first in range(0, len(alike), step):
                rows = alike[first : first + step]
                codes = np.sort(self.flat[starts[rows][:, None] + np.arange(size)], axis=1)
                found += rows[(codes[:, 1:] == codes[:, :-1]).any(axis=1)].tolist()
        return sorted(found)

    def only(self, kept: NDArray[np.bool_]) -> "Coded":
        """The lists that are kept."""
        return Coded(self.flat[np.repeat(kept, self.lengths)], self.lengths[kept])


def code(rows: Sequence[Sequence[str] | None], known: Sequence[str]) -> Coded:
    """Look every id of every list up among known ids, whose places are their codes."""
    shelf = Shelf()
    held = [row if row is None or isinstance(row, Ids) else shelf.put(list(row)) for row in rows]
    lengths = np.fromiter((0 if row is None else len(row) for row in held), np.int64, len(held))
    there = [row for row in held if row is not None]
    places = {one: at for at, one in enumerate(known)}
    coded = {one: _on(one, places) for one in {row.shelf for row in there}}
    parts = [coded[run.shelf][run.first : run.stop] for run in _runs(there)]
    return Coded(np.concatenate([np.empty(0, np.int32), *parts]), lengths)


def _runs(rows: Iterable[Ids]) -> Iterator[Ids]:
    """Lists that lie one after the other on their shelf as one; nearly always all of them."""
    run = None
    for row in rows:
        if run is not None and row.shelf is run.shelf and row.first == run.stop:
            run.stop = row.stop
            continue
        if run is not None:
            yield run
        run = Ids(row.shelf, row.first, row.stop)
    if run is not None:
        yield run


def _on(shelf: Shelf, places: Mapping[str, int]) -> Codes:
    """All ids of a shelf as codes of other names."""
    of = np.fromiter((places.get(name, UNKNOWN) for name in shelf.names), np.int32)
    codes = of[shelf.codes] if len(of) else np.empty(0, np.int32)
    for first, ids in shelf.odd.items():
        codes[first : first + len(ids)] = [places.get(name, UNKNOWN) for name in ids]
    return codes


def lists(values: pl.Series, lengths: Lengths, given: Sequence[bool]) -> pl.Series:
    """Values end to end -> a column of lists.

    Args:
        values: the members of all lists, list after list.
        lengths: (n,) members of each list.
        given: (n,) false where the list is null, which is not an empty one.
    """
    rows = np.repeat(np.arange(len(lengths), dtype=np.uint32), lengths)
    members = pl.DataFrame({"row": rows, "value": values}).with_columns(pl.col("row").set_sorted())
    filled = members.group_by("row", maintain_order=True).agg("value")
    every = pl.DataFrame(
        {
            "row": np.arange(len(lengths), dtype=np.uint32),
            "given": pl.Series(given, dtype=pl.Boolean()),
        }
    )
    joined = every.join(filled, on="row", how="left", maintain_order="left")
    empty = pl.lit([], dtype=pl.List(values.dtype))
    return joined.select(pl.when("given").then(pl.col("value").fill_null(empty)).alias("value"))[
        "value"
    ]


def text_lists(rows: Sequence[Sequence[str] | None]) -> pl.Series:
    """Lists of texts -> a column of lists of texts, null for None."""
    flat = pl.Series(list(chain.from_iterable(row or () for row in rows)), dtype=pl.String())
    lengths = np.fromiter((len(row or ()) for row in rows), np.int64, len(rows))
    return lists(flat, lengths, [row is not None for row in rows])


def sorted_lists(rows: Sequence[Sequence[str] | None]) -> pl.Series:
    """Lists whose order means nothing -> a column of sorted lists, null for None."""
    return text_lists([row and sorted(row) for row in rows])


def pairs(rows: Sequence[Mapping[str, Scalar]]) -> pl.Series:
    """Attributes -> a column of lists of key and value, sorted by key, each value in words."""
    keys = [sorted(row) for row in rows]
    values = [spelt(row[key]) for row, names in zip(rows, keys, strict=True) for key in names]
    flat = pl.DataFrame(
        {"key": list(chain.from_iterable(keys)), "value": values},
        schema={"key": pl.String, "value": pl.String},
    )
    lengths = np.fromiter(map(len, keys), np.int64, len(keys))
    return lists(flat.to_struct("value"), lengths, [True] * len(rows))


def spelt(value: Scalar) -> str:
    """Spell a value: true and false as in JSON, a whole number the same with and without .0."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value)
