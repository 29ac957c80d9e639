"""Fences around text of others, so that nothing inside can pass for something outside."""

import re
from collections.abc import Sequence

RUN = re.compile(r"`+")
SHORTEST = 3


def fence(texts: Sequence[str]) -> str:
    """A row of backticks that is longer than any in the texts: none of them can close it.

    It depends on the texts alone, so that the same prompt comes out each time.
    """
    longest = max((len(run) for text in texts for run in RUN.findall(text)), default=0)
    return "`" * max(SHORTEST, longest + 1)


def fenced(text: str) -> str:
    """One text between fences of its own."""
    mark = fence([text])
    return f"{mark}\n{text}\n{mark}"


def numbered(texts: Sequence[str], numbers: Sequence[int] | None = None) -> str:
    """The texts in order, each under its number, between fences that all share.

    Numbers count from 1 unless they are given.
    """
    mark = fence(texts)
    under = range(1, len(texts) + 1) if numbers is None else numbers
    parts = zip(under, texts, strict=True)
    return "\n\n".join(f"[{number}]\n{mark}\n{text}\n{mark}" for number, text in parts)
