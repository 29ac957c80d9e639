"""TREC's records as they are named: by one element each; and topics out of them."""

from pathlib import Path
from typing import Literal

from pipeline.adapters.datasets.plain import plain_text
from pipeline.adapters.datasets.tagged import Tagged, records
from pipeline.checks.ids import label, show
from pipeline.contract.errors import Fault
from pipeline.contract.records import Collection

BEFORE = {"num": "number:", "title": "topic:", "desc": "description:", "narr": "narrative:"}
"""What old topics say in front of a field."""

SHOWN = 5
"""Topics with another number that a note names."""


def read_records(path: Path, name: str, tag: str, collection: Collection) -> list[Tagged]:
    """The records of a file; faults where it is none, or holds none.

    Args:
        path: the file.
        name: what it is called in messages.
        tag: that of a record.
        collection: takes faults and notes.
    """
    text = plain_text(path, name, "", collection)
    if not isinstance(text, str):
        collection.faults.append(Fault(name, None, None, *text))
        return []
    before = len(collection.faults)

    def fail(line: int, expected: str, got: str) -> None:
        collection.faults.append(Fault(name, line, None, expected, got))

    found = list(records(text, tag, fail))
    if not found and len(collection.faults) == before:
        collection.faults.append(Fault(name, None, None, f"records <{tag}> … </{tag}>", "none"))
    return found


def only(record: Tagged, name: str, file: str, collection: Collection) -> str | None:
    """The one text of the element that names a record; None, and a fault, without it."""
    texts = [text for text in record.elements.get(name, []) if text]
    if len(texts) == 1:
        return _unprefixed(texts[0], name)
    got = ", ".join(map(show, texts or [f"<{one}>" for one in record.elements])) or "nothing"
    collection.faults.append(Fault(file, record.line, None, f"one <{name}>", got))
    return None


def read_topics(
    path: Path, name: str, by: Literal["num", "position"], query: str, collection: Collection
) -> dict[str, tuple[str, int]]:
    """Text and line of each topic, by what qrels and runs call it.

    Args:
        path: the file.
        name: what it is called in messages.
        by: `num`, the element; `position`, from 1. Where it is the latter, a note says how
            many topics have another number, and which come first.
        query: elements that make up the text, on one line.
        collection: takes faults and notes.
    """
    found: dict[str, tuple[str, int]] = {}
    others = []
    for at, record in enumerate(read_records(path, name, "top", collection), 1):
        number = only(record, "num", name, collection)
        if number is None:
            continue
        id_ = str(at) if by == "position" else number
        if id_ in found:
            got = f"it again, first on line {found[id_][1]}"
            collection.faults.append(Fault(name, record.line, label(id_), "each topic once", got))
            continue
        if id_ != number:
            others.append(f"{id_} is <num> {number}")
        words = (_field(record, element) for element in elements(query))
        found[id_] = " ".join(filter(None, words)), record.line
    if by == "position":
        collection.notes.append(
            f"{name}: topics are called by their position in the file; of {len(found):,}, "
            f"{len(others):,} have another <num>{_examples(others)}"
        )
    return found


def _examples(others: list[str]) -> str:
    more = f"; and {len(others) - SHOWN:,} more" if len(others) > SHOWN else ""
    return f": {'; '.join(others[:SHOWN])}{more}" if others else ""


def elements(given: str) -> tuple[str, ...]:
    """`title,text` -> the names of these elements."""
    return tuple(name.strip().lower() for name in given.split(","))


def _field(record: Tagged, name: str) -> str:
    """The text of an element of a topic, on one line."""
    return " ".join(_unprefixed(record.text((name,)), name).split())


def _unprefixed(text: str, name: str) -> str:
    before = BEFORE.get(name, "")
    return text[len(before) :].strip() if text.lower().startswith(before) else text
