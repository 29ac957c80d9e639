"""Okapi BM25 in the variant of Lucene, through bm25s."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

import numpy as np
import polars as pl

from pipeline.adapters.retrievers.permissions import readable
from pipeline.adapters.retrievers.ranked import Row, best, ranking
from pipeline.adapters.retrievers.terms import Analysis, Language, analysis
from pipeline.contract.errors import ConfigError
from pipeline.contract.spans import chunk_texts

DIGITS = 12
"""Decimals of a score: fewer than the rounding error of a sum, which differs by machine."""


@dataclass(frozen=True)
class BM25:
    """Ranks the chunks that share a term with the question; others are no hits.

    A term that the question repeats counts as often. Chunks with equal scores are in order
    of chunk. With `permissions` the caller of a question sees only what they may read,
    held back before the cut at `depth`; how rare a term is, is counted over all chunks.

    Source: Kamphuis et al. 2020 (ECIR), Lucene (accurate): idf = ln(1 + (N - n + 0.5) /
    (n + 0.5)), times tf / (tf + k1 (1 - b + b length / mean length)).
    """

    k1: float
    b: float
    stemmer: Language | None
    stop_words: Literal["en"] | None
    permissions: bool

    def __post_init__(self) -> None:
        if not 0 < self.k1 < float("inf"):
            raise ConfigError("conf: retriever.k1", expected="a number above 0", got=str(self.k1))
        if not 0 <= self.b <= 1:
            raise ConfigError("conf: retriever.b", expected="a number from 0 to 1", got=str(self.b))

    def rank(
        self,
        questions: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
        responses: pl.DataFrame,  # noqa: ARG002 - the port's argument
        depth: int,
    ) -> pl.DataFrame:
        """Questions, Chunks, Documents -> Ranking, at most `depth` a row; it may be empty."""
        allowed = readable(questions, chunks, documents, permissions=self.permissions)
        found = self._scores(questions["text"].to_list(), chunk_texts(chunks, documents))
        rows: list[Row] = []
        for scores, mask in zip(found, allowed, strict=True):
            rows.append(best(scores, scores > 0 if mask is None else mask & (scores > 0), depth))
        return ranking(questions, rows)

    def _scores(self, questions: list[str], texts: list[str]) -> Iterator[Any]:
        """Score every chunk for each question; exactly 0 without a common term."""
        terms: Analysis = analysis(self.stemmer, self.stop_words)
        codes = terms.index(texts)
        index = import_module("bm25s").BM25(method="lucene", k1=self.k1, b=self.b, dtype="float64")
        if terms.vocabulary:
            index.index((codes, terms.vocabulary), create_empty_token=False, show_progress=False)
        for question in questions:
            asked = terms.look_up(question)
            found = index.get_scores_from_ids(asked) if asked else np.zeros(len(texts))
            yield np.round(found, DIGITS)
