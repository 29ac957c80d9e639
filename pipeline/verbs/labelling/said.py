"""What people said of documents, as it was taken from their sheets."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.contract.errors import Fault


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


def split(cell: str, known: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The known ids that a cell names: one, or one a line, or with semicolons between them."""
    for names in ([cell], cell.splitlines(), cell.replace("\n", ";").split(";")):
        told = [name.strip() for name in names if name.strip()]
        if all(name in known for name in told):
            return tuple(dict.fromkeys(told))
    return None
