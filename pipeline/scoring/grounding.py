"""GaRAGe's measures: what an answer cites, whether it deflects, what its sentences rest on.

Attribution compares the documents that a whole answer cites with the question's gold set, its
relevant documents. An answer that cites nothing has a recall of 0, so that silence never
helps, and no precision. Where the gold set is empty each citation is wrong: precision is 0
and recall is n/a. Attribution F1 over several questions is the harmonic mean of the averages
(`pipeline.scoring.harmonic`); that of one answer is the harmonic mean of its own two.

Whether to deflect is right is the question's attribute `grounding`: `insufficient` or
`sufficient`. Questions whose attribute `factuality` is `left out` have no value of
eligibility and factuality.

Source: Sorodoc et al. 2025, arXiv 2506.07671.
"""

from typing import NamedTuple

import polars as pl

from pipeline.contract.metrics import GROUNDED
from pipeline.contract.tables import RESPONSE_KEY, attribute
from pipeline.scoring.factual import KINDS, SENTENCES, Reasoned, deflection, factual, first, ruled

KEY = list(RESPONSE_KEY)
COUNTS = ("attributed", "cited", "gold")


class Grounds(NamedTuple):
    """What is known of the questions.

    Attributes:
        questions: `labelled` and `attributes` of Questions, in order.
        relevance: Relevance.
    """

    questions: pl.DataFrame
    relevance: pl.DataFrame


def grounds(
    questions: pl.DataFrame, relevance: pl.DataFrame, verdicts: pl.DataFrame
) -> Grounds | None:
    """Take what the measures need of Questions and Relevance; None: there are none to take.

    A set has these measures when `grounded_set` says so, and a run when sentences were ruled
    on.
    """
    ruled_on = verdicts["kind"].is_in(SENTENCES).any()
    if not (ruled_on or grounded_set(questions.lazy())):
        return None
    return Grounds(questions.select("labelled", "attributes"), relevance)


def grounded_set(questions: pl.LazyFrame) -> bool:
    """Whether any question's attribute `grounding` is `sufficient` or `insufficient`."""
    told = questions.select(pl.col("attributes").explode(empty_as_null=False)).unnest("attributes")
    said = (pl.col("key") == "grounding") & pl.col("value").is_in(["sufficient", "insufficient"])
    return bool(told.select(said.any()).collect(engine="streaming").item())


def grounded(
    verdicts: pl.DataFrame, rows: pl.DataFrame, statements: pl.DataFrame, known: Grounds
) -> pl.DataFrame:
    """Compute the measures of each response.

    Args:
        verdicts: Verdicts; those of a kind in `KINDS` count.
        rows: the responses' key, `status` and `judged`.
        statements: Statements of the same rows.
        known: of the questions.

    Returns:
        Row for row as `rows`: each metric of `GROUNDED` in [0, 1] or null, its `_reason`, its
        bounds, which are null, and the whole numbers `COUNTS` behind attribution.
    """
    of = verdicts.filter(pl.col("kind").is_in(KINDS))
    seen = set(of["kind"])
    facts = rows.with_columns(
        _told(known, rows["question"], "grounding"), _told(known, rows["question"], "factuality")
    )
    facts = facts.hstack(_cited(rows, statements, known))
    for kind in KINDS:
        facts = facts.join(ruled(of, kind), on=KEY, how="left", maintain_order="left")
    found = _attribution() | deflection(seen) | factual(seen)
    columns: list[pl.Expr] = [pl.col(COUNTS)]
    for metric in GROUNDED:
        value, reason = found[metric.name]
        columns += [
            pl.when(reason.is_null()).then(value).cast(pl.Float64).alias(metric.name),
            reason.cast(pl.String).alias(f"{metric.name}_reason"),
            pl.lit(None, pl.Float64).alias(f"{metric.name}_low"),
            pl.lit(None, pl.Float64).alias(f"{metric.name}_high"),
        ]
    return facts.select(columns)


def _told(known: Grounds, question: pl.Series, key: str) -> pl.Series:
    return attribute(known.questions["attributes"], key).gather(question).alias(key)


def _cited(rows: pl.DataFrame, statements: pl.DataFrame, known: Grounds) -> pl.DataFrame:
    """For each response the `COUNTS`, whether its question is labelled, and any dispute.

    A document counts once; each citation of one that the corpus lacks is a wrong one.
    """
    gold = known.relevance.group_by("question").agg(
        docs=pl.col("doc").cast(pl.Int32), open=(pl.col("yes") < pl.col("votes")).any()
    )
    labelled = known.questions["labelled"].gather(rows["question"])
    of = rows.select("question").with_columns(labelled, statements["citations"].alias("named"))
    of = of.join(gold, on="question", how="left", maintain_order="left").with_columns(
        pl.col("docs").fill_null(pl.lit([], pl.List(pl.Int32))),
        pl.col("open").fill_null(value=False),
    )
    inside = pl.col("named").list.filter(pl.element() >= 0).list.unique()
    outside = pl.col("named").list.count_matches(-1)
    return of.select(
        "labelled",
        "open",
        attributed=inside.list.set_intersection("docs").list.len().cast(pl.UInt32),
        cited=(inside.list.len() + outside).cast(pl.UInt32),
        gold=pl.col("docs").list.len().cast(pl.UInt32),
    )


def _attribution() -> dict[str, Reasoned]:
    failed = (pl.col("status") == "failed", "failed")
    open_ = (pl.col("open"), "unresolved")
    missing = (~pl.col("labelled"), "not_labelled")
    empty = (pl.col("gold") == 0, "unanswerable")
    lost = (pl.col("cited").is_null(), "judge_failed")  # needs no ruling, only the citations
    silent = (pl.col("cited") == 0, "no_claims")
    hits = pl.col("attributed")
    return {
        "attribution_precision": (
            hits / pl.col("cited"), first(missing, open_, failed, lost, silent)
        ),
        "attribution_recall": (hits / pl.col("gold"), first(missing, empty, open_, failed, lost)),
        # 2PR / (P + R) with P = hits / cited and R = hits / gold
        "attribution_f1": (
            2 * hits / (pl.col("cited") + pl.col("gold")),
            first(missing, empty, open_, failed, lost, silent),
        ),
    }  # fmt: skip
