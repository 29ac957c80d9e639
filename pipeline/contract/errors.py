"""The errors people see, split by what the reader has to mend.

AssayError
├── DataError      mend the data            exit 3
├── ConfigError    mend conf/ or the words  exit 3
├── IncomparableError nothing to mend: refused exit 2
└── EndpointError  look at the store or endpoint  exit 4

Anything else that escapes is a bug of ours and keeps its traceback (exit 70).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from pipeline.contract.spelling import clean

OK, REJECT, UNMEASURABLE, BAD_INPUT, ENDPOINT, BUG, INTERRUPTED = 0, 1, 2, 3, 4, 70, 130

EXIT_FILE = "RAG_ASSAY_EXIT"
"""Variable that names the file in which a stage leaves its exit code, since DVC loses it."""


class AssayError(Exception):
    """A fault that the reader can mend; `str()` is the whole message."""

    exit_code = BUG


@dataclass(frozen=True, order=True)
class Fault:
    """One thing wrong with the input: where it is, what belongs there, what is there."""

    file: str
    line: int | None
    id: str | None
    expected: str
    got: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        if self.id is not None:
            place = f"{place}: {self.id}"
        return clean(f"{place}: expected {self.expected}, got {self.got}")


class DataError(AssayError):
    """The input data are not what the contract allows. Carries every fault found."""

    exit_code = BAD_INPUT

    def __init__(self, faults: Iterable[Fault], *, remedy: str = "") -> None:
        self.faults = tuple(faults)
        self.remedy = remedy or "mend the lines named above; nothing was scored"
        super().__init__("\n".join([*map(str, self.faults), self.remedy]))


class ConfigError(AssayError):
    """A key, a value or a word on the command line is not one that can be used."""

    exit_code = BAD_INPUT

    def __init__(self, where: str, *, expected: str, got: str, remedy: str = "") -> None:
        line = clean(f"{where}: expected {expected}, got {got}")
        super().__init__(f"{line}; {remedy}" if remedy else line)


class IncomparableError(AssayError):
    """Two sides differ in a part that has to be the same."""

    exit_code = UNMEASURABLE


class EndpointError(AssayError):
    """A store, a server or DVC itself did not do its part; our own results are safe."""

    exit_code = ENDPOINT

    def __init__(self, where: str, *, expected: str, got: str, remedy: str = "") -> None:
        line = clean(f"{where}: expected {expected}, got {got}")
        super().__init__(f"{line}; {remedy}" if remedy else line)


def nearest(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)` for the closest known word, or nothing when none is close."""
    close = get_close_matches(str(word), sorted(map(str, known)), n=1, cutoff=0.5)
    return f" (did you mean {close[0]!r}?)" if close else ""
