"""No answerer: what was retrieved is measured, and nothing is said."""

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from pipeline.contract.tables import RESPONSE_KEY, Answers, Usage


@dataclass(frozen=True)
class Unanswered:
    """Delivers the context and answers nothing: there is no claim on record, nor an abstention.

    Its answers are texts without a sentence, which labels leave unjudged.
    """

    draws: ClassVar[bool] = False

    def answer(
        self,
        questions: pl.DataFrame,  # noqa: ARG002 - the port's arguments
        chunks: pl.DataFrame,  # noqa: ARG002
        documents: pl.DataFrame,  # noqa: ARG002
        contexts: pl.DataFrame,
        responses: pl.DataFrame,  # noqa: ARG002
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Contexts -> Answers without a word, Usage without a cost, row for row."""
        held = [*RESPONSE_KEY, "status", "error", "context", "context_recorded", "sentences"]
        lost = pl.col("chunks").is_null()
        answers = contexts.select(
            *RESPONSE_KEY,
            pl.when(lost).then(pl.lit("failed")).otherwise(pl.lit("ok")).alias("status"),
            pl.when(lost).then(pl.lit("the ranking was lost")).alias("error"),
            pl.col("chunks").alias("context"),
            pl.lit(value=True).alias("context_recorded"),
            pl.lit([], Answers.schema["sentences"]).alias("sentences"),
            *(
                pl.lit(None, dtype).alias(name)
                for name, dtype in Answers.schema.items()
                if name not in held
            ),
        )
        usage = contexts.select(
            *RESPONSE_KEY,
            *(
                pl.lit(None, dtype).alias(name)
                for name, dtype in Usage.schema.items()
                if name not in RESPONSE_KEY
            ),
        )
        return answers.select(list(Answers.columns)), usage.select(list(Usage.columns))
