"""What was retrieved as documents of the corpus: by id where it has one, else by its text."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.checks.ids import Lookalikes, label, show
from pipeline.contract.errors import Fault
from pipeline.verbs.recording.corpus import Corpus, Found, folded, span
from pipeline.verbs.recording.near import Near
from pipeline.verbs.recording.rows import Item, Row

NO_TEXT = "texts that are not blank"


@dataclass(frozen=True)
class Place:
    """Where one retrieved thing is.

    Attributes:
        doc_id: the document.
        how: by its `id`, or as in `Found.how`.
        span: code points of the document; None: all of it, or not known.
        near: how it differs, where it was taken for a document that it is only like.
    """

    doc_id: str
    how: str
    span: tuple[int, int] | None = None
    near: Near | None = None


Result = tuple[Place | None, tuple[str, str] | None]
"""A place, or what was expected and what was found."""


@dataclass
class Placed:
    """Places of every row's items, row for row (None: no ranking), and what came up."""

    places: list[list[Place] | None] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


class Placing:
    """Looks retrieved things up in a corpus."""

    def __init__(self, documents: dict[str, str] | None, *, near: float | None) -> None:
        """Take texts by document id, and the likeness from which a text passes for one.

        Without documents (None) every id is taken as it is.
        """
        self._any = documents is None
        self._texts, self._near = documents or {}, near
        self._ids = list(self._texts)
        self._alike = Lookalikes(self._texts)

    def place(self, rows: Sequence[Row]) -> Placed:
        """Place the items of all rows; nothing is left out, what has no place is a fault."""
        items = [item for row in rows for item in row.items or ()]
        sought = dict.fromkeys(item.text for item in items if self._by_text(item))
        texts = [text for text in sought if text is not None and folded(text)]
        found = Corpus(list(self._texts.values())).find(texts) if texts else {}
        placed = Placed()
        for row in rows:
            if row.items is None:
                placed.places.append(None)
                continue
            one = [self._item(row, at, item, found, placed) for at, item in enumerate(row.items)]
            placed.places.append([place for place in one if place is not None])
        return placed

    def _by_text(self, item: Item) -> bool:
        return item.text is not None and not self._by_id(item)

    def _by_id(self, item: Item) -> bool:
        return item.id is not None and (self._any or item.id in self._texts)

    def _item(
        self, row: Row, at: int, item: Item, found: dict[str, Found], placed: Placed
    ) -> Place | None:
        place, fault = self._one(item, found)
        if fault is not None:
            expected = f"{fault[0]} at rank {at + 1}"
            placed.faults.append(Fault(row.file, row.line, row.name, expected, fault[1]))
        if place is not None:
            placed.counts[place.how] += 1
            if item.text is not None and place.how == "id" and not self._holds(place, item.text):
                placed.counts["other words"] += 1
        return place

    def _one(self, item: Item, found: dict[str, Found]) -> Result:
        if item.id is not None and self._by_id(item):
            return Place(item.id, "id"), None
        if item.text is None:
            got = "nothing" if item.id is None else show(item.id) + self._alike.hint(item.id)
            return None, ("an id of the corpus", got)
        if not folded(item.text):
            return None, (NO_TEXT, show(item.text))
        return self._text(item.text, found[item.text])

    def _text(self, text: str, found: Found) -> Result:
        if len(found.docs) == 1:
            doc_id = self._ids[found.docs[0]]
            where = span(text, self._texts[doc_id]) if found.how == "span" else None
            return Place(doc_id, found.how, where), None
        if found.docs:
            named = ", ".join(label(self._ids[doc]) for doc in found.docs)
            return None, ("a text of one document", f"{show(text, 40)}, which is in {named}")
        near = found.near
        if near is None:
            return None, ("a text of the corpus", f"{show(text, 40)}, which no document resembles")
        if self._near is not None and near.score >= self._near and near.score > near.second:
            return Place(self._ids[near.doc], "near", None, near), None
        return None, ("a text of the corpus", f"{show(text, 40)}, {self.likeness(near)}")

    def likeness(self, near: Near) -> str:
        """How a text differs from the document that is most like it."""
        there = show(near.there) if near.there else "its end"
        return (
            f"{int(near.score * 1000) / 1000:.3f} like {label(self._ids[near.doc])}, which from "
            f"character {near.at + 1} on has {there} where the text has {show(near.here)}"
        )

    def _holds(self, place: Place, text: str) -> bool:
        return self._any or folded(text) in folded(self._texts[place.doc_id])
