"""Quotes found in texts: once and exactly, or what keeps them from that."""

from collections.abc import Mapping

from pipeline.adapters.datasets.likeness import Likeness, Plainer, difference
from pipeline.adapters.datasets.mismatch import Finding
from pipeline.checks.ids import label, show
from pipeline.checks.quotes import SHOWN, listed, places

Span = tuple[str, int, int]
"""A document, start and end."""

PASSAGE = 200
"""Characters of a passage that a message shows."""


class Quotes:
    """Finds quotes in the texts of documents.

    Args:
        texts: text of each document by its id.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        plainer = Plainer()
        self._likeness = {id_: Likeness(text, plainer) for id_, text in texts.items()}

    def find(self, quote: str, document: str | None) -> Span | Finding:
        """Where a quote stands, code point for code point.

        Args:
            quote: the text, not empty.
            document: the document it is in; None: any.

        Returns:
            The place, if there is exactly one; else what was expected and what was found.
        """
        among = self._texts if document is None else [document]
        holding = [id_ for id_ in among if quote in self._texts[id_]]
        if not holding:
            where = "a file of the folder" if document is None else label(document)
            return f"a quote that stands in {where}", f"{show(quote)}; {self._near(quote, among)}"
        first, *more = places(quote, self._texts[holding[0]])
        if len(holding) == 1 and not more:
            return holding[0], *first
        remedy = "take a longer one"
        if len(holding) > 1:
            remedy = "name its file under document, or take a longer one"
        return f"a quote that stands once ({remedy})", f"{show(quote)} {self._all(quote, holding)}"

    def _all(self, quote: str, holding: list[str]) -> str:
        """Every place of a quote, or the first few."""
        shown = [
            f"in {label(id_)} at {listed(places(quote, self._texts[id_]))}"
            for id_ in holding[:SHOWN]
        ]
        more = f" and in {len(holding) - SHOWN} more files" if len(holding) > SHOWN else ""
        return ", ".join(shown) + more

    def _near(self, quote: str, among: Mapping[str, str] | list[str]) -> str:
        """What comes nearest to a quote that was not found."""
        elsewhere = [id_ for id_, text in self._texts.items() if quote in text]
        if elsewhere:
            return f"it stands {self._all(quote, elsewhere)}"
        for id_ in among:
            place = self._likeness[id_].respelt(quote)
            if place and (differing := difference(quote, self._passage(id_, *place))):
                return f"{self._at(id_, *place)} differs only in {differing}: " + show(
                    self._passage(id_, *place), PASSAGE
                )
        found = [(near, id_) for id_ in among if (near := self._likeness[id_].nearest(quote))]
        if not found:
            return "nothing there is like it"
        (_, place), id_ = max(found, key=lambda one: one[0][0])
        return f"nearest is {self._at(id_, *place)}: {show(self._passage(id_, *place), PASSAGE)}"

    def _passage(self, id_: str, start: int, end: int) -> str:
        return self._texts[id_][start:end]

    @staticmethod
    def _at(id_: str, start: int, end: int) -> str:
        return f"{label(id_)} {start}–{end}"
