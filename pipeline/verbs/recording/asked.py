"""Which question of the set an output belongs to: by its id, else by its very words."""

from collections import defaultdict
from collections.abc import Sequence

from pipeline.checks.ids import label, show
from pipeline.contract.errors import Fault
from pipeline.contract.records import Question
from pipeline.verbs.recording.corpus import folded
from pipeline.verbs.recording.rows import Row

Key = tuple[str, int]
"""Question id and repeat."""


class Questions:
    """Questions of a set, found by id and by words (normal form C, white space folded)."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self._words = {one.question_id: folded(one.text) for one in questions}
        self._ids: defaultdict[str, list[str]] = defaultdict(list)
        for id_, words in self._words.items():
            self._ids[words].append(id_)

    def match(self, rows: Sequence[Row]) -> tuple[list[str | None], list[Fault]]:
        """The question of each row, None where there is no single one; and every fault.

        An id that the set does not have is one of the tool's own: then the words count.
        """
        found: list[str | None] = []
        faults: list[Fault] = []
        first: dict[Key, Row] = {}
        for row in rows:
            id_, fault = self._one(row)
            before = first.setdefault((id_, row.repeat), row) if id_ is not None else row
            if before is not row:
                again = f" in repeat {row.repeat}" if row.repeat > 1 else ""
                expected = f"one row for the question {label(id_ or '')}{again}"
                fault = _fault(row, expected, f"another, the first is row {before.line}")
            faults += [fault] if fault else []
            found.append(None if fault else id_)
        return found, faults

    def _one(self, row: Row) -> tuple[str | None, Fault | None]:
        words = None if row.question is None else folded(row.question)
        if row.question_id is not None and row.question_id in self._words:
            asked = self._words[row.question_id]
            if words is None or words == asked:
                return row.question_id, None
            return None, _fault(
                row, f"the words of {label(row.question_id)}: {show(asked)}", show(words)
            )
        if words is None:
            got = "none" if row.question_id is None else show(row.question_id)
            return None, _fault(row, "a question's text, or an id of the set", got)
        ids = self._ids.get(words, [])
        if len(ids) == 1:
            return ids[0], None
        if ids:
            named = ", ".join(map(label, ids))
            return None, _fault(row, f"a question_id, for {named} ask the same", show(words))
        return None, _fault(row, "a question of the set, word for word", show(words))


def _fault(row: Row, expected: str, got: str) -> Fault:
    return Fault(
        row.file,
        row.line,
        row.name,
        expected,
        got,
    )
