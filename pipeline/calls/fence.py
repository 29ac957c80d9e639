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


def numbered(texts: Sequence[str]) -> str:
    """The texts in order, each under its number from 1, between fences that all share."""
    mark = fence(texts)
    return "\n\n".join(f"[{at}]\n{mark}\n{text}\n{mark}" for at, text in enumerate(texts, 1))
