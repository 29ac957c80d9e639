"""Each mean as a point of a curve: against the size of a chunk, the cutoff, and so on."""

from typing import Any

import polars as pl

from pipeline.contract.metrics import SHOWN, SPANS
from pipeline.contract.results import present
from pipeline.scoring.intervals import intervals

SETTINGS = ("chunker", "chunk_size", "overlap", "cutoff", "budget", "depth")
"""What stands beside each point; null where there is no such setting."""


def points(
    values: pl.DataFrame,
    judged: pl.DataFrame,
    averages: pl.DataFrame,
    settings: dict[str, Any],
    *,
    bounded: bool,
    seed: int,
) -> list[dict[str, Any]]:
    """The macro mean of every metric over all questions, with its interval and settings.

    Args:
        values: PerQuestion.
        judged: Judged of the same responses; empty without verdicts.
        averages: Aggregates of the same values.
        settings: what the stages were told: `SETTINGS` of it are kept.
        bounded: whether values in dispute have bounds; False under the policy `exclude`.
        seed: of the intervals.

    Returns:
        One row for each system and metric, in order of the system's name and of
        `SHOWN`. A label keeps its `@k`, so that it is the same for each cutoff. Mean, low
        and high are fractions; null where n is 0 (the ends: where it is below 2). `context`
        is the mean length of the delivered context in characters, text that two chunks share
        counted twice, over the responses whose context is known.
    """
    ends = intervals(values, bounded=bounded, seed=seed)
    ends |= intervals(judged, bounded=bounded, seed=seed, metrics=present(judged))
    whole = averages.filter((pl.col("attribute") == "") & (pl.col("value") == ""))
    rows = {(row["system"], row["metric"]): row for row in whole.iter_rows(named=True)}
    found = []
    for system in sorted({system for system, _ in rows}):
        for metric in SHOWN:
            if (system, metric.name) not in ends:
                continue  # most runs have no verdicts
            row, (low, high) = rows[system, metric.name], ends[system, metric.name]
            if metric in SPANS and not row["n"]:
                continue  # most sets have no marked spans
            found.append(
                {
                    "system": system,
                    "metric": metric.name,
                    "label": metric.label,
                    **{name: settings.get(name) for name in SETTINGS},
                    "context": _context(values.filter(system=system)["context_length"]),
                    "mean": row["macro"],
                    "low": low,
                    "high": high,
                    "n": row["n"],
                }
            )
    return found


def _context(lengths: pl.Series) -> float | None:
    known = lengths.drop_nulls()
    return int(known.sum()) / len(known) if len(known) else None
