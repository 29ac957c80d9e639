"""Sheets for people to fill in, and files of rulings, both as CSV.

A sheet has the columns item, metric, annotator and decision, and then those of the item. It
does not show what a judge said, which would lead people. Cells that a spreadsheet could
take for a formula begin with an apostrophe.
"""

from collections.abc import Sequence
from pathlib import Path

from pipeline.contract.cells import write_cells
from pipeline.rulings.records import WORDS, Key, Ruling, Rulings, digest

HEAD = ("item", "metric", "annotator", "decision")
RULED = ("item", "metric", "annotator", "label", "role", WORDS)


def write(path: Path, keys: Sequence[Key], found: Rulings, annotator: str) -> None:
    """Write a sheet."""
    columns = [column for column in found.columns if column not in HEAD]
    cells = [
        [item, metric, annotator, "", *(found.items[item].get(c, "") for c in columns)]
        for metric, item in keys
    ]
    write_cells(path, [[*HEAD, *columns], *cells])


def write_rulings(path: Path, rulings: Sequence[Ruling], found: Rulings) -> None:
    """Write rulings in the format of `records`, each with the digest of what it is on.

    Args:
        path: the file.
        rulings: of people.
        found: what they ruled on.
    """
    cells = [
        [o.item, o.metric, o.annotator, o.label or "", o.role, digest(found.items.get(o.item, {}))]
        for o in rulings
    ]
    write_cells(path, [RULED, *cells])
