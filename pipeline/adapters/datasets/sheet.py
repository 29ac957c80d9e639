"""Rows of a CSV file with named columns, each with the line it begins on."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from pipeline.adapters.datasets.plain import plain_text
from pipeline.checks.ids import show
from pipeline.contract.errors import Fault, nearest
from pipeline.contract.records import Collection

COMMA = ","
SEPARATORS = (COMMA, ";", "\t")

NEAR = 0.8
"""Likeness from which an unknown column passes for a misspelt one."""


@dataclass(frozen=True)
class Row:
    """One row: its first line, and its cells by column; a column that is not there is ''."""

    line: int
    cells: dict[str, str]

    def get(self, column: str) -> str:
        """The cell without white space at its ends."""
        return self.cells.get(column, "").strip()


@dataclass(frozen=True)
class Sheet:
    """What a CSV file holds: the names of its columns and its rows, blank ones left out."""

    columns: list[str]
    rows: list[Row]


def read_sheet(
    path: Path,
    name: str,
    required: Sequence[str],
    optional: Sequence[str],
    collection: Collection,
    *,
    returned: bool = False,
) -> Sheet:
    """Read a UTF-8 file with commas between cells; a byte-order mark is noted.

    Without a column that is required there are no rows, and a fault says so.

    Args:
        path: the file.
        name: what it is called in messages.
        required: columns that have to be there.
        optional: other columns with a meaning, for the hint at a misspelt one.
        collection: takes faults and notes.
        returned: a sheet of ours that comes back from a spreadsheet. Those of some countries
            put semicolons or tabs between cells: where the first row has the columns that
            are required only so, that is how it is read.
    """
    text = plain_text(path, name, "", collection)
    if not isinstance(text, str):
        collection.faults.append(Fault(name, None, None, *text))
        return Sheet([], [])
    rows = _rows(text, name, collection, _between(text, required) if returned else COMMA)
    if not rows:
        expected = f"a first row with the columns {', '.join(required)}"
        collection.faults.append(Fault(name, None, None, expected, "no row"))
        return Sheet([], [])
    line, header = rows[0]
    columns = [column.strip() for column in header]
    faults = list(_faults(columns, name, line, required, optional))
    collection.faults += faults
    return Sheet(columns, [] if faults else _named(columns, rows[1:], name, collection))


def _between(text: str, required: Sequence[str]) -> str:
    """What stands between cells: a comma, unless the first row has its columns only otherwise."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    for mark in SEPARATORS:
        cells = next(csv.reader([first], delimiter=mark))
        if set(required) <= {cell.strip() for cell in cells}:
            return mark
    return COMMA


def _rows(
    text: str, name: str, collection: Collection, between: str
) -> list[tuple[int, list[str]]]:
    """Cells of each row that is not blank, with the line it begins on."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=between)
    rows, line = [], 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((line, cells))
            line = reader.line_num + 1
    except csv.Error as error:
        collection.faults.append(Fault(name, line, None, "a row of CSV", str(error)))
    return rows


def _faults(
    columns: list[str], name: str, line: int, required: Sequence[str], optional: Sequence[str]
) -> list[Fault]:
    """Columns that are missing, there twice, without a name, or named almost like a known one."""
    found = []
    known = [*required, *optional]
    missing = [column for column in required if column not in columns]
    free = [column for column in columns if column and column not in known]
    for column in missing:
        got = ", ".join(map(show, columns)) + nearest(column, free)
        found.append(Fault(name, line, None, f"a column {column}", got))
    for column in dict.fromkeys(columns):
        if not column:
            found.append(Fault(name, line, None, "a name for each column", "an empty one"))
        elif columns.count(column) > 1:
            found.append(Fault(name, line, None, "each column once", f"{show(column)} again"))
    for column in free if not missing else ():
        absent = [one for one in known if one not in columns]
        close = get_close_matches(column.casefold(), absent, n=1, cutoff=NEAR)
        if close:
            expected = f"{close[0]}, or a name less like it, as the name of a column"
            found.append(Fault(name, line, None, expected, show(column)))
    return found


def _named(
    columns: list[str], rows: list[tuple[int, list[str]]], name: str, collection: Collection
) -> list[Row]:
    """Rows by column; one with more cells than there are columns is refused."""
    named = []
    for line, cells in rows:
        if len(cells) > len(columns):
            got = f"{len(cells)} (a text with a comma in it needs quotation marks)"
            fault = Fault(name, line, None, f"{len(columns)} cells, one for each column", got)
            collection.faults.append(fault)
        else:
            named.append(Row(line, dict(zip(columns, cells, strict=False))))
    return named
