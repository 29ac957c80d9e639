"""Columns of tables out of Python values."""

from collections.abc import Mapping, Sequence
from itertools import chain, repeat

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pipeline.contract.records import Scalar

UNKNOWN = -1
"""Code of an id that its dictionary lacks."""

Codes = NDArray[np.int64]


def codes(lists: Sequence[Sequence[str] | None], known: dict[str, int]) -> tuple[Codes, Codes]:
    """Look every id of every list up, in one go.

    Returns:
        The codes end to end (`UNKNOWN` where there is none), and the length of each list
        (0 for None).
    """
    lengths = np.fromiter((len(ids) if ids else 0 for ids in lists), np.int64, len(lists))
    flat = chain.from_iterable(ids for ids in lists if ids)
    found = map(known.get, flat, repeat(UNKNOWN))
    return np.fromiter(found, np.int64, int(lengths.sum())), lengths


def lists(values: pl.Series, lengths: Codes, given: Sequence[bool]) -> pl.Series:
    """Values end to end -> a column of lists.

    Args:
        values: the members of all lists, list after list.
        lengths: (n,) members of each list.
        given: (n,) false where the list is null, which is not an empty one.
    """
    rows = np.repeat(np.arange(len(lengths), dtype=np.uint32), lengths)
    members = pl.DataFrame({"row": rows, "value": values}).with_columns(pl.col("row").set_sorted())
    filled = members.group_by("row", maintain_order=True).agg("value")
    every = pl.DataFrame({"row": np.arange(len(lengths), dtype=np.uint32), "given": given})
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
