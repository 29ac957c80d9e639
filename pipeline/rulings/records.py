"""Rulings: who said what of which item; the one format that people and judges share.

A file of rulings is CSV with these columns, or JSONL with these fields:

| column | holds |
|---|---|
| `item` | id of what was ruled on: an answer, a claim with its citation, a passage |
| `annotator` | the person, or the judge's name |
| `label` | `yes`/`no` (`true`/`false` too), a number, or a word; blank: no ruling came |
| `metric` | what was asked, such as `support`; may be absent |
| `role` | `person` or `judge`; may be absent, then `--judge NAME` says who is one |

All other columns belong to the item: slices, or texts that people need to decide. One of them,
`words`, is a digest of the others, by which a label is known to be on these very words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Literal

from pipeline.contract.cells import ticket
from pipeline.contract.errors import Fault

COLUMNS = ("item", "annotator", "label")
OPTIONAL = ("metric", "role")
WORDS = "words"

Kind = Literal["yes/no", "grades", "categories"]
Key = tuple[str, str]
"""Metric and item."""


@dataclass(frozen=True)
class Ruling:
    """One label by one annotator; `label` is None where none came."""

    metric: str
    item: str
    annotator: str
    label: str | None
    role: str
    file: str
    line: int

    @property
    def key(self) -> Key:
        """What was ruled on."""
        return self.metric, self.item


@dataclass
class Rulings:
    """Rulings in the order of their files, and the further columns of each item."""

    rulings: list[Ruling] = field(default_factory=list)
    items: dict[str, dict[str, str]] = field(default_factory=dict)
    columns: dict[str, None] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def describe(self, item: str, cells: dict[str, str], file: str, line: int) -> None:
        """Keep further columns of an item; a cell that says something else is a fault."""
        known = self.items.setdefault(item, {})
        for column, cell in cells.items():
            self.columns[column] = None
            if cell and known.setdefault(column, cell) != cell:
                expected = f"one {column} for an item, {known[column]!r} as before"
                self.faults.append(Fault(file, line, item, expected, repr(cell)))

    def add(self, ruling: Ruling) -> None:
        """Keep a ruling."""
        self.rulings.append(ruling)

    def repeated(self) -> list[Fault]:
        """Rulings that their annotator has made before."""
        seen: dict[tuple[Key, str], Ruling] = {}
        found = []
        for one in self.rulings:
            first = seen.setdefault((one.key, one.annotator), one)
            if first is not one:
                expected = f"one ruling by {one.annotator}"
                got = f"a second one; the first is in {first.file}:{first.line}"
                found.append(Fault(one.file, one.line, one.item, expected, got))
        return found


def digest(cells: Mapping[str, str]) -> str:
    """What the further columns of an item say, as a ticket; blank ones say nothing."""
    return ticket("w", {name: cell for name, cell in cells.items() if cell and name != WORDS})


def spelled(label: str) -> str:
    """The one spelling of a label: yes and no, numbers without a needless point.

    >>> spelled(" True "), spelled("4.0"), spelled("Partly")
    ('yes', '4', 'Partly')
    """
    text = label.strip()
    found = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}.get(text.casefold())
    if found:
        return found
    value = number(text)
    return text if value is None else repr(value).removesuffix(".0")


def number(text: str) -> float | None:
    """The finite number that a label is, or None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value + 0.0 if isfinite(value) and "_" not in text else None


def order(label: str) -> tuple[float, str]:
    """What sorts labels: grades by value, words by letter, yes before no."""
    return number(label) or 0.0, {"yes": "", "no": "no"}.get(label, label)


def mixed(labels: set[str]) -> bool:
    """Whether some labels are numbers and some are words."""
    return len({number(label) is None for label in labels}) > 1


def kind(labels: set[str]) -> Kind:
    """What labels are: yes and no (0 and 1 too), grades, or categories.

    Raises:
        ValueError: some are numbers and some are words.
    """
    if labels <= {"yes", "no"}:
        return "yes/no"
    if mixed(labels):
        raise ValueError("numbers and words")
    if any(number(label) is None for label in labels):
        return "categories"
    return "yes/no" if labels <= {"0", "1"} else "grades"
