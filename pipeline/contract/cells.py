"""Cells that a spreadsheet takes for text, and back; and sheets made of them."""

import csv
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.contract.files import canonical, replacing

GUARD = "'"
STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", GUARD)
"""What makes a spreadsheet take a cell for a formula, and the guard itself."""


def escape(cell: str) -> str:
    """Put an apostrophe in front of what could be a formula.

    >>> escape("=1+1"), escape("plain")
    ("'=1+1", 'plain')
    """
    return GUARD + cell if cell.startswith(STARTS) else cell


def unescape(cell: str) -> str:
    """Take the apostrophe off that `escape` put there; other cells stay as they are."""
    guarded = cell.startswith(GUARD) and cell[1:].startswith(STARTS)
    return cell[1:] if guarded else cell


def guarded(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as a CSV file may hold it: each text escaped, numbers as they are."""
    return frame.with_columns(
        pl.when(pl.any_horizontal(pl.col(name).str.starts_with(start) for start in STARTS))
        .then(pl.lit(GUARD) + pl.col(name))
        .otherwise(pl.col(name))
        .alias(name)
        for name, dtype in frame.schema.items()
        if dtype == pl.String
    )


def ticket(letter: str, value: Any) -> str:
    """A short hash that no spreadsheet takes for a number or a date: it begins with a letter."""
    return letter + sha256(canonical(value).encode()).hexdigest()[:15]


def write_cells(path: Path, rows: Iterable[Iterable[str]]) -> None:
    """Write a sheet, whole or not at all: each cell escaped, the first row its columns.

    It begins with a byte-order mark, from which spreadsheets know that it is UTF-8.
    """
    with (
        replacing(path) as temporary,
        temporary.open("w", encoding="utf-8-sig", newline="") as file,
    ):
        writer = csv.writer(file, lineterminator="\r\n")  # so that a lone \r is quoted, too
        writer.writerows([map(escape, row) for row in rows])
