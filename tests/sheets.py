"""Sheets as people and their spreadsheets hand them back."""

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

Rows = list[dict[str, str]]


def rows(path: Path) -> Rows:
    """Rows of a sheet by column, as a spreadsheet shows them."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def save(
    path: Path,
    filled: Rows,
    *,
    columns: Sequence[str] | None = None,
    between: str = ",",
    ends: str = "\n",
    encoding: str = "utf-8",
) -> None:
    """Write rows as a spreadsheet would, with its own ends of lines and separators."""
    with path.open("w", encoding=encoding, newline="") as file:
        names = columns or list(filled[0])
        writer = csv.DictWriter(file, names, delimiter=between, lineterminator=ends)
        writer.writeheader()
        writer.writerows(filled)


def decide(
    path: Path, decision: Callable[[dict[str, str]], str], who: str, to: Path | None = None
) -> None:
    """Fill in a sheet, in place or as a file of its own."""
    filled = rows(path)
    for row in filled:
        row["decision"], row["annotator"] = decision(row), who
    save(to or path, filled)
