"""Each mean as a point of a curve: against the size of a chunk, the cutoff, and so on."""

from typing import Any

import polars as pl

from pipeline.contract.metrics import AGGREGATED
from pipeline.scoring.intervals import intervals

SETTINGS = ("chunker", "chunk_size", "overlap", "cutoff", "budget", "depth")
"""What stands beside each point; null where there is no such setting."""


def points(
    values: pl.DataFrame,
    averages: pl.DataFrame,
    settings: dict[str, Any],
    contexts: dict[str, float],
    *,
    bounded: bool,
    seed: int,
) -> list[dict[str, Any]]:
    """The macro mean of every metric over all questions, with its interval and settings.

    Args:
        values: PerQuestion.
        averages: Aggregates of the same values.
        settings: what the stages were told: `SETTINGS` of it are kept.
        contexts: mean length of the delivered context in code points, by system.
        bounded: whether values in dispute have bounds; False under the policy `exclude`.
        seed: of the intervals.

    Returns:
        One row for each system and metric, in order of the system's name and of
        `AGGREGATED`. A label keeps its `@k`, so that it is the same for each cutoff. Mean,
        low and high are fractions; null where n is 0 (the ends: where it is below 2).
    """
    ends = intervals(values, bounded=bounded, seed=seed)
    whole = averages.filter((pl.col("attribute") == "") & (pl.col("value") == ""))
    rows = {(row["system"], row["metric"]): row for row in whole.iter_rows(named=True)}
    found = []
    for system in sorted({system for system, _ in rows}):
        for metric in AGGREGATED:
            row, (low, high) = rows[system, metric.name], ends[system, metric.name]
            found.append(
                {
                    "system": system,
                    "metric": metric.name,
                    "label": metric.label,
                    **{name: settings.get(name) for name in SETTINGS},
                    "context": contexts.get(system),
                    "mean": row["macro"],
                    "low": low,
                    "high": high,
                    "n": row["n"],
                }
            )
    return found
