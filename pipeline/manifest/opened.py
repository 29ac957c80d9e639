"""How often held-out questions were opened, told by their texts and not by their names.

A new name, version or id, other white space or capitals, a label or a question more: none of
these makes a question new. A question in other words is another question.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from pipeline.manifest.chain import Entry

KEPT = 5_000
"""Hashes kept of a question set: all of a set up to this, else the least as a sample."""

HALF = 0.5
"""Share of a run's held-out questions that a look has to have opened to count for the run."""

BEYOND = "g"
"""Greater than every hash."""


@dataclass(frozen=True)
class Texts:
    """Held-out questions as the first 16 hexadecimal digits of the SHA-256 of their texts.

    `asked` counts different texts; `least` holds the least `KEPT` hashes in order. Hashes are
    spread evenly, so that the least of a larger set are a fair sample of it, and of two sets
    it is known for every hash up to the lesser `reach` whether it is in both.
    """

    asked: int
    least: tuple[str, ...]

    @property
    def reach(self) -> str:
        """The greatest hash up to which this is the whole set."""
        return self.least[-1] if 0 < len(self.least) < self.asked else BEYOND


def texts(questions: Iterable[str]) -> Texts:
    """Hash the texts of held-out questions: NFC, case folded, runs of white space as one."""
    folded = {" ".join(unicodedata.normalize("NFC", one).casefold().split()) for one in questions}
    hashes = sorted({sha256(one.encode()).hexdigest()[:16] for one in folded})
    return Texts(len(hashes), tuple(hashes[:KEPT]))


def shared(mine: Texts, *others: Texts) -> float | None:
    """Share of my questions that are among the others', in [0, 1]; None: not known.

    Exact where all sets were kept whole, else an estimate from the hashes that all cover.
    """
    reach = min((other.reach for other in others), default=BEYOND)
    among = {one for other in others for one in other.least}
    found = [one in among for one in mine.least if one <= reach]
    return sum(found) / len(found) if found else None


@dataclass(frozen=True)
class Looks:
    """How often the held-out questions of a run were opened.

    `times` counts looks that opened at least half of them; `each` says for each question (of a
    large set: of its sample) how many looks opened it; `asked` is their number.
    """

    times: int
    each: tuple[int, ...]
    asked: int

    @property
    def most(self) -> int:
        """Looks at the question that was opened most often."""
        return max(self.each, default=self.times)

    def spent(self, budget: int | None) -> int:
        """Questions opened more often than the budget allows; without a budget none are."""
        if budget is None or not self.each:
            return 0
        return round(self.asked * sum(n > budget for n in self.each) / len(self.each))

    def over(self, budget: int | None) -> bool:
        """Whether the questions, taken together, no longer are held out."""
        spent = self.spent(budget)
        return budget is not None and (self.times > budget or 0 < self.asked == spent)

    def words(self, budget: int | None) -> str:
        """What has to stand beside numbers over these questions."""
        said = f"held-out questions opened {_times(self.times)}"
        if self.most > self.times:
            said += f", some of them {_times(self.most)}"
        if self.over(budget):
            return f"{said}, budget {budget}: these questions no longer are held out"
        if spent := self.spent(budget):
            return f"{said}, budget {budget}: {spent:,} of {self.asked:,} no longer are held out"
        return said


def known(entries: Iterable[Entry]) -> dict[str, Texts]:
    """Texts by content hash of the question set; its first line carries them for all."""
    return {
        entry["question_set"]: Texts(entry["questions"], tuple(entry["texts"]))
        for entry in entries
        if "texts" in entry and "questions" in entry
    }


def count(
    entries: Iterable[Entry],
    content: str,
    mine: Texts | None,
    *,
    asked: int,
    sets: Mapping[str, Texts],
) -> Looks:
    """Count the looks at held-out questions.

    Args:
        entries: lines of the ledger; those of one time are one look.
        content: content hash of the run's question set; lines that name it count whatever
            they say of texts.
        mine: texts of the run's held-out questions; None: not known, only `content` counts.
        asked: how many there are, where `mine` is None.
        sets: texts of the sets that lines name, by content hash.
    """
    looks: dict[str, int] = {}
    for _, one in {(entry["time"], entry["question_set"]) for entry in entries}:
        looks[one] = looks.get(one, 0) + 1
    times, each = 0, [0] * (len(mine.least) if mine else 1)
    for one, n in looks.items():
        if one == content:
            times, each = times + n, [before + n for before in each]
        elif mine and (other := sets.get(one)):
            share = shared(mine, other)
            counts = share is not None and share >= HALF
            among = frozenset(other.least)
            times += n * counts
            each = [
                before + n * (text in among or (text > other.reach and counts))
                for before, text in zip(each, mine.least, strict=True)
            ]
    return Looks(times, tuple(each), mine.asked if mine else asked)


def _times(n: int) -> str:
    return f"{n:,} time" if n == 1 else f"{n:,} times"
