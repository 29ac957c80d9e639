"""The chunks of the corpus as arrays: where they lie, how long they are, what they touch."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import polars as pl

from pipeline.scoring.arrays import Ints, Lists, starts, within
from pipeline.scoring.spans import SHIFT


@dataclass(frozen=True)
class Cuts:
    """The chunks of the corpus: document, first position and position after the last."""

    doc: Ints
    start: Ints
    end: Ints

    @classmethod
    def of(cls, chunks: pl.DataFrame) -> Self:
        """Take Chunks."""
        doc, start, end = (chunks[name].to_numpy() for name in ("doc", "start", "end"))
        return cls(doc.astype(np.int32), start.astype(np.int64), end.astype(np.int64))

    @cached_property
    def whole(self) -> bool:
        """Whether each document is one chunk, so that their codes are the same."""
        return np.array_equal(self.doc, np.arange(len(self.doc)))

    def documents(self, chunks: Any) -> Ints:
        """Codes of chunks, of 32 bits -> codes of their documents."""
        codes: Ints = chunks.view(np.int32) if self.whole else self.doc[chunks]
        return codes

    def total(self, shown: Ints) -> Ints:
        """(ranks, responses) codes of chunks, below 0 for none -> (responses,) characters."""
        total = np.zeros(shown.shape[1], np.int64)
        sizes = np.append(self.end - self.start, 0)
        for chunks in shown:
            total += sizes[np.maximum(chunks, -1)]
        return total

    @cached_property
    def last(self) -> Ints:
        """(documents,) where the last chunk of each document ends."""
        last = np.zeros(self.doc.max(initial=-1) + 1, np.int64)
        np.maximum.at(last, self.doc, self.end)
        return last

    def touching(self, doc: Ints, start: Ints, end: Ints, *, beside: bool) -> tuple[Ints, Ints]:
        """Find the chunks that overlap spans of documents.

        Args:
            doc: (m,) the document of each span.
            start: (m,) its first position.
            end: (m,) the position after its last.
            beside: whether a chunk that only touches a span counts.

        Returns:
            Pairs of a span's index and a chunk's code.
        """
        line = self.doc.astype(np.int64) << SHIFT
        begins, reaches = line | self.start, line | self.end
        order = None
        if (begins[1:] < begins[:-1]).any():
            order = np.argsort(begins, kind="stable")
            begins, reaches = begins[order], reaches[order]
        reaches = np.maximum.accumulate(reaches)
        at = doc.astype(np.int64) << SHIFT
        first = np.searchsorted(reaches, at | start, side="left" if beside else "right")
        last = np.searchsorted(begins, at | end, side="right" if beside else "left")
        lists = Lists(starts(np.maximum(last - first, 0)))
        chunk, span = within(first, lists), lists.owner
        chunk = chunk if order is None else order[chunk]
        kept = self.end[chunk] > start[span] - beside
        return span[kept], chunk[kept]
