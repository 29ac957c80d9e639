"""Pieces between separators, the coarsest that fit, joined up to the size of a chunk."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import polars as pl
from msgspec import Meta

from pipeline.adapters.chunkers.spans import Span, chunked, merged, stripped
from pipeline.adapters.chunkers.units import Unit, Units, check, units

SEPARATORS = ("\n\n", "\n", ".", "?", "!", " ", "")
"""From coarse to fine; the last stands for every code point by itself."""


@dataclass(frozen=True)
class Recursive:
    """Cuts before the coarsest separator a text has, and what is still too long before finer ones.

    Neighbouring pieces are joined while their lengths, each measured on its own, sum to
    `chunk_size`; chunks of such a run share whole pieces of up to `overlap`. White space at
    the ends of a chunk is left out of it, the rest of the document is covered. This is the
    algorithm of LangChain's RecursiveCharacterTextSplitter with the separators that Chroma's
    evaluation of chunking (2024) gives it, but with offsets instead of texts.
    """

    chunk_size: Annotated[int, Meta(ge=1)]
    overlap: Annotated[int, Meta(ge=0)]
    unit: Unit
    model: str | None

    def __post_init__(self) -> None:
        check(self.chunk_size, self.overlap, self.unit, self.model)

    def cut(self, documents: pl.DataFrame) -> pl.DataFrame:
        """Documents -> Chunks.

        Raises:
            ConfigError: the tokenizer is not there.
        """
        measured = units(self.unit, self.model)
        return chunked(
            documents,
            lambda text: stripped(text, self._split(text, (0, len(text)), SEPARATORS, measured)),
        )

    def _split(
        self, text: str, whole: Span, separators: tuple[str, ...], measured: Units
    ) -> Iterator[Span]:
        separator, *finer = next(
            separators[at:] for at, s in enumerate(separators) if text.find(s, *whole) >= 0
        )
        pieces = list(_before(text, whole, separator))
        lengths = measured.measure([text[start:end] for start, end in pieces])
        short: list[int] = []
        for at, piece in enumerate(pieces):
            if lengths[at] < self.chunk_size:
                short.append(at)
                continue
            yield from self._joined(pieces, lengths, short, measured)
            short = []
            yield from self._split(text, piece, tuple(finer), measured) if finer else [piece]
        yield from self._joined(pieces, lengths, short, measured)

    def _joined(
        self, pieces: list[Span], lengths: list[int], short: list[int], measured: Units
    ) -> list[Span]:
        return merged(
            [pieces[at] for at in short],
            [lengths[at] for at in short],
            chunk_size=self.chunk_size,
            overlap=self.overlap,
            joint=measured.joint,
        )


def _before(text: str, whole: Span, separator: str) -> Iterator[Span]:
    """Cut before each separator; before each code point where it is empty."""
    start, end = whole
    if not separator:
        yield from ((at, at + 1) for at in range(start, end))
        return
    at = text.find(separator, start, end)
    while at >= 0:
        if at > start:
            yield start, at
        start, at = at, text.find(separator, at + len(separator), end)
    yield start, end
