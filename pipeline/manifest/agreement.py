"""How far annotators agree: Krippendorff's alpha, and Cohen's kappa where they are two.

Over yes and no. The items are the documents that anybody marked for a question, and each
claim with a document marked for it; a candidate claim that nobody marked is an item on
which all said no. Only items with two annotators or more count.
"""

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pipeline.scoring.labels import SETTLED, tally, voters, yes

DIGITS = 6
"""Decimals kept, fewer than sums on different processors differ in."""

Item = ["question", "claim_id", "doc"]


def agreement(
    questions: pl.DataFrame, marks: pl.DataFrame, candidates: pl.DataFrame
) -> dict[str, Any]:
    """Measure agreement on documents and on claims.

    Args:
        questions: Questions.
        marks: as `pipeline.scoring.labels.MARKS`, of questions whose labels are votes.
        candidates: candidate claims of those questions, as `TEXTS` there.

    Returns:
        For `documents` and `claims`: `items`, `annotators` (names that labelled any of
        them), `alpha` and `kappa`, -1 to 1, 6 decimals; None where it is not defined:
        fewer than two annotators, no variation, and for kappa other than two people.
    """
    votes = tally(questions, pl.DataFrame(schema=SETTLED), marks)
    items = _items(marks, candidates)
    items = items.join(voters(questions, marks), on="question").filter(pl.col("votes") >= 2)
    counted = items.join(
        votes.select(*Item, "yes"), on=Item, how="left", nulls_equal=True, maintain_order="left"
    ).with_columns(pl.col("yes").fill_null(0))
    kinds = {"documents": pl.col("claim_id").is_null(), "claims": pl.col("claim_id").is_not_null()}
    return {
        name: _measure(counted.filter(of_kind), questions, marks) for name, of_kind in kinds.items()
    }


def _items(marks: pl.DataFrame, candidates: pl.DataFrame) -> pl.DataFrame:
    """What was judged: question, claim_id (null: the document at large), doc (null: none)."""
    per_document = marks.select("question", pl.lit(None, pl.String()).alias("claim_id"), "doc")
    per_claim = marks.filter(pl.col("claim_id").is_not_null()).select(Item)
    unmarked = (
        candidates.select("question", "claim_id")
        .join(per_claim, on=["question", "claim_id"], how="anti")
        .with_columns(pl.lit(None, pl.UInt32()).alias("doc"))
    )
    return pl.concat([per_document, per_claim, unmarked]).unique().sort(Item)


def _measure(counted: pl.DataFrame, questions: pl.DataFrame, marks: pl.DataFrame) -> dict[str, Any]:
    labelled = questions.join(counted, on="question", how="semi")
    people = set(labelled["annotators"].explode().drop_nulls())
    nameless = marks.join(counted, on="question", how="semi")["annotator"].null_count() > 0
    counts = counted.select(pl.col("votes") - pl.col("yes"), "yes").to_numpy()
    two = len(people) == 2 and not nameless
    return {
        "items": len(counted),
        "annotators": len(people) + nameless,
        "alpha": alpha(counts),
        "kappa": kappa(_by_both(counted, marks, *sorted(people))) if two else None,
    }


def alpha(counts: NDArray[np.integer[Any]]) -> float | None:
    """Krippendorff's alpha, nominal.

    Args:
        counts: (items, 2) how many said no, and yes.

    Returns:
        At most 1; None without items or where everybody said the same of all of them.

    Source: Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability".
    """
    if not len(counts) or (counts.sum(axis=0) == 0).any():
        return None
    import krippendorff

    found = krippendorff.alpha(value_counts=counts, level_of_measurement="nominal")
    return round(float(found), DIGITS)


def kappa(both: NDArray[np.bool_]) -> float | None:
    """Cohen's kappa of two annotators.

    Args:
        both: (items, 2) whether each said yes.

    Returns:
        -1 to 1; None without items or where agreement by chance is certain.

    Source: Cohen 1960, "A Coefficient of Agreement for Nominal Scales".
    """
    if not len(both):
        return None
    observed = float(np.mean(both[:, 0] == both[:, 1]))
    first, second = both.mean(axis=0)
    chance = float(first * second + (1 - first) * (1 - second))
    return None if chance == 1.0 else round((observed - chance) / (1 - chance), DIGITS)


def _by_both(counted: pl.DataFrame, marks: pl.DataFrame, one: str, other: str) -> NDArray[np.bool_]:
    voted = marks.filter(yes())
    large = voted.with_columns(pl.lit(None, pl.String()).alias("claim_id"))
    said = pl.concat([large, voted.filter(pl.col("claim_id").is_not_null())])
    columns = [
        counted.join(
            said.filter(pl.col("annotator") == person).select(Item).unique().with_columns(
                pl.lit(True).alias("said")
            ),
            on=Item, how="left", nulls_equal=True, maintain_order="left",
        )["said"].fill_null(False).to_numpy()
        for person in (one, other)
    ]  # fmt: skip
    return np.column_stack(columns)
