"""Each mean as a point of a curve: against the size of a chunk, the cutoff, and so on."""

from typing import Any

import polars as pl

from pipeline.contract.metrics import SPANS
from pipeline.contract.naming import in_order
from pipeline.scoring.intervals import Ends

SETTINGS = ("chunker", "chunk_size", "overlap", "cutoff", "budget", "depth")
"""What stands beside each point; null where there is no such setting."""


Length = tuple[int, int]
"""Characters in all, and of how many contexts."""


def points(
    ends: dict[tuple[str, str], Ends],
    contexts: dict[str, Length],
    averages: pl.DataFrame,
    settings: dict[str, Any],
) -> list[dict[str, Any]]:
    """The macro mean of every metric over all questions, with its interval and settings.

    Args:
        ends: the interval of each system and metric.
        contexts: of each system, the characters of its delivered contexts and how many of
            these are known.
        averages: Aggregates of the same values.
        settings: what the stages were told: `SETTINGS` of it are kept.

    Returns:
        One row for each system and metric, in order of the system's name and of metrics as
        they are shown, those of rankings at cutoffs last. A label keeps its `@k`, so that it
        is the same for each cutoff. Mean, low and high are fractions; null where n is 0 (the
        ends: where it is below 2). `context` is the mean length of the delivered context in
        characters, text that two chunks share counted twice, over the responses whose context
        is known.
    """
    whole = averages.filter((pl.col("attribute") == "") & (pl.col("value") == ""))
    rows = {(row["system"], row["metric"]): row for row in whole.iter_rows(named=True)}
    found = []
    for system in sorted({system for system, _ in rows}):
        for metric in in_order(name for of, name in ends if of == system):
            row, (low, high) = rows[system, metric.name], ends[system, metric.name]
            if metric in SPANS and not row["n"]:
                continue  # most sets have no marked spans
            found.append(
                {
                    "system": system,
                    "metric": metric.name,
                    "label": metric.label,
                    **{name: settings.get(name) for name in SETTINGS},
                    "context": _mean(contexts[system]),
                    "mean": row["macro"],
                    "low": low,
                    "high": high,
                    "n": row["n"],
                }
            )
    return found


def lengths(values: pl.DataFrame) -> dict[str, Length]:
    """Sum up the lengths of the contexts in PerQuestion that are known, by system."""
    known = pl.col("context_length")
    of = values.group_by("system").agg(known.sum(), known.count().alias("count"))
    return {system: (total, count) for system, total, count in of.iter_rows()}


def _mean(length: Length) -> float | None:
    total, count = length
    return total / count if count else None
