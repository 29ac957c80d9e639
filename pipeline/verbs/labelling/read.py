"""Sheets that people filled in -> their decisions, or every fault of every sheet."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.adapters.datasets.cells import unescape
from pipeline.adapters.datasets.sheet import Row, read_sheet
from pipeline.checks.ids import malformed, show
from pipeline.contract.errors import ConfigError, Fault, nearest
from pipeline.contract.records import Collection, Document, Question
from pipeline.verbs.labelling import sheet
from pipeline.verbs.rulings.records import number, spelled

GRADES = {"yes": None, "no": 0.0}


@dataclass(frozen=True)
class Label:
    """What one person says of a document for a question.

    Attributes:
        grade: 0.0 is no; None: yes, ungraded.
        claims: ids of the expected claims that the document supports.
        place: file and line.
    """

    grade: float | None
    claims: tuple[str, ...]
    place: str

    @property
    def yes(self) -> bool:
        """Whether the document is relevant."""
        return self.grade is None or self.grade > 0


Said = dict[tuple[str, str, str], Label]
"""By question, annotator and document."""


@dataclass
class Taken:
    """What the sheets hold.

    Attributes:
        said: the labels.
        pools: the documents of each question that somebody was asked about or named.
        texts: the words of each question's new claims, by id.
        blank: how many rows of the pool have no label.
        faults: everything that is wrong.
    """

    said: Said = field(default_factory=dict)
    pools: dict[str, set[str]] = field(default_factory=dict)
    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    blank: int = 0
    faults: list[Fault] = field(default_factory=list)


class Sheets:
    """Reads sheets against a set.

    Args:
        questions: of the set.
        documents: of the set.
        annotator: who labelled, where a row does not say.
    """

    def __init__(
        self, questions: Sequence[Question], documents: Sequence[Document], annotator: str
    ) -> None:
        self.taken = Taken()
        self._questions = {row.question_id: row for row in questions}
        self._documents = {row.doc_id: row for row in documents}
        self._named = {sheet.named(id_): id_ for id_ in self._questions}
        self._found = {sheet.found(id_): id_ for id_ in self._documents}
        self._annotator = annotator

    def claims(self, files: Iterable[str]) -> None:
        """Read sheets of claims; a row without documents and new words is left to be filled."""
        for name, row in self._rows(files, sheet.CLAIMS, sheet.CLAIMS_SHOWN):
            question = self._questions.get(row.get("question_id"))
            claim, text, who = row.get("claim_id"), row.get("text"), self._who(row)
            known = {} if question is None else self._words(question)
            told = _split(row.get("documents"), self._documents)
            if not row.get("documents") and (not claim or (claim in known and not text)):
                continue
            if not row.get("documents") and text and text == known.get(claim):
                continue
            faults = [] if who is None else [("who says so in annotator", who)]
            if question is None:
                got = show(row.get("question_id"))
                hint = nearest(row.get("question_id"), self._questions)
                faults.append(("a question of the set in question_id", got + hint))
            wrong = malformed(claim)
            if wrong:
                faults.append(("an id in claim_id", wrong))
            if claim not in known and not text:
                faults.append(("the words of a new claim in text", "none"))
            elif text and known.get(claim, text) != text:
                faults.append((f"{show(known[claim])} in text, as it is known", show(text)))
            if told is None:
                faults.append(("documents of the set in documents", show(row.get("documents"))))
            if not self._refused(name, row, claim or row.get("question_id"), faults) and question:
                if text:
                    self.taken.texts.setdefault(question.question_id, {})[claim] = text
                for doc in told or ():
                    self._add(name, row, (question.question_id, doc), None, (claim,))

    def pool(self, files: Iterable[str]) -> None:
        """Read sheets of passages, behind those of claims."""
        for name, row in self._rows(files, sheet.FILLED, sheet.SHOWN):
            key, faults = self._key(row)
            relevant = spelled(row.get("relevant"))
            if key is not None:
                self.taken.pools.setdefault(key[0], set()).add(key[1])
            if not relevant and not row.get("claims"):
                self.taken.blank += 1
                continue
            grade = GRADES.get(relevant, number(relevant))
            if relevant not in GRADES and (grade is None or grade < 0):
                expected = "yes, no or a grade of 0 or more in relevant"
                faults.append((expected, show(row.get("relevant"))))
            who = self._who(row)
            if who is not None:
                faults.append(("who says so in annotator", who))
            claims: tuple[str, ...] | None = ()
            if key is not None and row.get("claims"):
                known = self._words(self._questions[key[0]])
                claims = _split(row.get("claims"), known)
                if claims is None:
                    words = ", ".join(map(show, known)) or "it has none"
                    got = show(row.get("claims"))
                    faults.append((f"claims of the question ({words}) in claims", got))
                elif grade == 0:
                    faults.append(("claims only where relevant is not no", show(row.get("claims"))))
            if not self._refused(name, row, row.get("doc_id"), faults) and key is not None:
                self._add(name, row, key, grade, claims or ())

    def _rows(
        self, files: Iterable[str], required: Sequence[str], optional: Sequence[str]
    ) -> Iterable[tuple[str, Row]]:
        for name in files:
            if not Path(name).is_file():
                raise ConfigError("label-take", expected="a file", got=name)
            collection = Collection()
            read = read_sheet(Path(name), name, required, optional, collection, returned=True)
            self.taken.faults += collection.faults
            for row in read.rows:
                cells = {unescape(column): unescape(cell) for column, cell in row.cells.items()}
                yield name, Row(row.line, cells)

    def _key(self, row: Row) -> tuple[tuple[str, str] | None, list[tuple[str, str]]]:
        """Question and document of a row, or what is wrong."""
        named, _, found = row.get("item").partition("-")
        question, doc = self._named.get(named), self._found.get(found)
        if question is None or doc is None:
            gone = " and ".join(["question"] * (not question) + ["document"] * (not doc))
            return None, [("an item of the set", f"{show(row.get('item'))}: no such {gone}")]
        now = sheet.content(self._questions[question].text, self._documents[doc].text or "")
        if row.get("content") != now:
            got = f"{show(row.get('content'))}: question or document has changed since"
            return (question, doc), [(f"the texts as they are now, content {now}", got)]
        return (question, doc), []

    def _who(self, row: Row) -> str | None:
        """What is wrong with the name of the annotator; None: nothing."""
        return malformed(row.get("annotator") or self._annotator)

    def _words(self, question: Question) -> dict[str, str]:
        """Claims that are known of a question, and their words."""
        marked = {mark.claim_id: "" for mark in question.evidence or () if mark.claim_id}
        return {
            **marked,
            **dict.fromkeys(question.support or (), ""),
            **(question.claims or {}),
            **self.taken.texts.get(question.question_id, {}),
        }

    def _refused(self, name: str, row: Row, title: str, faults: Sequence[tuple[str, str]]) -> bool:
        self.taken.faults += [Fault(name, row.line, show(title), *one) for one in faults]
        return bool(faults)

    def _add(
        self, name: str, row: Row, key: tuple[str, str], grade: float | None, claims: Any
    ) -> None:
        """Keep a label; of one person and pair the claims of several rows come together."""
        who = row.get("annotator") or self._annotator
        place = f"{name}:{row.line}"
        self.taken.pools.setdefault(key[0], set()).add(key[1])
        before = self.taken.said.get((key[0], who, key[1]))
        label = Label(grade, tuple(claims), place)
        if before is not None:
            if before.yes != label.yes or (
                before.grade != grade and None not in (before.grade, grade)
            ):
                got = f"another one; the first is at {before.place}"
                self._refused(name, row, key[1], [(f"one label by {who}", got)])
                return
            both = tuple(dict.fromkeys((*before.claims, *label.claims)))
            label = Label(grade if before.grade is None else before.grade, both, before.place)
        self.taken.said[key[0], who, key[1]] = label


def _split(cell: str, known: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The known ids that a cell names: one, or one a line, or with semicolons between them."""
    for names in ([cell], cell.splitlines(), cell.replace("\n", ";").split(";")):
        told = [name.strip() for name in names if name.strip()]
        if all(name in known for name in told):
            return tuple(dict.fromkeys(told))
    return None
