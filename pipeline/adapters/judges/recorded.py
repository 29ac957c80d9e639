"""The verdicts that a set brought along."""

from dataclasses import dataclass

import polars as pl

from pipeline.adapters.judges.named import named
from pipeline.contract.errors import ConfigError
from pipeline.contract.tables import RESPONSE_KEY, Statements


@dataclass(frozen=True)
class Recorded:
    """Replays recorded verdicts; claims are those that the record of an answer names.

    An answer that nobody ruled on, though it did not fail, is one on which the judge failed.
    """

    def judge(
        self,
        answers: pl.DataFrame,
        questions: pl.DataFrame,  # noqa: ARG002 - the port's argument
        claims: pl.DataFrame,
        relevance: pl.DataFrame,  # noqa: ARG002 - the port's arguments
        evidence: pl.DataFrame,  # noqa: ARG002
        chunks: pl.DataFrame,  # noqa: ARG002
        documents: pl.DataFrame,
        verdicts: pl.DataFrame,
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Answers, Claims, Documents, recorded Verdicts -> Statements, Verdicts.

        Raises:
            ConfigError: nothing was recorded, or it was on other answers than these.
        """
        if verdicts.is_empty() and not answers.is_empty():
            raise ConfigError(
                "conf: judge",
                expected="recorded verdicts in the data set",
                got="none",
                remedy="choose another judge, such as judge=labels",
            )
        key = list(RESPONSE_KEY)
        ruled = verdicts.select(key).unique()
        if not ruled.join(answers.select(key), on=key, how="anti").is_empty():
            raise ConfigError(
                "conf: judge",
                expected="answerer=recorded with judge=recorded",
                got="verdicts on other answers than these",
            )
        stated = named(answers.with_row_index("row"), claims, documents)
        told = answers.select(*key, "status").join(
            ruled.with_columns(ruled=pl.lit(value=True)), on=key, how="left", maintain_order="left"
        )
        judged = told.select(pl.col("ruled").is_not_null() | (pl.col("status") == "failed"))
        statements = stated.with_columns(judged.to_series().alias("judged"))
        return statements.select(list(Statements.columns)), verdicts
