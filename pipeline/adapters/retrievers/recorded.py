"""The rankings that recorded systems brought along."""

from dataclasses import dataclass

import polars as pl

from pipeline.contract.errors import ConfigError
from pipeline.contract.tables import Ranking


@dataclass(frozen=True)
class Recorded:
    """Takes each response's `retrieved` as it stands; the order of the list is the ranking."""

    def rank(
        self,
        questions: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,  # noqa: ARG002 - the port's argument
        responses: pl.DataFrame,
        depth: int,
    ) -> pl.DataFrame:
        """Responses -> Ranking cut at `depth`; null stays null (the ranking was lost).

        Raises:
            ConfigError: nothing was recorded, or documents are cut into chunks, which
                recorded rankings know nothing about.
        """
        if responses.is_empty() and not questions.is_empty():
            raise ConfigError(
                "conf: retriever",
                expected="recorded responses in the data set",
                got="none",
                remedy="add responses.jsonl to it, or choose another retriever",
            )
        if not chunks["chunk"].equals(chunks["doc"], check_dtypes=True):
            raise ConfigError(
                "conf: chunker",
                expected="document, since recorded rankings name documents",
                got=f"{len(chunks)} chunks of {chunks['doc'].n_unique()} documents",
            )
        return responses.select(
            "system",
            "repeat",
            "question",
            pl.col("retrieved").list.head(depth).alias("chunks"),
            pl.col("scores").list.head(depth),
        ).select(list(Ranking.columns))
