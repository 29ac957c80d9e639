"""Ids that have to be known: what refers to no row of the corpus is named, with what is near."""

from collections.abc import Collection, Sequence
from typing import Any

from pipeline.checks.ids import Lookalikes, show
from pipeline.checks.report import Report


class References:
    """Looks references up among known ids; those of lost rows are let pass.

    Args:
        known: ids of the rows that were read.
        lost: ids of rows that were refused while they were read.
    """

    def __init__(self, known: Collection[str], lost: Collection[object] = ()) -> None:
        self.known = frozenset(known)
        self._lost = lost
        self._lookalikes = Lookalikes(known)

    def has(self, text: str) -> bool:
        """Whether an id is known, or was lost on the way."""
        return text in self.known or text in self._lost

    def hint(self, text: str) -> str:
        """What known id an unknown one resembles, and what differs."""
        return self._lookalikes.hint(text)

    def check(self, report: Report[Any], row: int, field: str, ids: Sequence[str] | None) -> None:
        """Refuse the ids of a list that are not known, in one fault with the place of each."""
        if not ids or self.known.issuperset(ids):
            return  # nearly always, and quick
        unknown = [(at, text) for at, text in enumerate(ids) if not self.has(text)]
        if unknown:
            got = ", ".join(f"{show(text)} at {at}{self.hint(text)}" for at, text in unknown)
            report.add(row, f"documents of the corpus in {field}", got)
