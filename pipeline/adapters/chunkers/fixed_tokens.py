"""Windows of a fixed number of units, wherever the text happens to be."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import polars as pl
from msgspec import Meta

from pipeline.adapters.chunkers.spans import Span, chunked
from pipeline.adapters.chunkers.units import Borders, Unit, check, units
from pipeline.contract.errors import ConfigError


@dataclass(frozen=True)
class FixedTokens:
    """Cuts each document into windows of `chunk_size` units that overlap by `overlap`.

    Every code point is in a chunk. A border inside of a code point (a token may be part of
    one) moves back to where it begins; a window that then adds nothing is left out.
    A model's special tokens count towards `chunk_size`.
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
            ConfigError: the tokenizer is not there, or its special tokens fill the chunk.
        """
        measured = units(self.unit, self.model)
        room = self.chunk_size - measured.joint
        if room <= self.overlap:
            raise ConfigError(
                "conf: chunker.chunk_size",
                expected=f"more than overlap and {measured.joint} special tokens",
                got=str(self.chunk_size),
            )
        return chunked(documents, lambda text: windows(measured.borders(text), room, self.overlap))


def windows(borders: Borders, room: int, overlap: int) -> Iterator[Span]:
    """Spans of `room` units, each `room - overlap` after the last, that together hold all."""
    count = len(borders) - 1
    reached = int(borders[0])
    for first in range(0, max(count - overlap, min(count, 1)), room - overlap):
        start, end = borders[first], borders[min(first + room, count)]
        if end > reached:
            reached = int(end)
            yield int(start), reached
