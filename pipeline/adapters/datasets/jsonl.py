"""A set of one's own: a folder with documents, questions and recorded responses as JSON lines.

The fields are those of `pipeline.contract.records`.
"""

from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from pipeline.adapters.datasets.declared import Files, declare
from pipeline.adapters.datasets.decode import Reader
from pipeline.adapters.datasets.folder import Folder
from pipeline.adapters.datasets.lines import BOM
from pipeline.checks.ids import label, show
from pipeline.checks.responses import name as title
from pipeline.contract.errors import Fault
from pipeline.contract.records import Collection, Document, Question, Response

HOLDS = {
    "documents": "one document a line",
    "questions": "one question a line",
    "responses": "one response a line",
}


@dataclass(frozen=True)
class Jsonl:
    """Reads the folder `path`: documents.jsonl, questions.jsonl and, optional, responses.jsonl.

    A `set.yaml` beside them may name versions, terms and other file names.
    """

    path: str

    def load(self) -> Collection:
        """Read everything there is, noting each fault.

        Raises:
            DataError: the folder, the documents or the questions are not there.
        """
        folder = Folder.open(self.path, "documents.jsonl and questions.jsonl")
        collection = Collection()
        names = declare(folder, collection)
        _documents(folder, names.documents, collection)
        questions = collection.questions
        path = folder.required(names.questions, HOLDS["questions"])
        reader = Reader(Question, ("question_id",))
        reader.read(path, names.questions, collection, questions.add, questions.lost)
        _responses(folder, names, collection)
        _unread(folder, names, collection)
        return collection


def _documents(folder: Folder, name: str, collection: Collection) -> None:
    documents = collection.documents

    def accept(row: Document, file: str, line: int) -> None:
        if row.text_file is not None:
            text = _text(folder, row, file, line, collection)
            if text is None:
                documents.lost.add(row.doc_id)
                return
            row = replace(row, text=text, text_file=None)
        documents.add(row, file, line)

    path = folder.required(name, HOLDS["documents"])
    Reader(Document, ("doc_id",)).read(path, name, collection, accept, documents.lost)


def _text(
    folder: Folder, row: Document, file: str, line: int, collection: Collection
) -> str | None:
    """The text that a document keeps in a file of its own, rid of framing."""
    found = folder.inside(row.text_file or "")
    expected, got = "a file of the folder in text_file", str(found)
    if row.text is not None:
        expected, got = "text or text_file", "both"
    elif isinstance(found, Path):
        try:
            raw = found.read_bytes()
            text = raw.decode()
        except UnicodeDecodeError as error:
            expected = "UTF-8 in text_file"
            byte = f"the byte 0x{raw[error.start]:02x} at byte {error.start}"
            got = f"{show(str(row.text_file))} with {byte}"
        except OSError as error:
            expected = "a file that can be read in text_file"
            got = f"{show(str(row.text_file))} ({error.strerror})"
        else:
            text = text.removeprefix("\ufeff")
            if raw.startswith(BOM):
                collection.notes.append(f"{label(str(row.text_file))}: a byte-order mark, left out")
            if "\r\n" in text:
                collection.notes.append(
                    f"{label(str(row.text_file))}: lines that end in CRLF, read as LF"
                )
            return text.replace("\r\n", "\n")
    collection.faults.append(Fault(file, line, label(row.doc_id), expected, got))
    return None


def _responses(folder: Folder, names: Files, collection: Collection) -> None:
    """Read recorded outputs, if there are any."""
    responses = collection.responses
    if not (folder.path / names.responses).exists():
        return
    path = folder.required(names.responses, HOLDS["responses"])
    reader = Reader(Response, ("system", "repeat", "question_id"), title)
    reader.read(path, names.responses, collection, responses.add, responses.lost)


def _unread(folder: Folder, names: Files, collection: Collection) -> None:
    """Note files that look like parts of the set and are none, such as a misspelt one."""
    read = {Path(name).name for name in vars(names).values()}
    for file in sorted(folder.path.glob("*.jsonl")):
        if file.name not in read:
            collection.notes.append(f"{label(file.name)}: not read")
