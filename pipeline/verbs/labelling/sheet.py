"""Two sheets for people to fill in, as CSV: one of passages, one of expected claims.

On the sheet of passages a row is a question and a document. `item` and `content` are for
taking it back: which pair it is, and what its texts were; ids that a spreadsheet has spoilt
(007 becomes 7) do no harm there. On the sheet of claims people name documents by their ids.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.contract.cells import ticket, write_cells

FILLED = ("item", "content", "annotator", "relevant", "claims")
SHOWN = ("question_id", "question", "expected", "doc_id", "title", "text")
CLAIMS = ("question_id", "claim_id", "text", "documents", "annotator")
CLAIMS_SHOWN = ("question",)


@dataclass(frozen=True)
class Pooled:
    """A question and a document that a system retrieved for it.

    Attributes:
        question_id: the question.
        question: its text.
        expected: id and words of each expected claim.
        doc_id: the document.
        title: its title, or ''.
        text: its text.
        shown: as much of it as people are shown.
    """

    question_id: str
    question: str
    expected: tuple[tuple[str, str], ...]
    doc_id: str
    title: str
    text: str
    shown: str


def named(question_id: str) -> str:
    """The part of an item that names a question."""
    return ticket("q", question_id)


def found(doc_id: str) -> str:
    """The part of an item that names a document."""
    return ticket("d", doc_id)


def item(question_id: str, doc_id: str) -> str:
    """What names a row."""
    return f"{named(question_id)}-{found(doc_id)}"


def content(question: str, text: str) -> str:
    """Hash of the two texts that a label rests on."""
    return ticket("v", [question, text])


def write_pool(path: Path, rows: Iterable[Pooled], annotator: str) -> None:
    """Write the sheet of passages."""
    cells = [
        [
            item(one.question_id, one.doc_id), content(one.question, one.text), annotator, "", "",
            one.question_id, one.question, _listed(one.expected), one.doc_id, one.title, one.shown,
        ]
        for one in rows
    ]  # fmt: skip
    write_cells(path, [[*FILLED, *SHOWN], *cells])


def write_claims(path: Path, rows: Iterable[Pooled], annotator: str) -> None:
    """Write the sheet of claims: those that a question has, and an empty row for one more."""
    cells: dict[str, list[Sequence[str]]] = {}
    for one in rows:
        if one.question_id not in cells:
            told = [*one.expected, ("", "")]
            cells[one.question_id] = [
                [one.question_id, claim, text, "", annotator, one.question] for claim, text in told
            ]
    write_cells(path, [[*CLAIMS, *CLAIMS_SHOWN], *(row for of in cells.values() for row in of)])


def _listed(expected: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"{claim}: {text}" if text else claim for claim, text in expected)
