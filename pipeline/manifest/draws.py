"""How far a judge agrees with itself: several draws of it on the same items.

The first draw rules; no score depends on the others.
"""

from collections import Counter
from typing import Any

import numpy as np
import polars as pl

from pipeline.contract.tables import DRAW, Verdicts
from pipeline.manifest.agreement import DIGITS, alpha

ITEM = [name for name in Verdicts.key if name != "kind"]


def self_agreement(verdicts: pl.DataFrame) -> dict[str, dict[str, Any]]:
    """Set the draws of a judge beside each other.

    Args:
        verdicts: Verdicts; the kind of a further draw is `<kind>#<number>`.

    Returns:
        By kind that was ruled on more than once, nothing else: `draws`; `items` that the first
        draw ruled on; `n`, those that every draw ruled on; `share` of the n on which all
        draws say the same, in [0, 1]; `alpha`, Krippendorff's, nominal, at most 1. Share and
        alpha are None without such items, alpha also where all draws say the same of all.

    A draw that repeats the first to the letter, as at temperature 0, agrees with it for that
    reason alone.

    Source: Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability".
    """
    parts = pl.col("kind").str.splitn(DRAW, 2).struct
    said = verdicts.filter(pl.col("label").is_not_null())  # the others say what was asked for
    split = said.with_columns(kind=parts.field("field_0"), draw=parts.field("field_1"))
    found = {}
    for (kind,), of in split.group_by("kind", maintain_order=True):
        draws = of["draw"].n_unique()
        if draws < 2:
            continue
        items = of.group_by(ITEM, maintain_order=True).agg("label", pl.col("draw").is_null().any())
        labels = items.filter(pl.col("label").list.len() == draws)["label"].to_list()
        found[str(kind)] = {
            "draws": draws,
            "items": int(items["draw"].sum()),
            "n": len(labels),
            "share": round(sum(len(set(one)) == 1 for one in labels) / len(labels), DIGITS)
            if labels
            else None,
            "alpha": _alpha(labels),
        }
    return found


def _alpha(said: list[list[str]]) -> float | None:
    words = sorted({label for one in said for label in one})
    if len(words) < 2:
        return None
    return alpha(np.array([[Counter(one)[word] for word in words] for one in said]))
