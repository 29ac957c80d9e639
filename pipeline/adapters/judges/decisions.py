"""The folder in which people decide: its sheets read, and the sheet of what is asked written.

A sheet is a CSV file with the columns item, content, annotator and decision at least, in any
order; all others are for people. The sheet that is written, decide.csv, has a row for each
item; a row that people have filled in, and any column they have added, stays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from pipeline.adapters.datasets.sheet import Row, read_sheet
from pipeline.adapters.judges.asked import Item, Said
from pipeline.checks.ids import malformed, show
from pipeline.checks.report import by_place
from pipeline.contract.cells import unescape, write_cells
from pipeline.contract.errors import DataError, Fault
from pipeline.contract.files import canonical
from pipeline.contract.records import Collection

SHEET = "decide.csv"
HEAD = ("item", "content", "annotator", "decision")
SHOWN = ("allowed", "asked", "question", "expected", "answer", "sentence", "passage")
CELL = 30_000
"""Code points of a text that are shown: a cell of a spreadsheet holds 32,767."""

MEND = (
    "mend the rows named above, or give this run a folder of its own (judge.folder=…); "
    "nothing was judged"
)

Votes = dict[str, dict[str, Said]]
"""By item and annotator."""


@dataclass
class Sheets:
    """What lies in the folder, the guards of cells taken off."""

    rows: list[tuple[str, Row]] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def decided(self) -> list[tuple[str, Row]]:
        """Rows in which there is a decision, with the file of each."""
        return [(file, row) for file, row in self.rows if row.get("decision")]


def read(folder: Path, given: str) -> Sheets:
    """Read every .csv file of a folder, in order of name; hidden ones are left out.

    Args:
        folder: the folder; where it is not there, nothing was decided.
        given: what it is called in messages.
    """
    found, collection = Sheets(), Collection()
    for path in sorted(folder.glob("*")) if folder.is_dir() else ():
        if path.suffix.lower() != ".csv" or path.name.startswith(".") or not path.is_file():
            continue
        name = f"{given}/{path.name}"
        sheet = read_sheet(path, name, HEAD, SHOWN, collection, returned=True)
        for row in sheet.rows:
            cells = {unescape(column): unescape(cell) for column, cell in row.cells.items()}
            found.rows.append((name, Row(row.line, cells)))
        if path.name == SHEET:
            found.columns = [unescape(column) for column in sheet.columns]
    found.faults = collection.faults
    return found


def digest(sheets: Sheets) -> str:
    """Hash of what is decided; rows without a decision and the order of rows do not matter."""
    said = {tuple(row.get(name) for name in HEAD) for _, row in sheets.decided()}
    wrong = sorted(map(str, sheets.faults))
    return sha256(canonical([sorted(map(list, said)), wrong]).encode()).hexdigest()


def votes(sheets: Sheets, asked: Sequence[Item]) -> Votes:
    """What people said of the items that are asked now.

    Raises:
        DataError: every fault of every sheet: a row with a decision on an item that is not
            asked, or that was decided when its texts were others; a decision that is not
            allowed, or of nobody; two by one person that differ.
    """
    known = {item.id: item for item in asked}
    first: dict[tuple[str, str], tuple[Said, str]] = {}
    found: Votes = {}
    faults = list(sheets.faults)
    for file, row in sheets.decided():
        item, who = known.get(row.get("item")), row.get("annotator")
        wrong = _faults(item, row)
        said = item.read(row.get("decision")) if item else None
        if not wrong and item is not None and said is not None:
            before = first.setdefault((item.id, who), (said, f"{file}:{row.line}"))
            if before[0] == said:
                found.setdefault(item.id, {})[who] = said
                continue
            wrong = [(f"one decision by {who}", f"another one; the first is in {before[1]}")]
        faults += [Fault(file, row.line, show(row.get("item")), *one) for one in wrong]
    if faults:
        raise DataError(by_place(faults), remedy=MEND)
    return found


def _faults(item: Item | None, row: Row) -> list[tuple[str, str]]:
    if item is None:
        return [("an item that is asked in this run", "no such item")]
    if row.get("content") != item.content:
        expected = f"the item as it is asked in this run, content {item.content}"
        return [(expected, f"{show(row.get('content'))}: its texts have changed since")]
    faults = []
    if item.read(row.get("decision")) is None:
        faults.append((f"{item.allowed} as decision", show(row.get("decision"))))
    name = malformed(row.get("annotator"))
    if name:
        faults.append(("who decided in annotator", name))
    return faults


def put(path: Path, given: str, sheets: Sheets, asked: Sequence[Item]) -> None:
    """Write the sheet of what is asked, unless it has just these items already.

    Args:
        path: the sheet.
        given: the file's name in messages.
        sheets: what was read, without faults.
        asked: the items, in the order of their rows.
    """
    kept: dict[tuple[str, str], list[Row]] = {}
    for file, row in sheets.rows:
        if file == given:
            kept.setdefault((row.get("item"), row.get("content")), []).append(row)
    if set(kept) == {(item.id, item.content) for item in asked}:
        return
    own = [name for name in sheets.columns if name not in (*HEAD, *SHOWN)]
    columns = [*HEAD, *SHOWN, *own]
    rows: list[Mapping[str, str]] = []
    for item in asked:
        before = kept.get((item.id, item.content))
        rows += [one.cells for one in before] if before else [_blank(item)]
    write_cells(path, [columns, *([row.get(name, "") for name in columns] for row in rows)])


def _blank(item: Item) -> dict[str, str]:
    texts = {**item.shown, "allowed": item.allowed}
    cut = {
        name: text if len(text) <= CELL else f"{text[:CELL]} […]" for name, text in texts.items()
    }
    return {"item": item.id, "content": item.content, **cut}
