"""A folder of texts and a table of questions with the words that answer them.

Every .txt and .md file is a document, and `questions.csv` has a row for each quote:

    question, quote[, question_id, document, claim, split, any further column]

An empty quote: nothing in the folder answers the question. Rows with the same question (or
question_id) are several quotes of one; each quote is a claim, in the words of `claim` or its
own, and quotes for the same words are evidence for one claim. Further columns are attributes.
"""

from dataclasses import dataclass
from pathlib import Path

from pipeline.adapters.datasets.asked import Asked, attributes, grouped, split
from pipeline.adapters.datasets.declared import FILE, Files, declare
from pipeline.adapters.datasets.folder import Folder
from pipeline.adapters.datasets.plain import plain_text
from pipeline.adapters.datasets.quoted import Quotes, Span
from pipeline.adapters.datasets.sheet import Row, read_sheet
from pipeline.checks.ids import Lookalikes, label, show
from pipeline.checks.texts import blank
from pipeline.contract.errors import DataError, Fault, nearest
from pipeline.contract.records import Collection, Document, Mark, Question

QUESTIONS = "questions.csv"
REQUIRED = ("question", "quote")
OPTIONAL = ("question_id", "document", "claim", "split")
TEXTS = (".txt", ".md")


@dataclass(frozen=True)
class Texts:
    """Reads the folder `path`: .txt and .md files at any depth, and questions.csv.

    A document's id is its path below the folder. Hidden files are left out.
    """

    path: str

    def load(self) -> Collection:
        """Read everything there is, noting each fault.

        Raises:
            DataError: the folder, its texts or questions.csv are not there.
        """
        folder = Folder.open(self.path, f"{' and '.join(TEXTS)} files and {QUESTIONS}")
        collection = Collection()
        if declare(folder, collection) != Files():
            expected = "no files section, for the files have their names"
            collection.faults.append(Fault(FILE, None, None, expected, "one"))
        table = folder.required(QUESTIONS, "one question or quote a row")
        _documents(folder, collection)
        sheet = read_sheet(table, QUESTIONS, REQUIRED, OPTIONAL, collection)
        further = [name for name in sheet.columns if name not in (*REQUIRED, *OPTIONAL)]
        building = _Building(collection)
        for asked in grouped(sheet.rows, building.fail):
            building.add(asked, further)
        return collection


def _documents(folder: Folder, collection: Collection) -> None:
    """Read every text below the folder; name what lies there and is none.

    Raises:
        DataError: there is no text.
    """
    documents, others = collection.documents, []
    for name in sorted(_visible(folder.path)):
        if Path(name).suffix.lower() not in TEXTS:
            others += [label(name)] if name not in (QUESTIONS, FILE) else []
            continue
        found = folder.inside(name)
        text = (
            ("a file of the folder", found)
            if isinstance(found, str)
            else plain_text(found, name, "", collection)
        )
        if isinstance(text, str):
            documents.add(Document(name, text), name, 1)
        else:
            collection.faults.append(Fault(name, None, None, *text))
            documents.lost.add(name)
    if not documents.rows and not documents.lost:
        got = "none" if not others else f"only {', '.join(others[:5])}"
        fault = Fault(folder.given, None, None, f"{' or '.join(TEXTS)} files", got)
        raise DataError([fault], remedy="give the folder as dataset.path=…")
    if others:
        collection.notes.append(f"neither {' nor '.join(TEXTS)}, not read: {', '.join(others)}")


def _visible(top: Path) -> list[str]:
    """Paths of the files below a folder that are not hidden, nor in a hidden folder."""
    found = (file.relative_to(top) for file in top.rglob("*") if file.is_file())
    return [file.as_posix() for file in found if not any(p.startswith(".") for p in file.parts)]


class _Building:
    """The questions as they grow, row by row."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self._texts = {row.doc_id: row.text or "" for row in collection.documents.rows}
        self._quotes = Quotes(self._texts)
        self._lookalikes = Lookalikes(self._texts)

    def fail(self, line: int, id_: str, expected: str, got: str) -> None:
        """Note a fault of a row."""
        self._collection.faults.append(Fault(QUESTIONS, line, id_, expected, got))

    def add(self, asked: Asked, further: list[str]) -> None:
        """Turn the rows of one question into the question, or into faults."""
        found = len(self._collection.faults)
        part = split(asked, self.fail)
        facts = attributes(asked, further, self.fail)
        wordings = self._wordings(asked)
        marks = self._marks(asked, wordings)
        if len(self._collection.faults) > found:
            self._collection.questions.lost.add(asked.question_id)
            return
        claims = {claim: wording for wording, claim in wordings.items()}
        support = {
            claim: sorted({mark.doc_id for mark in marks if mark.claim_id == claim})
            for claim in claims
        }
        question = Question(
            asked.question_id,
            asked.text,
            relevant=sorted({mark.doc_id for mark in marks}),
            support=support,
            claims=claims or None,
            evidence=marks or None,
            split="heldout" if part == "heldout" else "dev" if part else None,
            attributes=dict(facts),
        )
        self._collection.questions.add(question, QUESTIONS, asked.line)

    def _wordings(self, asked: Asked) -> dict[str, str]:
        """The id of each claim by its words: c1, c2, … in order."""
        words = dict.fromkeys(_wording(row) for row in asked.rows if _quote(row))
        return {wording: f"c{number}" for number, wording in enumerate(words, 1)}

    def _marks(self, asked: Asked, wordings: dict[str, str]) -> list[Mark]:
        """A mark for each quote that was found."""
        id_ = label(asked.question_id)
        quoted = [row for row in asked.rows if _quote(row)]
        for row in asked.rows:
            beside = [name for name in ("document", "claim") if row.get(name)]
            if not _quote(row) and (beside or len(asked.rows) > 1):
                where = f"beside {' and '.join(beside)}" if beside else "in every row, or one row"
                self.fail(row.line, id_, f"a quote {where}", "none")
        first: dict[Mark, int] = {}
        for row in quoted:
            found = self._find(row, id_)
            if found is not None:
                doc_id, start, end = found
                claim = wordings[_wording(row)]
                mark = Mark(doc_id, claim, start=start, end=end, quote=_quote(row))
                before = first.setdefault(mark, row.line)
                if before != row.line:
                    got = f"it again, first on line {before}"
                    self.fail(row.line, id_, "each quote once for a claim", got)
        return list(first)

    def _find(self, row: Row, id_: str) -> Span | None:
        """Where the quote of a row stands; None, and a fault, where that is not one place."""
        quote, document = _quote(row), row.get("document")
        if blank(quote):
            self.fail(row.line, id_, "a quote that is not blank, or none", show(quote))
        elif document and document not in self._texts:
            if document not in self._collection.documents.lost:
                hint = self._lookalikes.hint(document) or nearest(document, self._texts)
                self.fail(row.line, id_, "a file of the folder in document", show(document) + hint)
        else:
            found = self._quotes.find(quote, document or None)
            if len(found) == 3:
                return found
            if not self._collection.documents.lost:
                self.fail(row.line, id_, *found)
        return None


def _quote(row: Row) -> str:
    """The quote as it stands, white space at its ends included."""
    return row.cells.get("quote", "")


def _wording(row: Row) -> str:
    return row.get("claim") or _quote(row)
