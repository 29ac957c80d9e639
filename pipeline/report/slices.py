"""The same means for each slice of the questions: which attribute values gained or lost."""

from dataclasses import dataclass
from typing import Any

import polars as pl

from pipeline.contract.spelling import clean
from pipeline.contract.veil import Content, label
from pipeline.report.averages import right_way
from pipeline.scoring.findings import averages

MOST = 25
"""Slices of one attribute that are shown, those with most questions first."""

COLUMNS = 7
"""Metrics that are shown side by side."""


@dataclass(frozen=True)
class Cell:
    """One metric in one slice: before, after, change; its n, interval and corrected p-value.

    `good`: whether it moved the right way; None: it did not move. `sure`: whether the p-value
    is at most what the level leaves, so that it may be marked as a finding.
    """

    before: float | None
    after: float | None
    delta: float | None
    n: int
    good: bool | None
    interval: tuple[float, float] | None
    p: float | None
    sure: bool


@dataclass(frozen=True)
class Slice:
    """One attribute's value with how many questions have it and a cell for each metric."""

    value: str
    questions: int
    cells: list[Cell]


@dataclass(frozen=True)
class Attribute:
    """One attribute's slices; `more` of them are not shown."""

    name: str
    slices: list[Slice]
    more: int


def slices(
    rows: pl.DataFrame,
    attributes: dict[str, dict[str, str]],
    metrics: list[str],
    found: dict[str, Any],
    method: dict[str, Any] | None,
    content: Content,
) -> list[Attribute]:
    """Average the deltas of a candidate by slice.

    Args:
        rows: Deltas of the candidate.
        attributes: by name of an attribute its value for each question id.
        metrics: keys of the metrics to show; the first `COLUMNS` are.
        found: the candidate's entry in the comparison, for intervals and p-values.
        method: how they were made; None: there are none.
        content: whether a value may be named.
    """
    measured = {
        (row["attribute"], row["value"], row["metric"]): row
        for row in found.get("uncertainty") or ()
        if row["attribute"] and row["low"] is not None
    }
    chance = 1 - method["level"] if method else 0.0
    rows = rows.filter(pl.col("metric").is_in(metrics[:COLUMNS]))
    listed = []
    for name, values in sorted(attributes.items()):
        groups: dict[str, list[str]] = {}
        for question, value in values.items():
            groups.setdefault(value, []).append(question)
        order = sorted(groups, key=lambda value: (-len(groups[value]), value))
        shown = [
            Slice(
                clean(label(value, content)),
                len(groups[value]),
                _cells(rows, groups[value], metrics, measured, (name, value), chance),
            )
            for value in order[:MOST]
        ]
        listed.append(Attribute(clean(name), shown, max(0, len(order) - MOST)))
    return listed


def _cells(
    rows: pl.DataFrame,
    questions: list[str],
    metrics: list[str],
    measured: dict[tuple[str, str, str], dict[str, Any]],
    of: tuple[str, str],
    chance: float,
) -> list[Cell]:
    means = {
        row["metric"]: row for row in averages(rows.filter(pl.col("question_id").is_in(questions)))
    }
    return [
        _cell(name, means[name], measured.get((*of, name)), chance)
        for name in metrics[:COLUMNS]
        if name in means
    ]


def _cell(metric: str, mean: dict[str, Any], known: dict[str, Any] | None, chance: float) -> Cell:
    p = known["p_holm"] if known else None
    good = right_way(metric, mean["delta"])
    return Cell(
        **{key: mean[key] for key in ("before", "after", "delta", "n")},
        good=good,
        interval=(known["low"], known["high"]) if known else None,
        p=p,
        sure=good is not None and p is not None and p <= chance,
    )
