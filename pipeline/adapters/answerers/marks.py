"""Citations in the words of an answer: marks `[n]` of the passages that were delivered."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from pipeline.adapters.chunkers.sentence import sentences
from pipeline.adapters.chunkers.spans import Span

MARK = re.compile(r"\[([0-9]+)\]")
LEADING = re.compile(r"(?:\s*\[[0-9]+\])+(?:\s*[.!?…。])?\s*")
"""Marks before any word, with the full stop that may follow them."""

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
    for start, end in _sentences(answer, language):
        numbers = list(dict.fromkeys(MARK.findall(answer, start, end)))
        chunks = [known.get(number, OUTSIDE) for number in numbers]
        marks = [f"[{number}]" for number in numbers]
        found.append({"start": start, "end": end, "chunks": chunks, "marks": marks})
    return found


def _sentences(answer: str, language: str) -> Iterator[Span]:
    """Sentences without the white space around them, with the marks that follow them."""
    held: Span | None = None
    for start, end in sentences(answer, language):
        leading = LEADING.match(answer, start, end) if held else None
        if held and leading:
            held, start = (held[0], leading.end()), leading.end()
        if not answer[start:end].strip():
            continue
        if held:
            yield _trimmed(answer, held)
        held = (start, end)
    if held:
        yield _trimmed(answer, held)


def _trimmed(text: str, span: Span) -> Span:
    words = text[span[0] : span[1]]
    start = span[0] + len(words) - len(words.lstrip())
    return start, start + len(words.strip())
