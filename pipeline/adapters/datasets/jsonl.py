"""A set of one's own: a folder with documents, questions and recorded responses as JSON lines.

The fields are those of `pipeline.contract.records`.
"""

import dataclasses
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from pipeline.adapters.datasets.declared import Files, declare
from pipeline.adapters.datasets.decode import Reader
from pipeline.adapters.datasets.folder import Folder
from pipeline.adapters.datasets.mismatch import Finding
from pipeline.adapters.datasets.plain import plain_text
from pipeline.checks.ids import label
from pipeline.checks.responses import name as title
from pipeline.contract.errors import Fault
from pipeline.contract.records import Collection, Document, Question, Response, shelved
from pipeline.contract.shelf import Shelf

HOLDS = {
    "documents": "one document a line",
    "questions": "one question a line",
    "responses": "one response a line",
}


@dataclass(frozen=True)
class Jsonl:
    """Reads the folder `path`: documents.jsonl, questions.jsonl and, optional, responses.jsonl.

    A `set.yaml` beside them may name versions, terms and other file names. Another version
    of the corpus may lie in a folder of its own: `documents`, from which documents.jsonl and
    the corpus section of set.yaml are taken instead. Labels that do not hold for it are
    refused, or (`stale: exclude`) their questions are not labelled.
    """

    path: str
    documents: str | None = None
    stale: Literal["refuse", "exclude"] = "refuse"

    def load(self) -> Collection:
        """Read everything there is, noting each fault.

        Raises:
            DataError: a folder, the documents or the questions are not there.
        """
        folder = Folder.open(self.path, "documents.jsonl and questions.jsonl")
        collection = Collection(stale=self.stale)
        names = declare(folder, collection)
        if self.documents is None:
            _documents(folder, names.documents, "", collection)
        else:
            _elsewhere(self.documents, collection)
        questions = collection.questions
        path = folder.required(names.questions, HOLDS["questions"])
        reader = Reader(Question, ("question_id",))
        reader.read(path, names.questions, collection, questions.add, questions.lost)
        _responses(folder, names, collection)
        _unread(folder, names, collection)
        return collection


def _elsewhere(given: str, collection: Collection) -> None:
    """Read the corpus, and what it says of itself, from a folder of its own."""
    folder = Folder.open(given, "documents.jsonl", key="documents")
    prefix = f"{folder.path.name}/"
    theirs = Collection()
    names = declare(folder, theirs)
    collection.corpus = theirs.corpus
    collection.faults += [
        dataclasses.replace(fault, file=prefix + fault.file) for fault in theirs.faults
    ]
    _documents(folder, names.documents, prefix, collection)


def _documents(folder: Folder, name: str, prefix: str, collection: Collection) -> None:
    """Read the documents; `prefix` stands before the file's name in messages."""
    documents = collection.documents

    def accept(row: Document, file: str, line: int) -> None:
        if row.text_file is not None:
            text = _text(folder, row, collection)
            if not isinstance(text, str):
                collection.faults.append(Fault(file, line, label(row.doc_id), *text))
                documents.lost.add(row.doc_id)
                return
            row = replace(row, text=text, text_file=None)
        documents.add(row, file, line)

    path = folder.required(name, HOLDS["documents"])
    reader = Reader(Document, ("doc_id",))
    reader.read(path, f"{prefix}{name}", collection, accept, documents.lost)


def _text(folder: Folder, row: Document, collection: Collection) -> str | Finding:
    """The text that a document keeps in a file of its own, or what is wrong with it."""
    name = row.text_file or ""
    found = folder.inside(name)
    if row.text is not None:
        return "text or text_file", "both"
    if isinstance(found, str):
        return "a file of the folder in text_file", found
    return plain_text(found, name, " in text_file", collection)


def _responses(folder: Folder, names: Files, collection: Collection) -> None:
    """Read recorded outputs, if there are any."""
    responses = collection.responses
    if not os.path.lexists(folder.path / names.responses):
        return
    path = folder.required(names.responses, HOLDS["responses"])
    shelf = Shelf()

    def accept(row: Response, file: str, line: int) -> None:
        responses.add(shelved(row, shelf), file, line)

    reader = Reader(Response, ("system", "repeat", "question_id"), title)
    reader.read(path, names.responses, collection, accept, responses.lost)


def _unread(folder: Folder, names: Files, collection: Collection) -> None:
    """Note files that look like parts of the set and are none, such as a misspelt one."""
    read = {Path(name).name for name in vars(names).values()}
    for file in sorted(folder.path.glob("*.jsonl")):
        if file.name not in read:
            collection.notes.append(f"{label(file.name)}: not read")
