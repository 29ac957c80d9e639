"""BM25 and nearest vectors, joined by rank."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
import polars as pl
from msgspec import Meta

from pipeline.adapters.retrievers.bm25 import BM25
from pipeline.adapters.retrievers.dense import Dense
from pipeline.adapters.retrievers.ranked import Row, ranking
from pipeline.adapters.retrievers.terms import Language
from pipeline.settings.installed import ModelName


@dataclass(frozen=True)
class Hybrid:
    """Reciprocal rank fusion: the sum of 1 / (constant + rank) over both rankings.

    Each is cut at `depth` first; what a ranking does not hold adds nothing. Chunks with
    equal sums are in order of chunk. The other settings are those of BM25 and Dense.

    Source: Cormack, Clarke, Büttcher 2009 (SIGIR), whose constant is 60.
    """

    constant: Annotated[int, Meta(ge=1)]
    k1: float
    b: float
    stemmer: Language | None
    stop_words: Literal["en"] | None
    model: ModelName
    revision: str | None
    base_url: str | None
    api_key_env: str | None
    batch: Annotated[int, Meta(ge=1)]
    permissions: bool

    def __post_init__(self) -> None:
        _ = self._parts()

    def rank(
        self,
        questions: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
        responses: pl.DataFrame,
        depth: int,
    ) -> pl.DataFrame:
        """Questions, Chunks, Documents -> Ranking, at most `depth` a row.

        Raises:
            ConfigError: the extra [dense], the model or the key is not there.
            EndpointError: the endpoint or the store of vectors failed.
        """
        lists = [
            part.rank(questions, chunks, documents, responses, depth)["chunks"].to_list()
            for part in self._parts()
        ]
        return ranking(questions, self._fused(zip(*lists, strict=True), depth))

    def _fused(self, pairs: Iterator[tuple[list[int], ...]], depth: int) -> Iterator[Row]:
        for pair in pairs:
            sums: dict[int, float] = {}
            for ranked in pair:
                for rank, chunk in enumerate(ranked, start=1):
                    sums[chunk] = sums.get(chunk, 0.0) + 1 / (self.constant + rank)
            kept = sorted(sums.items(), key=lambda item: (-item[1], item[0]))[:depth]
            chunks = np.array([chunk for chunk, _ in kept], dtype=np.int64)
            yield chunks, np.array([score for _, score in kept])

    def _parts(self) -> tuple[BM25, Dense]:
        words = BM25(self.k1, self.b, self.stemmer, self.stop_words, self.permissions)
        meaning = Dense(
            self.model,
            self.revision,
            self.base_url,
            self.api_key_env,
            self.batch,
            self.permissions,
        )
        return words, meaning
