"""The answers that recorded systems brought along."""

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from pipeline.contract.errors import ConfigError
from pipeline.contract.tables import QUOTES, RESPONSE_KEY, SENTENCES, Answers, Usage


@dataclass(frozen=True)
class Recorded:
    """Takes answer, claims and usage from the record.

    The context is what the system says it delivered. Where it does not say, the visible
    context is inferred from the ranking and marked so.
    """

    draws: ClassVar[bool] = False

    def answer(
        self,
        questions: pl.DataFrame,  # noqa: ARG002 - the port's arguments
        chunks: pl.DataFrame,  # noqa: ARG002
        documents: pl.DataFrame,  # noqa: ARG002
        contexts: pl.DataFrame,
        responses: pl.DataFrame,
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Responses with their contexts -> Answers, Usage, row for row.

        Raises:
            ConfigError: the contexts are not those of the recorded systems.
        """
        if not contexts.select(RESPONSE_KEY).equals(responses.select(RESPONSE_KEY)):
            raise ConfigError(
                "conf: answerer",
                expected="retriever=recorded with answerer=recorded",
                got="rankings of other systems than the recorded ones",
            )
        stated = pl.col("delivered").is_not_null()
        answers = responses.with_columns(inferred=contexts["chunks"]).select(
            *RESPONSE_KEY,
            "status",
            "error",
            "answer",
            pl.when(stated).then("delivered").otherwise("inferred").alias("context"),
            stated.alias("context_recorded"),
            "claim_ids",
            "citations",
            pl.lit(None, QUOTES).alias("quotes"),
            pl.lit(None, SENTENCES).alias("sentences"),
        )
        return answers.select(list(Answers.columns)), responses.select(list(Usage.columns))
