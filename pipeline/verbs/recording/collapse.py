"""Rankings of documents from rankings of their parts, and the marks that then move."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.adapters.answerers.marks import MARK
from pipeline.verbs.recording.rows import Item

NOWHERE = "0"
"""A mark that is never one of a delivered passage."""


@dataclass(frozen=True)
class Ranking:
    """Documents by rank, none twice; and the new number of each mark of the answer."""

    doc_ids: list[str]
    marks: dict[str, str]

    @property
    def moved(self) -> bool:
        """Whether any mark now has another number."""
        return any(old != new for old, new in self.marks.items())

    def renumbered(self, answer: str) -> str:
        """The answer with its marks as the ranking now has them.

        A mark of nothing that was retrieved stays one: where its number would now name
        something, it becomes `[0]`.
        """
        if not self.moved:
            return answer

        def number(mark: str) -> str:
            if mark in self.marks:
                return self.marks[mark]
            return NOWHERE if mark in self.marks.values() else mark

        return MARK.sub(lambda found: f"[{number(found[1])}]", answer)


def ranking(doc_ids: Sequence[str], items: Sequence[Item]) -> Ranking:
    """Keep the first rank of each document.

    Args:
        doc_ids: the document of each item.
        items: what was retrieved, best first.
    """
    kept = list(dict.fromkeys(doc_ids))
    rank = {doc_id: str(at) for at, doc_id in enumerate(kept, 1)}
    marks = {
        item.mark or str(at): rank[doc_id]
        for at, (doc_id, item) in enumerate(zip(doc_ids, items, strict=True), 1)
    }
    return Ranking(kept, marks)


def repeated(doc_ids: Sequence[str]) -> str:
    """The documents that stand at several ranks, in words; empty: none does."""
    ranks: dict[str, list[str]] = {}
    for at, doc_id in enumerate(doc_ids, 1):
        ranks.setdefault(doc_id, []).append(str(at))
    return ", ".join(
        f"{doc_id!r} at ranks {', '.join(at)}" for doc_id, at in ranks.items() if len(at) > 1
    )
