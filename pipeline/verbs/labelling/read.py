"""What every sheet of labels is read against, and what is kept of it."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pipeline.adapters.datasets.sheet import Row, read_sheet
from pipeline.checks.ids import malformed, show
from pipeline.contract.cells import unescape
from pipeline.contract.errors import ConfigError, Fault
from pipeline.contract.records import Collection, Document, Question
from pipeline.verbs.labelling import sheet
from pipeline.verbs.labelling.said import Label, Taken


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
        self.questions = {row.question_id: row for row in questions}
        self.documents = {row.doc_id: row for row in documents}
        self._named = {sheet.named(id_): id_ for id_ in self.questions}
        self._found = {sheet.found(id_): id_ for id_ in self.documents}
        self._annotator = annotator

    def rows(
        self, files: Iterable[str], required: Sequence[str], optional: Sequence[str]
    ) -> Iterator[tuple[str, Row]]:
        """Yield the file of each row, and the row with the guards of its cells taken off.

        Raises:
            ConfigError: a file is not there.
        """
        for name in files:
            if not Path(name).is_file():
                raise ConfigError("label-take", expected="a file", got=name)
            collection = Collection()
            read = read_sheet(Path(name), name, required, optional, collection, returned=True)
            self.taken.faults += collection.faults
            for row in read.rows:
                cells = {unescape(column): unescape(cell) for column, cell in row.cells.items()}
                yield name, Row(row.line, cells)

    def pair(self, item: str) -> tuple[str | None, str | None]:
        """The question and the document that an item names; None: the set has no such."""
        named, _, found = item.partition("-")
        return self._named.get(named), self._found.get(found)

    def nobody(self, row: Row) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with the name of the annotator."""
        wrong = malformed(row.get("annotator") or self._annotator)
        if wrong:
            yield "who says so in annotator", wrong

    def words(self, question: Question) -> dict[str, str]:
        """Claims that are known of a question, and their words."""
        marked = {mark.claim_id: "" for mark in question.evidence or () if mark.claim_id}
        return {
            **marked,
            **dict.fromkeys(question.support or (), ""),
            **(question.claims or {}),
            **self.taken.texts.get(question.question_id, {}),
        }

    def refused(self, name: str, row: Row, title: str, faults: Sequence[tuple[str, str]]) -> bool:
        """Keep the faults of a row; return whether there are any."""
        self.taken.faults += [Fault(name, row.line, show(title), *one) for one in faults]
        return bool(faults)

    def add(
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
                self.refused(name, row, key[1], [(f"one label by {who}", got)])
                return
            both = tuple(dict.fromkeys((*before.claims, *label.claims)))
            label = Label(grade if before.grade is None else before.grade, both, before.place)
        self.taken.said[key[0], who, key[1]] = label
