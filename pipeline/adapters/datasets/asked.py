"""Questions out of rows of a table: rows that ask the same thing belong together."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pipeline.adapters.datasets.sheet import Row
from pipeline.checks.ids import label, show
from pipeline.contract.errors import nearest

SPLITS = ("dev", "heldout")

Fail = Callable[[int, str, str, str], None]
"""Takes a fault: line, question, what was expected, what was found."""


@dataclass
class Asked:
    """One question with the rows that it has."""

    question_id: str
    text: str
    rows: list[Row] = field(default_factory=list)

    @property
    def line(self) -> int:
        """Where it is first asked."""
        return self.rows[0].line


def grouped(rows: list[Row], fail: Fail) -> list[Asked]:
    """Bring rows together by question_id, or where they have none by the question's text.

    Questions without an id are numbered in order of first appearance: q1, q2, …
    """
    good = [row for row in rows if row.get("question")]
    for row in rows:
        if not row.get("question"):
            fail(row.line, label(row.get("question_id") or "?"), "text in question", "none")
    ids: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for row in good:
        if row.get("question_id"):
            ids[row.get("question")][row.get("question_id")] = None
    taken = {id_ for found in ids.values() for id_ in found}
    found: dict[str, Asked] = {}
    for row in good:
        id_, text = row.get("question_id"), row.get("question")
        if not id_:
            if len(ids[text]) > 1:
                got = f"none, and {', '.join(map(show, ids[text]))} ask the same"
                fail(row.line, show(text), "a question_id", got)
                continue
            id_ = next(iter(ids[text]), "") or _next(taken, len(found) + 1)
            ids[text][id_] = None
            taken.add(id_)
        asked = found.setdefault(id_, Asked(id_, text))
        asked.rows.append(row)
        if text != asked.text:
            expected = f"the question that {label(id_)} is on line {asked.line}: {show(asked.text)}"
            fail(row.line, label(id_), expected, show(text))
    return list(found.values())


def agreed(asked: Asked, column: str, fail: Fail) -> str:
    """What the rows of a question say in a column, which has to be one thing; '': nothing."""
    said: dict[str, int] = {}
    for row in asked.rows:
        if row.get(column):
            said.setdefault(row.get(column), row.line)
    for value, line in list(said.items())[1:]:
        first, first_line = next(iter(said.items()))
        expected = f"{show(first)} in {column}, as on line {first_line}"
        fail(line, label(asked.question_id), expected, show(value))
    return next(iter(said), "")


def split(asked: Asked, fail: Fail) -> str | None:
    """The split of a question; None where no row says."""
    said = agreed(asked, "split", fail)
    if said and said not in SPLITS:
        line = next(row.line for row in asked.rows if row.get("split") == said)
        got = show(said) + nearest(said, SPLITS)
        fail(line, label(asked.question_id), "dev or heldout in split", got)
        return None
    return said or None


def attributes(asked: Asked, columns: list[str], fail: Fail) -> dict[str, str]:
    """What the further columns say of a question."""
    said: Iterator[tuple[str, str]] = ((name, agreed(asked, name, fail)) for name in columns)
    return {name: value for name, value in said if value}


def _next(taken: set[str], number: int) -> str:
    while f"q{number}" in taken:
        number += 1
    return f"q{number}"
