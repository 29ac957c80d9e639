"""The chain of the ledger: each line names the line before it by hash.

A line's `previous` is the SHA-256 of the bytes of the line before, without its line break; of
the first line it is 64 zeros. Lines of earlier versions have no `previous`: the next line that
has one hashes them together with the line before them, joined by line breaks, so that it
covers them too. A line that was edited, removed or moved therefore shows at the line after it.

Two branches of git that both added lines stand one after the other once they are merged. The
second begins at an earlier line than the one before it: that is a branch, no break. The next
line that is added carries in `merged` the hashes of the ends that no line follows, and closes
the chain again.

What a chain cannot show is that its last lines were taken away, that the last one was edited,
or that all of it was written anew. For that every manifest of a run keeps the hash of the last
line of its time (`head`), and git keeps the file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, NamedTuple, NotRequired, TypedDict

START = "0" * 64
"""What the first line follows."""


class Entry(TypedDict):
    """One look, as a line of the ledger says it; fields that may lack came later."""

    question_set: str
    system: str
    fingerprint: str
    reason: str
    time: str
    contract_version: NotRequired[str]
    name: NotRequired[str]
    version: NotRequired[str]
    questions: NotRequired[int]
    texts: NotRequired[list[str]]
    previous: NotRequired[str]
    merged: NotRequired[list[str]]


class Written(NamedTuple):
    """A line of the file: its number from 1, its bytes without line break, what it says."""

    number: int
    raw: bytes
    entry: Entry


@dataclass(frozen=True)
class Break:
    """A line that does not follow the one before it.

    `branch`: it follows an earlier line, as after a merge; `moved`: it follows a later line;
    `lost`: what it follows is nowhere, so it was edited or removed.
    """

    kind: Literal["branch", "moved", "lost"]
    number: int
    expected: str
    got: str


@dataclass(frozen=True)
class Chain:
    """What a walk along the ledger found.

    `head` is the hash that the next line will name, None without lines; `heads` holds that of
    every line; `loose` are ends of branches that no line follows yet.
    """

    lines: int
    head: str | None
    heads: frozenset[str]
    loose: tuple[str, ...]
    breaks: tuple[Break, ...]

    @property
    def broken(self) -> Break | None:
        """The first line whose predecessor is not as it was."""
        return next((one for one in self.breaks if one.kind != "branch"), None)

    @property
    def state(self) -> str:
        """`whole`, `merged at line N` (until the next look joins it) or `broken at line N`."""
        if self.broken:
            return f"broken at line {self.broken.number}"
        return f"merged at line {self.breaks[0].number}" if self.loose else "whole"


def walk(lines: Sequence[Written]) -> Chain:
    """Follow the chain from the first line to the last."""
    heads = _heads(lines)
    place = {head: at for at, head in reversed(list(enumerate(heads)))} | {START: -1}
    breaks: list[Break] = []
    followed: set[str] = set()
    for at, line in enumerate(lines):
        if "previous" not in line.entry:
            continue
        expected = heads[at - 1] if at else START
        previous, merged = line.entry["previous"], line.entry.get("merged", [])
        if previous != expected:
            breaks.append(Break(_kind(place.get(previous), at), line.number, expected, previous))
        for end in merged:
            if place.get(end, at) >= at:
                breaks.append(Break("lost", line.number, "an end of a branch", end))
        followed |= {previous, *merged}
    head = heads[-1] if heads else None
    ends = [
        before
        for before, line in zip(heads, lines[1:], strict=False)
        if "previous" in line.entry and before not in followed
    ]
    return Chain(len(lines), head, frozenset(heads), tuple(ends), tuple(breaks))


def _heads(lines: Sequence[Written]) -> list[str]:
    """After each line, the hash that a line added there would name."""
    found = []
    total = sha256()
    for at, line in enumerate(lines):
        if "previous" in line.entry or not at:
            total = sha256(line.raw)
        else:
            total.update(b"\n" + line.raw)
        found.append(total.hexdigest())
    return found


def _kind(follows: int | None, at: int) -> Literal["branch", "moved", "lost"]:
    if follows is None:
        return "lost"
    return "branch" if follows < at else "moved"
