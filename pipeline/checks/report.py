"""The faults of one kind of rows, each with the file, the line and the id of its row."""

from collections.abc import Callable
from typing import Generic, TypeVar

from pipeline.contract.errors import Fault
from pipeline.contract.records import Part

Row = TypeVar("Row")


class Report(Generic[Row]):
    """Collects faults; `name` says how a row is called in front of a message."""

    def __init__(self, part: Part[Row], name: Callable[[Row], str]) -> None:
        self.faults: list[Fault] = []
        self._part = part
        self._name = name

    def add(self, row: int, expected: str, got: str) -> None:
        """Note one fault of the row at that position."""
        part = self._part
        name = self._name(part.rows[row])
        self.faults.append(Fault(part.files[row], part.lines[row], name, expected, got))

    def place(self, row: int, seen_from: int) -> str:
        """Name the line of a row, and its file where that is another than the reader's."""
        part = self._part
        line = f"line {part.lines[row]}"
        same = part.files[row] == part.files[seen_from]
        return line if same else f"{line} of {part.files[row]}"


def by_place(faults: list[Fault]) -> list[Fault]:
    """Sort faults by file and line; within a line they keep their order."""
    return sorted(faults, key=lambda fault: (fault.file, fault.line or 0))
