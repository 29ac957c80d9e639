"""The set that outputs are recorded for: its questions, and its corpus where it brings one."""

from dataclasses import dataclass
from pathlib import Path

from pipeline.adapters.datasets.declared import declare
from pipeline.adapters.datasets.decode import Reader
from pipeline.adapters.datasets.folder import Folder
from pipeline.adapters.datasets.jsonl import Jsonl
from pipeline.checks.documents import check_documents
from pipeline.checks.labels import carries_claims
from pipeline.checks.questions import check_questions
from pipeline.checks.report import by_place
from pipeline.contract.errors import ConfigError, DataError
from pipeline.contract.files import root
from pipeline.contract.records import Collection, Part, Question, Version

MEND = "mend the lines named above; nothing was asked and nothing written"


@dataclass(frozen=True)
class Opened:
    """A good set.

    Attributes:
        name: of its question set.
        documents: texts by id; None: it is a file of questions alone.
        questions: all of them.
        claims: whether it carries claim labels.
        out: where its responses lie; None: nowhere by itself.
    """

    name: str
    documents: dict[str, str] | None
    questions: Part[Question]
    claims: bool
    out: Path | None


def opened(given: str, documents: str | None) -> Opened:
    """Read a set's folder, or a file of questions.

    Args:
        given: the folder or file, a relative one from the project's folder.
        documents: a folder with another version of the corpus; None: there is none.

    Raises:
        ConfigError: a corpus is named for a file of questions.
        DataError: nothing of that name is there, or with every fault of the set.
    """
    path = root() / Path(given).expanduser()
    if path.is_file():
        if documents is not None:
            raise ConfigError("--documents", expected="a folder as --set", got="a file")
        collection = Collection(question_set=Version(name=path.stem))
        part = collection.questions
        Reader(Question, ("question_id",)).read(path, given, collection, part.add, part.lost)
        out = None
    else:
        collection = Jsonl(given, documents).load()
        folder = Folder.open(given, "documents.jsonl and questions.jsonl")
        out = folder.path / declare(folder, Collection()).responses
    faults = [*collection.faults, *check_questions(collection.questions, "open")]
    faults += check_documents(collection.documents, "open") if out else []
    if faults:
        raise DataError(by_place(faults), remedy=MEND)
    if not collection.questions.rows:
        raise ConfigError(f"--set {given}", expected="questions", got="none")
    texts = {row.doc_id: row.text or "" for row in collection.documents.rows}
    return Opened(
        collection.question_set.name or path.stem,
        texts if out else None,
        collection.questions,
        carries_claims(collection.questions, "auto"),
        out,
    )
