"""What people said of which words, read from all their files."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.checks.report import by_place
from pipeline.contract.errors import DataError, Fault
from pipeline.rulings.read import MEND, read
from pipeline.rulings.records import WORDS, Key, Ruling, Rulings, digest


@dataclass(frozen=True)
class Label:
    """A person's ruling and the digest of the words that it is on; None: not known."""

    ruling: Ruling
    words: str | None

    def on(self, found: Rulings, keys: set[Key]) -> bool:
        """Whether it is on one of these items, with the very words that it has there."""
        one = self.ruling
        return one.key in keys and self.words == digest(found.items[one.item])


def read_labels(files: Sequence[Path]) -> list[Label]:
    """Read people's labels, file by file: an item may have other words in each.

    So labels of the answers of one revision stand beside those of the next.

    Raises:
        DataError: all faults of all files, among them a second label by the same person on
            the same words.
    """
    faults: list[Fault] = []
    found: list[Label] = []
    for path in files:
        try:
            said = read([str(path)], judges=[])
        except DataError as error:
            faults += error.faults
            continue
        found += [
            Label(one, said.items.get(one.item, {}).get(WORDS))
            for one in said.rulings
            if one.role == "person" and one.label is not None
        ]
    faults += _repeated(found)
    if faults:
        raise DataError(by_place(faults), remedy=MEND)
    return found


def _repeated(labels: list[Label]) -> list[Fault]:
    seen: dict[tuple[Key, str, str | None], Ruling] = {}
    faults = []
    for label in labels:
        one = label.ruling
        first = seen.setdefault((one.key, one.annotator, label.words), one)
        if first is not one:
            expected = f"one label by {one.annotator}"
            got = f"a second one; the first is in {first.file}:{first.line}"
            faults.append(Fault(one.file, one.line, one.item, expected, got))
    return faults
