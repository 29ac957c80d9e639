"""No reranking: the retriever's order stands."""

from dataclasses import dataclass

import polars as pl


@dataclass(frozen=True)
class Unchanged:
    """Hands the ranking on as it came."""

    def rerank(
        self,
        questions: pl.DataFrame,  # noqa: ARG002 - the port's arguments
        chunks: pl.DataFrame,  # noqa: ARG002
        documents: pl.DataFrame,  # noqa: ARG002
        ranking: pl.DataFrame,
    ) -> pl.DataFrame:
        """Ranking -> the same Ranking."""
        return ranking
