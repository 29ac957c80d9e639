"""BEIR's folders: a corpus and queries as JSON lines, judgements of each split as TSV.

Source: Thakur et al. 2021, "BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of
Information Retrieval Models", NeurIPS; github.com/beir-cellar/beir.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from pipeline.adapters.datasets.decode import Reader
from pipeline.adapters.datasets.folder import Folder
from pipeline.adapters.datasets.plain import plain_text
from pipeline.adapters.datasets.qrels import (
    Columns,
    Judged,
    Known,
    asked,
    fitting,
    grade_notes,
    read_qrels,
)
from pipeline.adapters.datasets.runs import Runs, run_files
from pipeline.checks.ids import label
from pipeline.checks.texts import blank
from pipeline.contract.errors import DataError, Fault
from pipeline.contract.records import Collection, Document, Version

HEAD = ("query-id", "corpus-id", "score")
COLUMNS = Columns(HEAD, "\t", topic=0, document=1, grade=2)


class Entry(Struct, frozen=True, forbid_unknown_fields=True, rename={"id": "_id"}):
    """One line of corpus.jsonl or of queries.jsonl; what `metadata` holds is not read."""

    id: str
    text: str
    title: str = ""
    metadata: Any = None


@dataclass(frozen=True)
class Beir:
    """Reads the folder `path`; fields as in conf/dataset/beir.yaml."""

    path: str
    split: Literal["train", "dev", "test"]
    titled: bool
    runs: str | None
    blank: Literal["refuse", "drop"]
    relevant_from: Annotated[int, Meta(ge=1)]
    order: Literal["rank", "score"]
    system: Literal["tag", "file"]

    def load(self) -> Collection:
        """Read corpus, judgements, the queries that these name and, if there are some, runs.

        Raises:
            DataError: a folder or file is not there.
        """
        folder = Folder.open(self.path, "corpus.jsonl, queries.jsonl and qrels/")
        about = Version(name=folder.path.name)
        order: Literal["list", "scores"] = "scores" if self.order == "score" else "list"
        collection = Collection(corpus=about, question_set=about, order=order)
        dropped = self._documents(folder, collection)
        queries = _queries(folder, collection)
        self._questions(folder, queries, dropped, collection)
        for path in run_files(self.runs):
            Runs(self.order, self.system, dropped).read(path, path.name, collection)
        return collection

    def _documents(self, folder: Folder, collection: Collection) -> frozenset[str]:
        """Add the documents; return the ids of those that were dropped."""
        dropped: list[str] = []
        titles = 0

        def accept(row: Entry, file: str, line: int) -> None:
            nonlocal titles
            text = f"{row.title} {row.text}".strip() if self.titled else row.text
            titles += self.titled and bool(row.title.strip())
            if blank(text) and self.blank == "drop":
                dropped.append(row.id)
            elif blank(text):
                got = "none (dataset.blank=drop leaves such documents out)"
                collection.faults.append(Fault(file, line, label(row.id), "text", got))
                collection.documents.lost.add(row.id)
            else:
                collection.documents.add(
                    Document(row.id, text, title=row.title or None), file, line
                )

        path = folder.required("corpus.jsonl", "one document a line")
        lost = collection.documents.lost
        Reader(Entry, ("_id",)).read(path, path.name, collection, accept, lost)
        if titles:
            collection.notes.append(f"the text of {titles:,} documents is title, space, text")
        if dropped:
            names = ", ".join(map(label, dropped))
            collection.notes.append(f"{len(dropped)} documents without text dropped: {names}")
        return frozenset(dropped)

    def _questions(
        self, folder: Folder, queries: dict[str, tuple[str, int]], dropped: frozenset[str],
        collection: Collection,
    ) -> None:  # fmt: skip
        name, rows = self._judged(folder, collection)
        ids = frozenset(document.doc_id for document in collection.documents.rows)
        lost = {str(one) for one in collection.documents.lost}
        asking = frozenset(queries) | {str(one) for one in collection.questions.lost}
        hint = "that queries.jsonl has"
        judged = fitting(rows, name, Known(asking, ids | lost, dropped), hint, collection)
        chosen = {row.topic for row in rows}
        for id_, (text, line) in queries.items():
            if id_ in chosen:
                question = asked(id_, text, judged.get(id_, []), self.relevant_from)
                collection.questions.add(question, "queries.jsonl", line)
        notes = grade_notes(judged, len(judged), self.relevant_from, name)
        left = len(queries.keys() - chosen)
        if left:
            notes.append(f"queries.jsonl: {left:,} queries that {name} does not judge left out")
        collection.notes += notes

    def _judged(self, folder: Folder, collection: Collection) -> tuple[str, list[Judged]]:
        """The name of the split's qrels, and what stands in them."""
        name = f"qrels/{self.split}.tsv"
        path = folder.path / name
        if not path.is_file():
            there = sorted(file.stem for file in path.parent.glob("*.tsv"))
            got = f"no such file; there are {', '.join(there)}" if there else "no such file"
            fault = Fault(name, None, None, "the judgements of the split", got)
            raise DataError([fault], remedy="choose another split: dataset.split=…")
        text = plain_text(path, name, "", collection)
        if not isinstance(text, str):
            collection.faults.append(Fault(name, None, None, *text))
            return name, []
        head = text.split("\n", 1)[0].split("\t")
        if tuple(cell.strip() for cell in head) != HEAD:
            got = " ".join(head)[:80]
            fault = Fault(name, 1, None, f"a first line with {' '.join(HEAD)}, by tabs", repr(got))
            collection.faults.append(fault)
            return name, []
        return name, read_qrels(text, name, COLUMNS, collection, head=True)


def _queries(folder: Folder, collection: Collection) -> dict[str, tuple[str, int]]:
    """Text and line of each query."""
    found: dict[str, tuple[str, int]] = {}

    def accept(row: Entry, file: str, line: int) -> None:
        if row.id in found:
            got = f"it again, first on line {found[row.id][1]}"
            collection.faults.append(Fault(file, line, label(row.id), "each query once", got))
        else:
            found[row.id] = row.text, line

    path = folder.required("queries.jsonl", "one query a line")
    lost = collection.questions.lost
    Reader(Entry, ("_id",)).read(path, path.name, collection, accept, lost)
    return found
