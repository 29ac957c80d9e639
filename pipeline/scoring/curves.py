"""RAF and attribution F1 as curves: by how fast an answer changes, by share of good passages."""

from typing import Any

import polars as pl

from pipeline.contract.metrics import GROUNDED

METRICS = ("raf", "attribution_f1")
ALONG = {
    "temporal_dynamism": ("static", "slow", "fast"),
    "relevant_share": ("none", "under 1/3", "1/3 to 2/3", "over 2/3"),
}
"""Attributes of questions, and their values from left to right; others are no point."""


def curves(averages: pl.DataFrame) -> list[dict[str, Any]]:
    """The averages of these slices as points, for a plot.

    Args:
        averages: Aggregates.

    Returns:
        One row for each system, metric, attribute and value that is there, in this order:
        `place` counts the values from 1, `mean` is macro and `pooled` as named, fractions,
        null where no question has a value; `n` is how many have one.
    """
    labels = {metric.name: metric.label for metric in GROUNDED}
    of = averages.filter(pl.col("metric").is_in(METRICS), pl.col("attribute").is_in(list(ALONG)))
    rows = {
        (row["system"], row["metric"], row["attribute"], row["value"]): row
        for row in of.iter_rows(named=True)
    }
    return [
        {
            "system": system,
            "metric": metric,
            "label": labels[metric],
            "attribute": attribute,
            "value": value,
            "place": place,
            "mean": row["macro"],
            "pooled": row["pooled"],
            "n": row["n"],
        }
        for system in sorted({key[0] for key in rows})
        for metric in METRICS
        for attribute, values in ALONG.items()
        for place, value in enumerate(values, 1)
        if (row := rows.get((system, metric, attribute, value)))
    ]
