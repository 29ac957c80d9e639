"""Citations in the words of an answer: marks `[n]` of the passages that were delivered."""

import re
from collections.abc import Sequence
from typing import Any

from pipeline.adapters.chunkers.spoken import spoken

MARK = re.compile(r"\[([0-9]+)\]")

OUTSIDE = -1


def cited(answer: str, context: Sequence[int], language: str) -> list[dict[str, Any]]:
    """The sentences of an answer, each with what its marks cite.

    A mark is `[n]` in ASCII digits without anything else in the brackets: `[1, 2]` is none.
    It cites the n-th chunk of the context, from 1; any other number, `[0]` and `[01]` among
    them, is a citation of something that was not delivered, and so a wrong one. Marks behind
    a full stop belong to the sentence before. A mark counts once in a sentence.

    Args:
        answer: the words, as the model wrote them.
        context: chunks as they were delivered, in order.
        language: whose rules find the sentences, ISO 639.

    Returns:
        `start`, `end` in code points of the answer, `chunks` (-1: not delivered) and `marks`
        as they were written, for each sentence in order; empty where nothing is said.
    """
    known = {str(at): chunk for at, chunk in enumerate(context, 1)}
    found = []
    for start, end in spoken(answer, language):
        numbers = list(dict.fromkeys(MARK.findall(answer, start, end)))
        chunks = [known.get(number, OUTSIDE) for number in numbers]
        marks = [f"[{number}]" for number in numbers]
        found.append({"start": start, "end": end, "chunks": chunks, "marks": marks})
    return found
