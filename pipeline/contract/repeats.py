"""Rankings and the answers given from them, where only the answers were drawn several times."""

import polars as pl

from pipeline.contract.tables import RESPONSE_KEY


def drawn(ranking: pl.DataFrame, repeats: int) -> pl.DataFrame:
    """Give each row of a Ranking of one repeat as many as asked for, in order of the key."""
    index = pl.DataFrame({"repeat": pl.Series(range(1, repeats + 1), dtype=pl.UInt32)})
    rows = ranking.drop("repeat").join(index, how="cross")
    return rows.select(ranking.columns).sort(RESPONSE_KEY)


def answered(ranking: pl.DataFrame, answers: pl.DataFrame) -> pl.DataFrame:
    """The ranking that each answer was given from, row for row of the answers.

    Args:
        ranking: Ranking, or some columns of it with its key.
        answers: a table with the key of responses, in its order. Where it has repeats that
            the ranking lacks, each was drawn from the same ranking, the first repeat's.
    """
    keys = answers.select(RESPONSE_KEY)
    if keys.equals(ranking.select(RESPONSE_KEY)):
        return ranking
    first = ranking.filter(repeat=1).drop("repeat")
    on = ["system", "question"]
    return keys.join(first, on=on, how="left", maintain_order="left", validate="m:1").select(
        ranking.columns
    )
