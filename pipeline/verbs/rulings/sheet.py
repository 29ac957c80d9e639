"""Sheets that people fill in: items to decide written as CSV, decisions taken back.

A sheet has the columns item, metric, annotator and decision, and then those of the item. It
does not show what a judge said, which would lead people. Cells that a spreadsheet could
take for a formula begin with an apostrophe.
"""

import csv
from collections.abc import Sequence
from pathlib import Path

from pipeline.checks.report import by_place
from pipeline.contract.errors import ConfigError, DataError, Fault, nearest
from pipeline.contract.files import replacing
from pipeline.contract.records import Collection
from pipeline.scoring.strata import draw
from pipeline.verbs.rulings.cells import escape
from pipeline.verbs.rulings.read import rows
from pipeline.verbs.rulings.records import Key, Kind, Ruling, Rulings, kind, number, spelled

HEAD = ("item", "metric", "annotator", "decision")
RULED = ("item", "metric", "annotator", "label", "role")
BANDS = 4
"""Parts that a judge's grades are cut into where there are more than that many."""


def sample(
    rulings: list[Ruling], found: Rulings, by: Sequence[str], n: int, seed: int
) -> list[Key]:
    """Draw items of one judge that nobody has labelled, by its label and the columns `by`.

    Args:
        rulings: of the judge, with labels.
        found: all rulings, to know what people have labelled.
        by: columns of items.
        n: how many; all where there are fewer.
        seed: of the draws.

    Returns:
        Keys in random order, so that the first rows of a sheet are a sample too.

    Raises:
        ConfigError: there are more strata than n, or nothing to draw from.
    """
    done = {one.key for one in found.rulings if one.role == "person" and one.label is not None}
    free = sorted((one for one in rulings if one.key not in done), key=lambda one: one.key)
    if not free:
        raise ConfigError("judge-sample", expected="items without people's label", got="none")
    bands = _bands([str(one.label) for one in rulings])
    strata = [
        (one.metric, bands[str(one.label)], *(found.items[one.item].get(c, "") for c in by))
        for one in free
    ]
    if n < len(set(strata)):
        expected = f"at least {len(set(strata))}, one item for each judge's label and slice"
        raise ConfigError("--n", expected=expected, got=str(n), remedy="or slice by fewer columns")
    return [free[at].key for at in draw(strata, n, seed=seed)]


def _bands(labels: list[str]) -> dict[str, str]:
    """The stratum of each label: itself, or a quarter of the judge's grades where they are many."""
    words = set(labels)
    if len(words) <= BANDS or any(number(word) is None for word in words):
        return {word: word for word in words}
    ranked = sorted(labels, key=float)
    first = {word: ranked.index(word) for word in words}
    return {word: str(first[word] * BANDS // len(ranked)) for word in words}


def write(path: Path, keys: Sequence[Key], found: Rulings, annotator: str) -> None:
    """Write a sheet; with a byte-order mark, from which spreadsheets know that it is UTF-8."""
    columns = [column for column in found.columns if column not in HEAD]
    cells = [
        [item, metric, annotator, "", *(found.items[item].get(c, "") for c in columns)]
        for metric, item in keys
    ]
    _csv(path, [*HEAD, *columns], cells)


def write_rulings(path: Path, rulings: Sequence[Ruling]) -> None:
    """Write rulings in the format of `records`."""
    cells = [[o.item, o.metric, o.annotator, o.label or "", o.role] for o in rulings]
    _csv(path, RULED, cells)


def _csv(path: Path, head: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    with (
        replacing(path) as temporary,
        temporary.open("w", encoding="utf-8-sig", newline="") as file,
    ):
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([map(escape, row) for row in [head, *cells]])


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
            decisions of nobody, of a judge, or made twice.
    """
    collection, taken, undecided = Collection(), Rulings(), 0
    allowed = _allowed(found, labels)
    judges = {one.annotator for one in found.rulings if one.role == "judge"}
    for name in sheets:
        if not Path(name).is_file():
            raise ConfigError("judge-take", expected="a file", got=name)
        for line, cells in rows(Path(name), ("item", "decision"), HEAD, collection):
            decision = cells["decision"].strip()
            metric = cells.get("metric", "").strip()
            who = cells.get("annotator", "").strip() or annotator or ""
            one = Ruling(metric, cells["item"], who, spelled(decision), "person", name, line)
            faults = _faults(one, found, allowed, judges, decided=bool(decision))
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


def _allowed(found: Rulings, labels: Sequence[str]) -> dict[str, tuple[Kind | None, list[str]]]:
    """For each metric the kind of its labels (None: the list is closed) and the labels."""
    given: dict[str, set[str]] = {}
    for one in found.rulings:
        given.setdefault(one.metric, set()).update([one.label] if one.label else [])
    if labels:
        return {metric: (None, [spelled(one) for one in labels]) for metric in given}
    allowed: dict[str, tuple[Kind | None, list[str]]] = {}
    for metric, words in given.items():
        what = kind(words)
        numeric = bool(words) and words <= {"0", "1"}
        full = ({"0", "1"} if numeric else {"yes", "no"}) if what == "yes/no" else words
        allowed[metric] = what, sorted(full)
    return allowed


def _faults(
    one: Ruling,
    found: Rulings,
    allowed: dict[str, tuple[Kind | None, list[str]]],
    judges: set[str],
    *,
    decided: bool,
) -> list[Fault]:
    faults = []
    items = {ruling.item for ruling in found.rulings if ruling.metric == one.metric}
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
