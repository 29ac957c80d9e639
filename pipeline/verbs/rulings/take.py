"""Sheets that people filled in -> their rulings, or every fault of every sheet."""

from collections.abc import Sequence
from pathlib import Path

from pipeline.checks.report import by_place
from pipeline.contract.errors import ConfigError, DataError, Fault, nearest
from pipeline.contract.records import Collection
from pipeline.rulings.read import rows
from pipeline.rulings.records import (
    Kind,
    Ruling,
    Rulings,
    kind,
    mixed,
    number,
    order,
    spelled,
)
from pipeline.verbs.rulings.sheet import HEAD


def take(
    sheets: Sequence[str], found: Rulings, labels: Sequence[str], annotator: str | None
) -> tuple[list[Ruling], int]:
    """Read the decisions of sheets.

    Args:
        sheets: CSV files; a row without a decision is work still to do.
        found: the rulings that the sheets were drawn from.
        labels: decisions that are allowed; none: those that a metric's rulings hold, and
            any number where they are grades.
        annotator: who decided where a row does not say.

    Returns:
        The rulings, by file and line, and how many rows are undecided.

    Raises:
        ConfigError: a sheet is not there.
        DataError: all faults of all sheets: unknown items, labels that are not allowed,
            decisions of nobody, of a judge, or made twice, and items whose words are other
            ones by now.
    """
    collection, taken, undecided = Collection(), Rulings(), 0
    allowed = _allowed(found, labels)
    known: dict[str, set[str]] = {}
    for ruling in found.rulings:
        known.setdefault(ruling.metric, set()).add(ruling.item)
    judges = {one.annotator for one in found.rulings if one.role == "judge"}
    for name in sheets:
        if not Path(name).is_file():
            raise ConfigError("judge-take", expected="a file", got=name)
        for line, cells in rows(Path(name), ("item", "decision"), HEAD, collection):
            decision = cells["decision"].strip()
            metric = cells.get("metric", "").strip()
            who = cells.get("annotator", "").strip() or annotator or ""
            one = Ruling(metric, cells["item"], who, spelled(decision), "person", name, line)
            faults = _faults(one, known, allowed, judges, decided=bool(decision))
            faults += _others(one, cells, found.items.get(one.item, {}))
            taken.faults += faults
            undecided += not decision
            if decision and not faults:
                taken.add(one)
    before = {(one.key, one.annotator): one for one in found.rulings}
    for one in taken.rulings:
        old = before.get((one.key, one.annotator))
        if old:
            expected = f"one decision by {one.annotator}"
            got = f"a second one; the first is in {old.file}:{old.line}"
            taken.faults.append(Fault(one.file, one.line, one.item, expected, got))
    faults = [*collection.faults, *taken.faults, *taken.repeated()]
    if faults:
        raise DataError(by_place(faults), remedy="mend the rows named above; nothing was taken")
    return taken.rulings, undecided


def _others(one: Ruling, cells: dict[str, str], item: dict[str, str]) -> list[Fault]:
    """Columns of a sheet that say something else than the rulings do: it is on other words."""
    return [
        Fault(one.file, one.line, one.item, f"{column} as in the rulings", repr(cell[:60]))
        for column, cell in cells.items()
        if column in item and cell and _bare(cell) != _bare(item[column])
    ]


def _bare(text: str) -> str:
    """Without white space, which spreadsheets do not all keep."""
    return "".join(text.split())


def _allowed(found: Rulings, labels: Sequence[str]) -> dict[str, tuple[Kind | None, list[str]]]:
    """For each metric the kind of its labels (None: the list is closed) and the labels."""
    given: dict[str, set[str]] = {}
    for one in found.rulings:
        given.setdefault(one.metric, set()).update([one.label] if one.label else [])
    if labels:
        return {metric: (None, [spelled(one) for one in labels]) for metric in given}
    allowed: dict[str, tuple[Kind | None, list[str]]] = {}
    for metric, words in given.items():
        what = kind(words) if not mixed(words) else None
        two = ("0", "1") if words and words <= {"0", "1"} else ("yes", "no")
        allowed[metric] = what, list(two) if what == "yes/no" else sorted(words, key=order)
    return allowed


def _faults(
    one: Ruling,
    known: dict[str, set[str]],
    allowed: dict[str, tuple[Kind | None, list[str]]],
    judges: set[str],
    *,
    decided: bool,
) -> list[Fault]:
    faults: list[tuple[str, str]] = []
    items = known.get(one.metric, set())
    if one.item not in items:
        expected = f"an item of the rulings{nearest(one.item, items)}"
        faults.append((expected, f"no such id{f' of metric {one.metric!r}' * bool(one.metric)}"))
    if decided and one.metric in allowed:
        what, words = allowed[one.metric]
        if not (one.label in words or (what == "grades" and number(one.label or "") is not None)):
            expected = "a number" if what == "grades" else " or ".join(words)
            faults.append((f"{expected} as decision", repr(one.label)))
    if decided and not one.annotator:
        faults.append(("an annotator", "none"))
    elif decided and one.annotator in judges:
        faults.append(("a person as annotator", f"the judge {one.annotator!r}"))
    return [Fault(one.file, one.line, one.item, *fault) for fault in faults]
