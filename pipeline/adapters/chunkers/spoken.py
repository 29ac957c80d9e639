"""Sentences of an answer, each with the marks of citations that follow it."""

import re
from collections.abc import Iterator

from pipeline.adapters.chunkers.sentence import sentences
from pipeline.adapters.chunkers.spans import Span

LEADING = re.compile(r"(?:\s*\[(?:cite_)?[0-9]+\])+(?:\s*[.!?…。])?\s*")
"""Marks before any word, GaRAGe's too, with the full stop that may follow them."""


def spoken(answer: str, language: str) -> Iterator[Span]:
    """Spans of the sentences without the white space around them, with the marks behind them.

    Marks behind a full stop belong to the sentence before. `language` is whose rules find the
    sentences, ISO 639.
    """
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
