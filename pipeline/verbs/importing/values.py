"""Values of other tools' files: JSON of a file, lists in cells, texts where they belong."""

import ast
import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pipeline.adapters.datasets.lines import lines
from pipeline.adapters.datasets.sheet import read_sheet
from pipeline.checks.ids import show
from pipeline.contract.errors import Fault
from pipeline.contract.records import Collection

Numbered = Iterator[tuple[int, dict[str, Any]]]
LONGEST_CELL = 1 << 30
"""Characters that a cell may hold: a list of long texts is one cell."""


class WrongError(Exception):
    """A value is not what belongs there."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(expected, got)
        self.expected, self.got = expected, got


def document(path: Path, collection: Collection) -> Any:
    """The JSON that a file holds; None, with a fault, where it holds none."""
    try:
        return json.loads(path.read_text("utf-8-sig"))
    except (ValueError, RecursionError, OSError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        collection.faults.append(Fault(str(path), line, None, "JSON", str(error)))
        return None


def objects(path: Path, collection: Collection) -> Numbered:
    """Objects of a file of JSON lines, or of one JSON list, with their line or row."""
    if path.suffix.lower() == ".json":
        value = document(path, collection)
        if value is None:
            return
        if not isinstance(value, list):
            fault = Fault(str(path), None, None, "a list of objects", "something else")
            collection.faults.append(fault)
            return
        yield from _objects(enumerate(value, 1), path, collection)
        return
    yield from _objects(_decoded(path, collection), path, collection)


def cells(path: Path, required: Sequence[str], collection: Collection) -> Numbered:
    """Rows of a CSV file by column, with the line each begins on; empty cells are left out."""
    csv.field_size_limit(LONGEST_CELL)
    for row in read_sheet(path, str(path), required, (), collection).rows:
        yield row.line, {name: cell for name, cell in row.cells.items() if cell.strip()}


def text(value: Any, name: str) -> str | None:
    """A text; None: it is not there.

    Raises:
        WrongError: it is something else.
    """
    if value is None or isinstance(value, str):
        return value
    raise WrongError(f"text in {name}", _kind(value))


def texts(value: Any, name: str) -> list[str] | None:
    """A list of texts, in a cell one that is written as JSON or as Python writes it.

    Raises:
        WrongError: it is something else.
    """
    if isinstance(value, str):
        value = _literal(value, name)
    if value is None:
        return None
    if not isinstance(value, list):
        raise WrongError(f"a list of texts in {name}", _kind(value))
    for at, one in enumerate(value):
        if not isinstance(one, str):
            raise WrongError(f"text in {name}[{at}]", _kind(one))
    return value


def _literal(cell: str, name: str) -> Any:
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(cell.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise WrongError(f"a list of texts in {name}, as JSON or Python", show(cell, 40)) from error


def _decoded(path: Path, collection: Collection) -> Iterator[tuple[int, Any]]:
    for number, line in lines(path, str(path), collection):
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:
            collection.faults.append(Fault(str(path), number, None, "JSON", str(error)))


def _objects(found: Iterator[tuple[int, Any]], path: Path, collection: Collection) -> Numbered:
    for number, value in found:
        if isinstance(value, dict):
            yield number, value
        else:
            collection.faults.append(Fault(str(path), number, None, "an object", _kind(value)))


def _kind(value: Any) -> str:
    kinds = {list: "a list", dict: "an object", type(None): "null", bool: "true or false"}
    return kinds.get(type(value), show(str(value), 40))
