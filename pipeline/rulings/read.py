"""Files of rulings -> Rulings, every fault of every file with its line."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec.inspect import type_info

from pipeline.adapters.datasets.decode import explain
from pipeline.adapters.datasets.lines import lines
from pipeline.adapters.datasets.sheet import read_sheet
from pipeline.checks.ids import malformed
from pipeline.checks.report import by_place
from pipeline.contract.cells import unescape
from pipeline.contract.errors import ConfigError, DataError, Fault
from pipeline.contract.records import Collection, Scalar
from pipeline.rulings import mtrag
from pipeline.rulings.records import COLUMNS, OPTIONAL, Ruling, Rulings, spelled

FIELDS = type_info(dict[str, Scalar | None])
ROLES = ("", "person", "judge")
MEND = "mend the lines named above; nothing was reported"

Cells = tuple[int, dict[str, str]]


def read(
    files: Sequence[str], *, judges: Sequence[str], items: str | None = None, form: str = "rulings"
) -> Rulings:
    """Read files of rulings.

    Args:
        files: CSV (.csv) or JSONL; with `form` "mtrag" human evaluations of MT-RAG.
        judges: annotators that are judges, whatever their role says.
        items: a file with a column `item` and further ones, without rulings.
        form: "rulings" or "mtrag".

    Raises:
        ConfigError: a file is not there.
        DataError: all faults of all files.
    """
    found, collection = Rulings(), Collection()
    for name in [*files, *([items] if items else [])]:
        if not Path(name).is_file():
            raise ConfigError("rulings", expected="a file", got=name)
    for name in files:
        if form == "mtrag":
            mtrag.read(Path(name), found, judges)
        else:
            for line, cells in rows(Path(name), COLUMNS, OPTIONAL, collection):
                _add(found, cells, name, line, judges)
    for line, cells in rows(Path(items), ("item",), (), collection) if items else ():
        found.describe(cells.pop("item"), cells, str(items), line)
    faults = [*collection.faults, *found.faults, *found.repeated()]
    if faults:
        raise DataError(by_place(faults), remedy=MEND)
    return found


def rows(
    path: Path, required: Sequence[str], optional: Sequence[str], collection: Collection
) -> Iterator[Cells]:
    """Yield the line and the cells of each row, apostrophes that guard cells taken off."""
    if path.suffix.lower() == ".csv":
        sheet = read_sheet(path, str(path), required, optional, collection, returned=True)
        for row in sheet.rows:
            yield row.line, {unescape(column): unescape(cell) for column, cell in row.cells.items()}
        return
    for line, raw in lines(path, str(path), collection):
        findings, value = explain(raw, FIELDS)
        missing = [name for name in required if isinstance(value, dict) and name not in value]
        findings += [(f"a field {name}", "none") for name in missing]
        if findings:
            collection.faults += [Fault(str(path), line, None, *finding) for finding in findings]
        else:
            yield line, {name: _text(cell) for name, cell in value.items()}


def _text(value: Any) -> str:
    if value is None:
        return ""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _add(
    found: Rulings, cells: dict[str, str], file: str, line: int, judges: Sequence[str]
) -> None:
    item = cells.get("item", "")
    annotator, metric, role = (
        cells.get(name, "").strip() for name in ("annotator", "metric", "role")
    )
    faults = [
        Fault(file, line, None, f"an id as {name}", got)
        for name, got in (("item", malformed(item)), ("annotator", malformed(annotator)))
        if got
    ]
    if role not in ROLES:
        faults.append(Fault(file, line, item, "person or judge as role", repr(role)))
    found.faults += faults
    if faults:
        return
    label = spelled(cells.get("label", "")) or None
    role = "judge" if annotator in judges else role or "person"
    found.add(Ruling(metric, item, annotator, label, role, file, line))
    known = (*COLUMNS, *OPTIONAL)
    found.describe(item, {c: cell for c, cell in cells.items() if c not in known}, file, line)


def chosen(names: Iterable[str], wanted: Sequence[str]) -> list[str]:
    """Those names that are wanted, or all of them where nothing is."""
    return [name for name in names if not wanted or name in wanted]
