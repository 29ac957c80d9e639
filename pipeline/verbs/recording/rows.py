"""What a system gave for one question, before its texts and ids are those of the set."""

from dataclasses import dataclass

from pipeline.checks.ids import label

UNREAD = "unreadable reply: "


class UnreadError(Exception):
    """A reply does not hold what was to be read from it; `str()` says what is missing."""

    def __init__(self, what: str) -> None:
        super().__init__(UNREAD + what)


@dataclass(frozen=True)
class Item:
    """One thing that was retrieved.

    Attributes:
        id: what the system calls it; None: it has no name.
        text: its words; None: they are not there.
        mark: the number of its mark `[n]` in the answer; None: its rank, from 1.
    """

    id: str | None = None
    text: str | None = None
    mark: str | None = None


@dataclass(frozen=True)
class Row:
    """One output of a system.

    Attributes:
        file: where it comes from, for messages.
        line: the line or row of that file.
        question_id: of the question, as the source has it; None: it names none.
        question: the question's words; None: they are not there.
        repeat: which of several outputs for the question, from 1.
        items: what was retrieved, best first; None: nothing is known of it.
        answer: in words; None: there are none.
        citations: ids that the answer cites as a whole; None: the source says nothing.
        error: why the system gave nothing; None: it did not fail.
        latency_s: seconds it took; None: not known.
        attempts: requests made; None: not known.
    """

    file: str
    line: int
    question_id: str | None = None
    question: str | None = None
    repeat: int = 1
    items: tuple[Item, ...] | None = None
    answer: str | None = None
    citations: tuple[str, ...] | None = None
    error: str | None = None
    latency_s: float | None = None
    attempts: int | None = None

    @property
    def name(self) -> str | None:
        """What it is called in front of a message."""
        return None if self.question_id is None else label(self.question_id)
