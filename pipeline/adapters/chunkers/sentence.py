"""Whole sentences, joined up to the size of a chunk."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import polars as pl
from msgspec import Meta

from pipeline.adapters.chunkers.fixed_tokens import windows
from pipeline.adapters.chunkers.spans import Span, chunked, merged, stripped
from pipeline.adapters.chunkers.units import Unit, Units, check, units

Tongue = Annotated[str, Meta(pattern="^[a-z]{2,3}$")]
"""A language, as ISO 639-1 or 639-3 names it."""

WINDOW = 4_096
"""Code points that the splitter sees at once; its time grows with the square of that."""


@dataclass(frozen=True)
class Sentence:
    """Joins neighbouring sentences up to `chunk_size`; chunks share whole ones up to `overlap`.

    A sentence that is longer than a chunk is cut into windows. White space at the ends of a
    chunk is left out of it, the rest of the document is covered. Sentences are found by
    `sentencex`, by the rules of `language` (ISO 639-1; English for one it does not know).
    """

    chunk_size: Annotated[int, Meta(ge=1)]
    overlap: Annotated[int, Meta(ge=0)]
    unit: Unit
    model: str | None
    language: Tongue

    def __post_init__(self) -> None:
        check(self.chunk_size, self.overlap, self.unit, self.model)

    def cut(self, documents: pl.DataFrame) -> pl.DataFrame:
        """Documents -> Chunks.

        Raises:
            ConfigError: the tokenizer is not there.
        """
        measured = units(self.unit, self.model)
        return chunked(documents, lambda text: stripped(text, self._joined(text, measured)))

    def _joined(self, text: str, measured: Units) -> list[Span]:
        found = list(sentences(text, self.language))
        lengths = measured.measure([text[start:end] for start, end in found])
        pieces: list[Span] = []
        for (start, end), length in zip(found, lengths, strict=True):
            if length <= self.chunk_size:
                pieces.append((start, end))
            else:
                room = max(self.chunk_size - measured.joint, 1)
                borders = measured.borders(text[start:end]) + start
                pieces += windows(borders, room, 0)
        return merged(
            pieces,
            measured.measure([text[start:end] for start, end in pieces]),
            chunk_size=self.chunk_size,
            overlap=self.overlap,
            joint=measured.joint,
        )


def sentences(text: str, language: str) -> Iterator[Span]:
    """Spans of the sentences of a text, each with the white space after it; they cover it all.

    The text is read in windows, each from the last sentence of the window before, which may
    have been cut off. What is longer than a window comes in parts.
    """
    from sentencex import get_sentence_boundaries

    start = 0
    while start < len(text):
        seen = text[start : start + WINDOW]
        ends = [found["end_index"] for found in get_sentence_boundaries(language, seen)]
        if start + len(seen) < len(text) and len(ends) > 1:
            del ends[-1]
        offset = start
        for end in ends or [len(seen)]:
            if offset + end > start:
                yield start, offset + end
                start = offset + end
