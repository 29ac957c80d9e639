"""Means of a candidate against the baseline: over pairs, with interval, n and what is left out."""

from dataclasses import dataclass
from typing import Any

import polars as pl

from pipeline.contract.metrics import REASONS, Metric, at_cutoff
from pipeline.contract.naming import cutoff_in, in_order, named
from pipeline.contract.words import REASON, Cut, counted, label

TOGETHER = ("support", "coverage", "false_abstention")
"""Support can rise by silence, so it is never shown without the other two."""

OTHER_POPULATION = ("unanswerable", "answerable")
"""Reasons that say only which kind of question it is."""


@dataclass(frozen=True)
class Mean:
    """One row: a metric over the pairs of one candidate.

    Attributes:
        metric: its key, with its `label` and `meaning` for people.
        good: whether the mean moved the right way; None: it did not move, or is n/a.
        interval: ends of the change and its p-value corrected; None: not measured.
        needed: questions that it would take to find a change of the size asked for; None: not
            said.
        few: whether there are too few for the interval to be more than rough.
        note: why something was not computed; None: nothing to say.
        strict: both sides with errors at their worst, where a side says something else.
        left_out: of both sides, values that are n/a and why, in words.
        own: each side's own mean with its n, where it has other questions than the pairs.
        group: under which head it stands; '' for metrics of the whole response.
    """

    metric: str
    label: str
    meaning: str
    lower_is_better: bool
    before: float | None
    after: float | None
    delta: float | None
    n: int
    better: int
    worse: int
    same: int
    unpaired: int
    good: bool | None
    interval: tuple[float, float] | None
    p: float | None
    needed: int | None
    few: bool
    note: str | None
    strict: tuple[float | None, float | None] | None
    left_out: list[str]
    own: tuple[str | None, str | None]
    group: str


def means(
    found: dict[str, Any], sides: tuple[pl.DataFrame, pl.DataFrame], cutoff: Cut
) -> list[Mean]:
    """Set the means of a candidate.

    Args:
        found: its entry in the comparison.
        sides: Aggregates of baseline and candidate, only their own rows.
        cutoff: k, for the names of metrics.

    Returns:
        Metrics with a pair or with one that lacks a side, in the order in which they are
        shown; support, coverage and false abstention only together.
    """
    rows = {row["metric"]: row for row in found["averages"]}
    some = {name for name, row in rows.items() if row["n"] or row["unpaired"]}
    some |= set(TOGETHER) & rows.keys() if some & set(TOGETHER) else set()
    measured = {
        row["metric"]: row for row in found.get("uncertainty") or () if not row["attribute"]
    }
    overall = [
        {row["metric"]: row for row in side.iter_rows(named=True) if not row["attribute"]}
        for side in sides
    ]
    return [
        _mean(metric, rows[metric.name], measured.get(metric.name), overall, cutoff)
        for metric in in_order(some)
    ]


def group(metric: str) -> str:
    """Under which head a metric stands: `Ranking at k = 5` for one at that cutoff."""
    k = cutoff_in(metric)
    return f"Ranking at k = {k}" if k else "Whole ranking" if at_cutoff(metric) else ""


def _mean(
    metric: Metric,
    row: dict[str, Any],
    measured: dict[str, Any] | None,
    overall: list[dict[str, Any]],
    cutoff: Cut,
) -> Mean:
    known = measured or {}
    ends = known.get("low"), known.get("high")
    stricts = [side.get(metric.name, {}) for side in overall]
    differs = any(side.get("strict") != side.get("macro") for side in stricts)
    return Mean(
        metric=metric.name,
        label=label(metric, cutoff),
        meaning=metric.meaning,
        lower_is_better=metric.better == "lower",
        **{key: row[key] for key in ("before", "after", "delta", "n")},
        **{key: row[key] for key in ("better", "worse", "same", "unpaired")},
        good=right_way(metric.name, row["delta"]),
        interval=None if None in ends else ends,  # type: ignore[arg-type]
        p=known.get("p_holm"),
        needed=known.get("needed"),
        few=bool(known.get("small")),
        note=str(known["reason"]).replace("_", " ") if known.get("reason") else None,
        strict=(stricts[0].get("strict"), stricts[1].get("strict")) if differs else None,
        left_out=_left_out(stricts),
        own=(_own(stricts[0], row["n"]), _own(stricts[1], row["n"])),
        group=group(metric.name),
    )


def _own(side: dict[str, Any], pairs: int) -> str | None:
    if side.get("macro") is None or side["n"] == pairs:
        return None
    return f"own: {side['macro']:.4f}, n {side['n']:,}"


def right_way(metric: str, delta: float | None) -> bool | None:
    """Whether a change of a metric is one for the better; None: there is none, or no better."""
    if not delta or named(metric).of_labels:
        return None
    return (delta > 0) == (named(metric).better == "higher")


def _left_out(sides: list[dict[str, Any]]) -> list[str]:
    """`baseline: failed (2 responses)`, for what says more than the kind of question."""
    told = []
    for name, side in zip(("baseline", "candidate"), sides, strict=True):
        why = [
            f"{counted(side[f'na_{reason}'], 'response')} {REASON[reason]}"
            for reason in REASONS
            if reason not in OTHER_POPULATION and side.get(f"na_{reason}")
        ]
        told += [f"{name}: {', '.join(why)}"] if why else []
    return told
