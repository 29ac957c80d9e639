"""Records out of lines: typed and fast where a line is good, explained where it is not."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import msgspec
from msgspec.inspect import StructType, type_info

from pipeline.adapters.datasets.lines import lines
from pipeline.adapters.datasets.mismatch import Finding, mismatches
from pipeline.checks.ids import label, show
from pipeline.contract.errors import Fault
from pipeline.contract.records import Collection

Row = TypeVar("Row", bound=msgspec.Struct)


class Reader(Generic[Row]):
    """Reads records of one kind.

    Args:
        kind: the struct that a line holds.
        names: fields that name a row, for messages and for what was lost.
        title: how a row with these names is called in front of a message.
    """

    def __init__(
        self, kind: type[Row], names: tuple[str, ...], title: Callable[..., str] = label
    ) -> None:
        self._decode = msgspec.json.Decoder(kind).decode
        self._encode = msgspec.json.Encoder().encode
        self._type = cast(StructType, type_info(kind))
        self._kind = kind
        self._names = names
        self._title = title

    def read(
        self,
        path: Path,
        name: str,
        collection: Collection,
        accept: Callable[[Row, str, int], None],
        lost: set[str | tuple[str, ...]],
    ) -> None:
        """Hand each good line of a file to `accept`, with its file and number.

        Args:
            path: the file.
            name: what it is called in messages.
            collection: takes faults and notes.
            accept: takes the rows.
            lost: takes the names of rows that were refused.
        """
        for number, line in lines(path, name, collection):
            try:
                row = self._decode(line)
            except (msgspec.DecodeError, RecursionError) as error:
                self._refuse(line, number, name, collection, lost, str(error))
                continue
            if self._repeats_a_key(line, row):
                self._refuse(line, number, name, collection, lost, "")
            else:
                accept(row, name, number)

    def _repeats_a_key(self, line: bytes, row: Row) -> bool:
        """Whether an object in a good line has a key twice, of which one was dropped.

        Written anew, a row has a colon for each key that was given a value and for each
        colon in a text. A line with as many cannot hold a key more. Others are looked at.
        """
        if line.count(b":") == self._encode(row).count(b":") and rb"\u003" not in line:
            return False
        return bool(explain(line, self._type)[0])

    def _refuse(
        self,
        line: bytes,
        number: int,
        name: str,
        collection: Collection,
        lost: set[str | tuple[str, ...]],
        otherwise: str,
    ) -> None:
        findings, value = explain(line, self._type)
        if not findings and otherwise:
            findings = [(f"a line that is a {self._kind.__name__.lower()}", otherwise)]
        words = self._identify(value)
        if words:
            lost.add(words[0] if len(words) == 1 else words)
        title = self._title(*words) if words else None
        collection.faults += [
            Fault(name, number, title, expected, got) for expected, got in findings
        ]

    def _identify(self, value: Any) -> tuple[str, ...] | None:
        """What names the row, as far as the line still tells."""
        if not isinstance(value, dict):
            return None
        defaults = {field.encode_name: field.default for field in self._type.fields}
        found = [value.get(name, defaults[name]) for name in self._names]
        if any(isinstance(one, list | dict) or one in (None, msgspec.NODEFAULT) for one in found):
            return None
        return tuple(str(one) for one in found)


def explain(line: bytes, wanted: Any) -> tuple[list[Finding], Any]:
    """Say everything that is wrong with a line, and what it holds as far as it is JSON."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        return [("UTF-8", f"the byte 0x{line[error.start]:02x} at byte {error.start}")], None
    twice: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            keys = [key for key, _ in pairs]
            twice.extend(sorted({key for key in keys if keys.count(key) > 1}))
        return value

    try:
        value = json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        return [("JSON", f"{error.msg} at column {error.colno}")], None
    except (ValueError, RecursionError) as error:
        return [("JSON", str(error))], None
    repeated = [("each field once", f"{show(key)} twice") for key in twice]
    return [*repeated, *mismatches(value, wanted)], value
