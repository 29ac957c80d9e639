"""Chroma's chunking benchmark: long texts, and questions with the spans that answer them.

`questions.csv` names for each question its corpus, one Markdown file, and the references in
it, each with its text and offsets. A reference is a mark on its characters; there are no
claims. Question n of a corpus, counted from 1, is `<corpus>-<n>`.

Source: Smith and Troynikov 2024, "Evaluating Chunking Strategies for Retrieval", Chroma;
files of github.com/brandonstarxel/chunking_evaluation.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec
from msgspec import Struct

from pipeline.adapters.datasets.folder import Folder
from pipeline.adapters.datasets.mismatch import mismatches
from pipeline.adapters.datasets.sheet import Row, read_sheet
from pipeline.checks.ids import label, show
from pipeline.contract.errors import Fault, nearest
from pipeline.contract.records import Collection, Document, Mark, Question, Version

QUESTIONS = "questions.csv"
COLUMNS = ("question", "references", "corpus_id")


class Reference(Struct, frozen=True, forbid_unknown_fields=True):
    """One passage that answers a question, with its offsets in code points."""

    content: str
    start_index: int
    end_index: int


@dataclass(frozen=True)
class Chunking:
    """Reads the folder `path`: questions.csv and the .md file of each corpus it names."""

    path: str

    def load(self) -> Collection:
        """Read the questions and their corpora, noting each fault.

        A reference whose text does not stand at its offsets is refused when labels are
        checked, for the marks carry that text.

        Raises:
            DataError: the folder or questions.csv is not there.
        """
        folder = Folder.open(self.path, f"{QUESTIONS} and a .md file for each corpus")
        about = Version(name="chunking")
        collection = Collection(corpus=about, question_set=about)
        table = folder.required(QUESTIONS, "one question a row")
        sheet = read_sheet(table, QUESTIONS, COLUMNS, (), collection)
        numbers: Counter[str] = Counter()
        marks: dict[str, list[Mark]] = {}
        for row in sheet.rows:
            corpus = row.get("corpus_id")
            numbers[corpus] += 1
            question = _question(row, f"{corpus}-{numbers[corpus]}", collection)
            if question is not None:
                collection.questions.add(question, QUESTIONS, row.line)
                marks.setdefault(corpus, []).extend(question.evidence or ())
        for corpus in sorted(filter(None, numbers)):
            _corpus(folder, corpus, marks.get(corpus, []), collection)
        _unread(folder, sheet.columns, numbers, collection)
        return collection


def _question(row: Row, id_: str, collection: Collection) -> Question | None:
    """The question of a row, or None and faults."""
    corpus = row.get("corpus_id")
    faults = []
    if not corpus:
        faults.append(Fault(QUESTIONS, row.line, None, "the name of a corpus in corpus_id", "none"))
    try:
        value = msgspec.json.decode(row.get("references") or "null")
    except msgspec.DecodeError as error:
        value, wrong = None, f"{show(row.get('references'))} ({error})"
        faults.append(Fault(QUESTIONS, row.line, label(id_), "JSON in references", wrong))
    else:
        wanted = msgspec.inspect.type_info(list[Reference])
        faults += [
            Fault(QUESTIONS, row.line, label(id_), expected, got)
            for expected, got in mismatches(value, wanted, "references")
        ]
    if faults:
        collection.faults += faults
        collection.questions.lost.add(id_)
        return None
    references = msgspec.convert(value, list[Reference])
    marks = [
        Mark(corpus, start=one.start_index, end=one.end_index, quote=one.content)
        for one in dict.fromkeys(references)
    ]
    return Question(
        id_,
        row.cells["question"],
        relevant=[corpus] if marks else [],
        evidence=marks or None,
        attributes={"corpus": corpus},
    )


def _corpus(folder: Folder, corpus: str, marks: list[Mark], collection: Collection) -> None:
    """Read one corpus as it stands, its line ends as its offsets were counted."""
    name = f"{corpus}.md"
    found = folder.inside(name)
    expected, got = f"the file of a corpus that {QUESTIONS} names", str(found)
    if not isinstance(found, str):
        try:
            text = found.read_bytes().decode()
        except UnicodeDecodeError as error:
            expected, got = "UTF-8", f"the byte 0x{error.object[error.start]:02x}"
        except OSError as error:
            expected, got = "a file that can be read", str(error.strerror)
        else:
            text = _counted(text, name, marks, collection)
            collection.documents.add(Document(corpus, text), name, 1)
            return
    collection.faults.append(Fault(name, None, None, expected, got))
    collection.documents.lost.add(corpus)


def _counted(text: str, name: str, marks: list[Mark], collection: Collection) -> str:
    """The text with the line ends under which more references stand at their offsets.

    Its publisher reads CRLF and CR as LF; a file that came by another way may have them.
    """
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if plain == text or _standing(plain, marks) <= _standing(text, marks):
        return text
    note = f"{name}: a byte-order mark, CRLF or CR left out, as offsets were counted without"
    collection.notes.append(note)
    return plain


def _standing(text: str, marks: Iterable[Mark]) -> int:
    return sum(text[mark.start : mark.end] == mark.quote for mark in marks)


def _unread(
    folder: Folder, columns: list[str], corpora: Iterable[str], collection: Collection
) -> None:
    """Note columns and corpora that nothing is read from."""
    for column in columns:
        if column not in COLUMNS:
            collection.notes.append(f"{QUESTIONS}: column {show(column)}, not read")
    known = {f"{corpus}.md" for corpus in corpora}
    for file in sorted(folder.path.glob("*.md")):
        if file.name not in known:
            collection.notes.append(f"{label(file.name)}: not read{nearest(file.name, known)}")
