"""Rankings of the built-in system from scores: the one place that orders and breaks ties."""

from collections.abc import Iterable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pipeline.contract.tables import BUILT_IN, CODE, CODES, Ranking

Row = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Ranked chunks of one question, best first, and their scores."""


def best(scores: NDArray[np.float64], hits: NDArray[np.bool_] | None, depth: int) -> Row:
    """The `depth` best chunks: score descending, then chunk ascending, exactly.

    Args:
        scores: (chunks,) score of each chunk.
        hits: (chunks,) which of them may be ranked at all; None: all.
        depth: how many to keep.
    """
    chunks = np.arange(len(scores)) if hits is None else np.flatnonzero(hits)
    values = scores[chunks]
    if len(chunks) > depth:
        edge = np.partition(values, len(values) - depth)[len(values) - depth]
        kept = values >= edge
        chunks, values = chunks[kept], values[kept]
    order = np.lexsort((chunks, -values))[:depth]
    return chunks[order], values[order]


def ranking(questions: pl.DataFrame, rows: Iterable[Row]) -> pl.DataFrame:
    """Questions and the row of each, in order -> Ranking of the system `rag`.

    Retrieval draws nothing at random, so there is one repeat.
    """
    pairs = list(rows)
    return pl.DataFrame(
        {
            "system": pl.Series([BUILT_IN] * len(pairs), dtype=pl.String),
            "repeat": pl.Series([1] * len(pairs), dtype=pl.UInt32),
            "question": questions["question"].cast(CODE),
            "chunks": pl.Series([chunks.tolist() for chunks, _ in pairs], dtype=CODES),
            "scores": pl.Series([s.tolist() for _, s in pairs], dtype=pl.List(pl.Float64)),
        },
        schema=Ranking.schema,
    )
