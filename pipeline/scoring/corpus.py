"""What is known of documents and chunks whatever is asked: worked out once for all blocks."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import polars as pl

from pipeline.scoring.arrays import Ints
from pipeline.scoring.cuts import Cuts
from pipeline.scoring.leaks import Numbered


@dataclass(frozen=True)
class Corpus:
    """The chunks of the corpus, and who may read its documents.

    Attributes:
        cuts: the chunks.
        groups: (documents,) groups that may read each; null: everybody.
        seen: Found, where the publisher of the span metrics sees the chunks.
    """

    cuts: Cuts
    groups: pl.Series
    seen: pl.DataFrame

    @classmethod
    def of(cls, documents: pl.DataFrame, chunks: pl.DataFrame, found: pl.DataFrame) -> Self:
        """Take Documents, Chunks and Found."""
        return cls(Cuts.of(chunks), documents["access_groups"], found)

    @cached_property
    def found(self) -> Cuts:
        """The chunks where the publisher of the span metrics sees them."""
        return Cuts.of(self.seen.with_columns(doc=pl.Series(self.cuts.doc)))

    @cached_property
    def readable(self) -> Numbered | None:
        """The documents by their sets of groups; None: everybody may read all of them."""
        return None if self.groups.null_count() == len(self.groups) else Numbered.of(self.groups)

    @cached_property
    def _whole(self) -> bool:
        """Whether each document is one chunk, so that their codes are the same."""
        return np.array_equal(self.cuts.doc, np.arange(len(self.cuts.doc)))

    def documents(self, chunks: Any) -> Ints:
        """Codes of chunks -> codes of their documents."""
        if self._whole:
            codes: Ints = chunks.astype(np.int32, copy=False)
        else:
            codes = self.cuts.doc[chunks]
        return codes
