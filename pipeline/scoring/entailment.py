"""RAGChecker's measures: which claims an answer, its reference and its passages entail.

A claim is *right* when the reference answer entails it, *wrong* otherwise. A passage is
*relevant* when it entails some claim of the reference answer. A contradiction is no
entailment; beside that it counts as neutral does.

Source: Ru et al. 2024, "RAGChecker: A Fine-grained Framework for Diagnosing
Retrieval-Augmented Generation", arXiv 2408.08067, and its code, in which a wrong claim that
both kinds of passages entail counts for the relevant ones only.
"""

from functools import reduce

import polars as pl

from pipeline.contract.metrics import ENTAILMENT
from pipeline.contract.tables import RESPONSE_KEY

KINDS = ("answer_to_reference", "reference_to_answer", "answer_to_passage", "reference_to_passage")
"""Kinds of verdicts that these measures are made of."""

OF_RETRIEVAL = ("claim_recall", "context_precision")
"""Measures that depend on the passages and the reference only, not on the answer."""

KEY = list(RESPONSE_KEY)
CLAIM = [*KEY, "item"]
PASSAGE = [*KEY, "against"]
YES = pl.col("label") == "Entailment"


def entailment(verdicts: pl.DataFrame) -> pl.DataFrame:
    """Compute the eleven measures of each response.

    Args:
        verdicts: Verdicts, those of a kind in `KINDS` complete for each response in it:
            each claim against the other text and against each passage; other kinds are
            left out of account.

    Returns:
        One row for each response in `verdicts`: its key, and each metric of `ENTAILMENT` in
        [0, 1], never NaN. Null is n/a for want of claims: measures over the answer's claims
        where it has none, those over the reference's claims where that has none, F1 and
        noise sensitivity where either has none (without a reference no passage is relevant
        or not), and utilization where no passage entails a claim of the reference. Recall
        is over the reference's claims, so an answer without claims keeps it, 0 where it
        entails none of them: silence never helps. Without passages their precision is 0, as
        is the recall of claims.
    """
    of = verdicts.filter(pl.col("kind").is_in(KINDS))
    passages = of.filter(kind="reference_to_passage")
    relevant = passages.group_by(PASSAGE).agg(relevant=YES.any())
    answer, reference = _answer(of, relevant), _reference(of, passages)
    useful = relevant.group_by(KEY).agg(useful=pl.col("relevant").mean())
    keys = of.select(KEY).unique().sort(KEY)
    joined = reduce(_joined, (answer, reference, useful), keys)
    both = pl.col("entailment_precision") + pl.col("entailment_recall")
    product = 2 * pl.col("entailment_precision") * pl.col("entailment_recall")
    expected = pl.col("entailment_recall").is_not_null()
    return joined.with_columns(
        entailment_f1=pl.when(both > 0).then(product / both).when(both == 0).then(0.0),
        context_precision=pl.when(expected).then(pl.col("useful").fill_null(0.0)),
        noise_sensitivity_in_relevant=pl.when(expected).then("noise_sensitivity_in_relevant"),
        noise_sensitivity_in_irrelevant=pl.when(expected).then("noise_sensitivity_in_irrelevant"),
    ).select(*KEY, *(metric.name for metric in ENTAILMENT))


def _answer(of: pl.DataFrame, relevant: pl.DataFrame) -> pl.DataFrame:
    """Shares of the claims of each answer that has some."""
    held = (
        of.filter(YES, kind="answer_to_passage")
        .join(relevant, on=PASSAGE, how="left")
        .group_by(CLAIM)
        .agg(noisy=pl.col("relevant").fill_null(value=False).any())
    )
    claims = of.filter(pl.col("item").is_not_null(), kind="answer_to_reference")
    right, faithful = YES, pl.col("noisy").is_not_null()
    in_relevant = pl.col("noisy").fill_null(value=False)
    return (
        claims.join(held, on=CLAIM, how="left")
        .group_by(KEY)
        .agg(
            entailment_precision=right.mean(),
            noise_sensitivity_in_relevant=(~right & in_relevant).mean(),
            noise_sensitivity_in_irrelevant=(~right & faithful & ~in_relevant).mean(),
            hallucination=(~right & ~faithful).mean(),
            self_knowledge=(right & ~faithful).mean(),
            faithfulness=faithful.mean(),
        )
    )


def _reference(of: pl.DataFrame, passages: pl.DataFrame) -> pl.DataFrame:
    """Shares of the claims of each reference answer that has some."""
    held = passages.filter(YES).select(CLAIM).unique().with_columns(held=pl.lit(value=True))
    claims = of.filter(pl.col("item").is_not_null(), kind="reference_to_answer")
    found = pl.col("held").is_not_null()
    return (
        claims.join(held, on=CLAIM, how="left")
        .group_by(KEY)
        .agg(
            entailment_recall=YES.mean(),
            claim_recall=found.mean(),
            context_utilization=YES.filter(found).mean(),
        )
    )


def _joined(left: pl.DataFrame, right: pl.DataFrame) -> pl.DataFrame:
    return left.join(right, on=KEY, how="left")
