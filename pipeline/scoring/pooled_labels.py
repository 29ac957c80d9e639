"""Judged@k: how much of what was retrieved people have looked at, where labels come of a pool.

Labels made on the pooled results of some systems say nothing of what another one finds, and a
document that nobody looked at counts as not relevant. So a low value warns that retrieval
metrics may be too low.
"""

from typing import Any

import numpy as np
import polars as pl

from pipeline.contract.tables import RESPONSE_KEY
from pipeline.scoring.means import over_repeats


def judged_at(
    ranking: pl.DataFrame,
    doc: pl.Series,
    questions: pl.DataFrame,
    relevance: pl.DataFrame,
    looked_at: pl.DataFrame,
    *,
    cutoff: int | None,
) -> pl.DataFrame:
    """Judged@k of each response, and the share of what it retrieved that nobody looked at.

    Args:
        ranking: Ranking; of a response under a budget the delivered chunks only.
        doc: (chunks,) the document of each chunk.
        questions: Questions, `labelled` at least, in order.
        relevance: Relevance; a question with a row has evidence in some resolution.
        looked_at: LookedAt.
        cutoff: k; None: as many as each ranking holds.

    Returns:
        Row for row as `ranking`, its key and: `judged` in [0, 1], of the first k the documents
        that people looked at over k, also where fewer than k came back; `unseen` in [0, 1],
        those nobody looked at over the documents there are, null without any; `reason` why
        both are null: `not_labelled`, `unanswerable`, or `failed` where the ranking was lost.

    Source: Judged@k of ir_measures, which divides by the length of a list shorter than k.
    """
    pooled = looked_at.with_columns(looked=pl.lit(value=True))
    whole = questions.with_row_index("question").filter(
        ~pl.col("question").is_in(looked_at["question"].unique().implode())
    )["question"]
    answerable = relevance["question"].unique()
    rows = ranking.select(*RESPONSE_KEY, "chunks").with_row_index("row")
    if cutoff is not None:
        rows = rows.with_columns(pl.col("chunks").list.head(cutoff))
    first = (
        rows.select("row", "question", chunk="chunks")
        .explode("chunk", empty_as_null=False, keep_nulls=False)
        .with_columns(doc=pl.lit(doc).gather(pl.col("chunk")))
        .join(pooled, on=["question", "doc"], how="left")
        .group_by("row")
        .agg(
            seen=(pl.col("looked").is_not_null() | pl.col("question").is_in(whole.implode())).sum(),
            shown=pl.len(),
        )
    )
    labelled = pl.lit(questions["labelled"]).gather(pl.col("question"))
    held = rows.join(first, on="row", how="left", maintain_order="left").with_columns(
        pl.col("seen", "shown").fill_null(0).cast(pl.Int64),
        reason=pl.when(~labelled)
        .then(pl.lit("not_labelled"))
        .when(~pl.col("question").is_in(answerable.implode()))
        .then(pl.lit("unanswerable"))
        .when(pl.col("chunks").is_null())
        .then(pl.lit("failed")),
    )
    fits = pl.col("reason").is_null()
    k = pl.col("shown") if cutoff is None else pl.lit(cutoff)
    return held.select(
        *RESPONSE_KEY,
        judged=pl.when(fits & (k > 0)).then(pl.col("seen") / k).when(fits).then(0.0),
        unseen=pl.when(fits & (pl.col("shown") > 0)).then(1 - pl.col("seen") / pl.col("shown")),
        reason="reason",
    )


def summary(values: pl.DataFrame) -> dict[str, Any]:
    """Average `judged_at` by system: first over a question's repeats, then over questions.

    Returns:
        `{system: {macro, unseen, n, n_values, na}}`: means, None without a value; questions
        and responses with a value; how many responses have none, by reason.
    """
    found: dict[str, Any] = {}
    for (system,), of in values.sort(RESPONSE_KEY).group_by("system", maintain_order=True):
        questions = of["question"].n_unique()
        na = of.filter(pl.col("reason").is_not_null())["reason"].value_counts().sort("reason")
        means, defined = _means(of["judged"], questions)
        unseen, some = _means(of["unseen"], questions)
        found[str(system)] = {
            "macro": float(means[defined].mean()) if defined.any() else None,
            "unseen": float(unseen[some].mean()) if some.any() else None,
            "n": int(defined.sum()),
            "n_values": len(of) - of["judged"].null_count(),
            "na": dict(na.rows()),
        }
    return found


def _means(values: pl.Series, questions: int) -> tuple[Any, Any]:
    table = values.to_numpy().astype(float).reshape(-1, questions)
    return over_repeats(table, ~np.isnan(table))
