"""TREC's collections: documents and topics with tags, qrels, and run files of systems.

What a collection's files leave open is a setting: what its qrels call a topic by, what
becomes of documents without text, and from which grade on a document is relevant. Each says in
the notes what it did.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from pipeline.adapters.datasets.folder import Folder
from pipeline.adapters.datasets.plain import plain_text
from pipeline.adapters.datasets.qrels import (
    TREC,
    Columns,
    Known,
    asked,
    fitting,
    grade_notes,
    read_qrels,
)
from pipeline.adapters.datasets.runs import Runs, run_files
from pipeline.adapters.datasets.topics import elements, only, read_records, read_topics
from pipeline.checks.ids import label
from pipeline.checks.texts import blank
from pipeline.contract.errors import Fault
from pipeline.contract.records import Collection, Document, Version

COLUMNS = Columns(TREC, None, topic=0, document=2, grade=3)


@dataclass(frozen=True)
class Trec:
    """Reads the folder `path`; fields as in conf/dataset/trec.yaml."""

    path: str
    corpus: str
    topics: str
    qrels: str
    runs: str | None
    text: str
    query: str
    topics_by: Literal["num", "position"]
    blank: Literal["refuse", "drop"]
    relevant_from: Annotated[int, Meta(ge=1)]
    order: Literal["rank", "score"]
    system: Literal["tag", "file"]

    def load(self) -> Collection:
        """Read documents, topics, judgements and, where there are some, runs.

        Raises:
            DataError: a folder or file is not there.
        """
        folder = Folder.open(self.path, "documents, topics and qrels")
        about = Version(name=folder.path.name)
        order: Literal["list", "scores"] = "scores" if self.order == "score" else "list"
        collection = Collection(corpus=about, question_set=about, order=order)
        dropped = self._documents(folder, collection)
        path = folder.required(self.topics, "topics (dataset.topics)")
        topics = read_topics(path, self.topics, self.topics_by, self.query, collection)
        self._questions(folder, topics, dropped, collection)
        for path in run_files(self.runs):
            Runs(self.order, self.system, dropped).read(path, path.name, collection)
        return collection

    def _documents(self, folder: Folder, collection: Collection) -> frozenset[str]:
        """Add the documents; return the ids of those that were dropped."""
        files = sorted(path for path in folder.path.glob(self.corpus) if path.is_file())
        if not files:
            folder.required(self.corpus, "documents (dataset.corpus)")
        dropped: list[str] = []
        for file in files:
            name = file.relative_to(folder.path).as_posix()
            for record in read_records(file, name, "doc", collection):
                id_ = only(record, "docno", name, collection)
                if id_ is None:
                    continue
                text = record.text(elements(self.text))
                if blank(text) and self.blank == "drop":
                    dropped.append(id_)
                elif blank(text):
                    got = "none (dataset.blank=drop leaves such documents out)"
                    fault = Fault(name, record.line, label(id_), f"text in {self.text}", got)
                    collection.faults.append(fault)
                    collection.documents.lost.add(id_)
                else:
                    title = " ".join(record.text(("title", "headline")).split())
                    document = Document(id_, text, title=title or None)
                    collection.documents.add(document, name, record.line)
        if dropped:
            names = ", ".join(map(label, dropped))
            collection.notes.append(f"{len(dropped)} documents without text dropped: {names}")
        return frozenset(dropped)

    def _questions(
        self, folder: Folder, topics: dict[str, tuple[str, int]], dropped: frozenset[str],
        collection: Collection,
    ) -> None:  # fmt: skip
        path = folder.required(self.qrels, "judgements (dataset.qrels)")
        text = plain_text(path, self.qrels, "", collection)
        if not isinstance(text, str):
            collection.faults.append(Fault(self.qrels, None, None, *text))
            text = ""
        rows = read_qrels(text, self.qrels, COLUMNS, collection, head=False)
        ids = frozenset(document.doc_id for document in collection.documents.rows)
        lost = {str(one) for one in collection.documents.lost}
        known = Known(frozenset(topics), ids | lost, dropped)
        hint = "by its <num>, or by position with dataset.topics_by=position"
        if self.topics_by == "position":
            hint = f"by position, 1 to {len(topics)}"
        judged = fitting(rows, self.qrels, known, hint, collection)
        for topic, (words, line) in topics.items():
            question = asked(topic, words, judged.get(topic), self.relevant_from)
            collection.questions.add(question, self.topics, line)
        notes = grade_notes(judged, len(topics), self.relevant_from, self.qrels)
        collection.notes += notes
