"""Where the record of an answer and its judge disagree on whether it answers.

An abstention is an answer whose record holds no claim; a deflection is what a judge calls one.
They are two things, and neither corrects the other.
"""

import polars as pl

from pipeline.contract.results import Silences
from pipeline.contract.tables import RESPONSE_KEY, check
from pipeline.scoring.factual import YES

KEY = list(RESPONSE_KEY)


def silences(verdicts: pl.DataFrame, statements: pl.DataFrame, ids: pl.Series) -> pl.DataFrame:
    """List the answers that abstain and do not deflect, or deflect and make claims.

    Args:
        verdicts: Verdicts; `deflection` of a whole answer, Yes or No, counts.
        statements: Statements, its key and `claims`.
        ids: (questions,) the ids that people gave the questions.

    Returns:
        Silences; only answers of which both is known, and on which they disagree.
    """
    ruled = (
        verdicts.filter(pl.col("item").is_null(), kind="deflection")
        .select(
            *KEY,
            deflected=pl.col("label").replace_strict(YES, default=None, return_dtype=pl.Boolean),
        )
        .drop_nulls()
    )
    known = statements.select(*KEY, abstained=pl.col("claims").list.len() == 0).drop_nulls()
    both = known.join(ruled, on=KEY, validate="1:1").filter(
        pl.col("abstained") != pl.col("deflected")
    )
    named = both.with_columns(question_id=pl.lit(ids).gather(pl.col("question")))
    return check(Silences, named.sort(Silences.key))
