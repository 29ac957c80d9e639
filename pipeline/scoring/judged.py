"""Values that come from verdicts, as a table: each response with a value or a reason.

A family of metrics has a function Verdicts -> its values; it is listed in `FAMILY`. That of
grounding needs more than verdicts: what answers cite, and what is known of the questions.
"""

from collections.abc import Callable
from typing import NamedTuple

import polars as pl

from pipeline.contract.metrics import ENTAILMENT, GROUNDED, Metric
from pipeline.contract.results import Judged
from pipeline.contract.tables import RESPONSE_KEY, check
from pipeline.scoring.entailment import KINDS, OF_RETRIEVAL, entailment
from pipeline.scoring.grounding import COUNTS, Grounds, grounded

KEY = list(RESPONSE_KEY)


class Family(NamedTuple):
    """How the metrics of one family are computed.

    Attributes:
        metrics: the family, a member of `FAMILIES`.
        kinds: the kinds of verdicts that it is made of.
        values: those verdicts -> one row a response ruled on, null for `no_claims`.
        kept: metrics whose verdicts still tell something where the answer failed.
    """

    metrics: tuple[Metric, ...]
    kinds: tuple[str, ...]
    values: Callable[[pl.DataFrame], pl.DataFrame]
    kept: tuple[str, ...] = ()


FAMILY = (Family(ENTAILMENT, KINDS, entailment, OF_RETRIEVAL),)
"""How those of `FAMILIES` are computed that need verdicts only."""


def judged(
    verdicts: pl.DataFrame,
    answers: pl.DataFrame,
    statements: pl.DataFrame,
    ids: pl.Series,
    known: Grounds | None = None,
) -> pl.DataFrame:
    """Compute every value that verdicts give.

    Args:
        verdicts: Verdicts.
        answers: Answers, its key and `status`; all questions for each system and repeat.
        statements: Statements of the same rows: `judged`, with `known` `citations` too.
        ids: (questions,) the ids that people gave the questions.
        known: of the questions' grounding; None: nothing.

    Returns:
        Judged, row for row as `answers`; empty without verdicts and grounding. A family
        without verdicts in the whole run is `not_labelled`; in one that has some, a response
        is n/a as `failed`, as `judge_failed`, or, without a claim to rule on, as `no_claims`.
    """
    if verdicts.is_empty() and known is None:
        return Judged.empty()
    rows = answers.select(*KEY, "status").with_columns(
        statements["judged"], question_id=pl.lit(ids).gather(pl.col("question"))
    )
    for family in FAMILY:
        rows = rows.with_columns(_columns(family, verdicts, rows))
    own = _unasked(rows) if known is None else grounded(verdicts, rows, statements, known)
    return check(Judged, rows.hstack(own))


def _unasked(rows: pl.DataFrame) -> pl.DataFrame:
    """The columns of grounding where nobody said anything of it."""
    columns = [pl.lit(None, pl.UInt32).alias(name) for name in COUNTS]
    for metric in GROUNDED:
        columns += [
            pl.lit(None, pl.Float64).alias(f"{metric.name}{end}") for end in ("", "_low", "_high")
        ]
        columns.append(pl.lit("not_labelled").alias(f"{metric.name}_reason"))
    return rows.select("question").with_columns(columns).drop("question")


def _columns(family: Family, verdicts: pl.DataFrame, rows: pl.DataFrame) -> list[pl.Series]:
    """Value, reason and bounds of each metric of a family, aligned with `rows`."""
    of = verdicts.filter(pl.col("kind").is_in(family.kinds))
    values = rows.join(
        family.values(of).with_columns(ruled=pl.lit(value=True)),
        on=KEY, how="left", maintain_order="left",
    )  # fmt: skip
    ruled = pl.col("ruled").is_not_null()
    lost = (
        pl.when(of.is_empty())
        .then(pl.lit("not_labelled"))
        .when(pl.col("status") == "failed")
        .then(pl.lit("failed"))
        .when(~pl.col("judged") | ~ruled)
        .then(pl.lit("judge_failed"))
    )
    columns: list[pl.Expr] = []
    for metric in family.metrics:
        name = metric.name
        why = pl.when(ruled).then(None).otherwise(lost) if name in family.kept else lost
        reason = pl.coalesce(why, pl.when(pl.col(name).is_null()).then(pl.lit("no_claims")))
        columns += [
            pl.when(reason.is_null()).then(name).alias(name),
            reason.cast(pl.String).alias(f"{name}_reason"),
            pl.lit(None, pl.Float64).alias(f"{name}_low"),
            pl.lit(None, pl.Float64).alias(f"{name}_high"),
        ]
    return values.select(columns).get_columns()
