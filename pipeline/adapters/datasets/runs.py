"""TREC's run files: lines `topic Q0 document rank score tag`, as responses of a system.

With `order: rank` the ranks are the order, whatever the scores say. With `order: score` only
the scores count: falling, and documents of one score by their ids; ties are counted.
"""

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Literal, NamedTuple

from pipeline.adapters.datasets.folder import place
from pipeline.adapters.datasets.plain import plain_text
from pipeline.checks.ids import label, show
from pipeline.contract.errors import DataError, Fault, nearest
from pipeline.contract.records import Collection, Response

COLUMNS = ("topic", "Q0", "document", "rank", "score", "tag")


class Line(NamedTuple):
    """One ranked document; a tuple, since there are millions."""

    doc_id: str
    rank: int
    score: float
    line: int


@dataclass(frozen=True)
class Runs:
    """How run files are read.

    Attributes:
        order: what the ranking goes by.
        system: what a system is called by: its tag, or the file's name without its ending.
        dropped: documents that left the corpus, and so leave the lists.
    """

    order: Literal["rank", "score"]
    system: Literal["tag", "file"]
    dropped: frozenset[str]

    def read(self, path: Path, name: str, collection: Collection) -> None:
        """Add the responses of one file, noting each fault."""
        text = plain_text(path, name, "", collection)
        if not isinstance(text, str):
            collection.faults.append(Fault(name, None, None, *text))
            return
        lists: defaultdict[tuple[str, str], list[Line]] = defaultdict(list)
        lost: set[tuple[str, str]] = set()
        for number, row in enumerate(text.split("\n"), 1):
            cells = row.split()
            if not cells:
                continue
            fault = _fault(cells)
            if fault is not None:
                where = label(cells[0]) if len(cells) == len(COLUMNS) else None
                collection.faults.append(Fault(name, number, where, *fault))
                if len(cells) == len(COLUMNS):
                    lost.add((self._called(cells[5], path), cells[0]))
                continue
            topic, _, document, rank, score, tag = cells
            entry = Line(document, int(rank), float(score), number)
            lists[self._called(tag, path), topic].append(entry)
        self._add(lists, lost, name, collection)

    def _called(self, tag: str, path: Path) -> str:
        return tag if self.system == "tag" else path.stem

    def _add(
        self, lists: dict[tuple[str, str], list[Line]], lost: set[tuple[str, str]],
        name: str, collection: Collection,
    ) -> None:  # fmt: skip
        rising = shortened = 0
        for (system, topic), entries in lists.items():
            ranked = self._ordered(system, topic, entries, name, collection)
            if ranked is None or (system, topic) in lost:
                collection.responses.lost.add((system, "1", topic))
                continue
            kept = [entry for entry in ranked if entry.doc_id not in self.dropped]
            shortened += len(kept) < len(ranked)
            scores = [entry.score for entry in kept]
            rising += any(after > before for before, after in pairwise(scores))
            response = Response(
                system, topic, retrieved=[entry.doc_id for entry in kept], scores=scores
            )
            collection.responses.add(response, name, min(entry.line for entry in entries))
        for system, topic in lost - set(lists):
            collection.responses.lost.add((system, "1", topic))
        if rising:
            collection.notes.append(
                f"{name}: in {rising:,} lists a score rises along the ranks; the ranks hold"
            )
        if shortened:
            note = (
                f"{name}: dropped documents left out of {shortened:,} lists; what is below moves up"
            )
            collection.notes.append(note)

    def _ordered(
        self, system: str, topic: str, entries: list[Line], name: str, collection: Collection
    ) -> list[Line] | None:
        if self.order == "score":
            return sorted(entries, key=lambda entry: (-entry.score, entry.doc_id))
        first: dict[int, int] = {}
        good = True
        for entry in entries:
            before = first.setdefault(entry.rank, entry.line)
            if before != entry.line:
                expected = "each rank once (dataset.order=score goes by the scores)"
                got = f"rank {entry.rank} again, first on line {before}"
                where = f"{label(system)} / {label(topic)}"
                collection.faults.append(Fault(name, entry.line, where, expected, got))
                good = False
        return sorted(entries, key=lambda entry: entry.rank) if good else None


def _fault(cells: list[str]) -> tuple[str, str] | None:
    """What is wrong with the columns of a line; None: nothing."""
    if len(cells) != len(COLUMNS):
        expected = f"{len(COLUMNS)} columns: {' '.join(COLUMNS)}"
        return expected, f"{len(cells)}: {show(' '.join(cells))}"
    rank, score = cells[3:5]
    if not rank.isdecimal():
        return "a whole number of 0 or more as rank", show(rank)
    try:
        finite = isfinite(float(score))
    except ValueError:
        finite = False
    return None if finite else ("a finite number as score", show(score))


def run_files(given: str | None) -> list[Path]:
    """The run files: one that is named, or those of a folder, hidden ones left out.

    Raises:
        DataError: nothing of that name is there, or the folder is empty.
    """
    if given is None:
        return []
    path = place(given)
    if path.is_file():
        return [path]
    inside = sorted(path.glob("*")) if path.is_dir() else []
    files = [file for file in inside if file.is_file() and not file.name.startswith(".")]
    if not files:
        beside = [one.name for one in path.parent.glob("*")] if path.parent.is_dir() else []
        got = "an empty folder" if path.is_dir() else f"no such file{nearest(path.name, beside)}"
        fault = Fault(given, None, None, "a run file or a folder of them", got)
        raise DataError([fault], remedy="give it as dataset.runs=…, or null for none")
    return files
