"""What is known of documents and chunks whatever is asked: worked out once for all blocks."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import polars as pl

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
