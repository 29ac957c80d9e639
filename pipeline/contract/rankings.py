"""Rankings at cutoffs in the words that people read."""

from typing import Any

from pipeline.contract.metrics import RANKED, UNCUT, Metric, at_cutoff
from pipeline.contract.spelling import clean
from pipeline.contract.words import value


def lacking(cutoffs: dict[str, Any] | None) -> str:
    """Which side has not which cutoffs of another, of what comparison.json says; '' for none."""
    missing = (cutoffs or {}).get("missing") or {}
    sides = [
        f"{clean(name)} was not measured at k = {', '.join(map(str, ks))}"
        for name, ks in missing.items()
    ]
    return f"not compared: {'; '.join(sides)} (conf: cutoffs)" if sides else ""


def untested(method: dict[str, Any] | None) -> str:
    """Which metrics that were to be tested were not measured, of comparison.json's method."""
    names = (method or {}).get("unmeasured") or ()
    labels = ", ".join(metric.label for metric in map(at_cutoff, names) if metric)
    return f"uncertainty.metrics: {labels} was not measured on all sides" if labels else ""


DEEPEST = 2
"""Changes of one question's rankings at cutoffs that are told; there may be two dozen."""


def told(rows: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    """The metrics of a finding that are told where there is little room.

    Returns:
        All but those of rankings at cutoffs; of these the few that moved most, or were lost,
        of metrics that are not told yet before others; and how many are left out. Order is
        kept.
    """

    def moved(row: dict[str, Any]) -> float:
        ends = row["before"], row["after"]
        return 1.0 if None in ends else abs(ends[1] - ends[0])

    cut = [row for row in rows if at_cutoff(row["metric"])]
    shown = [row for row in rows if row not in cut]
    left = sorted(cut, key=moved, reverse=True)
    while left and len(cut) - len(left) < DEEPEST:
        known = {_base(row) for row in shown}
        fresh = next((row for row in left if _base(row) not in known), left[0])
        left.remove(fresh)
        shown.append(fresh)
    return [row for row in rows if row in shown], len(left)


def _base(row: dict[str, Any]) -> str:
    """The metric of a row without its cutoff."""
    return str(row["metric"]).partition("@")[0]


def rankings(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """One ranking at its cutoffs, in words.

    Args:
        rows: of Ranked, of one response.

    Returns:
        `cutoffs` rising, and `rows`: the label of each metric and its values there, AP once;
        no rows where all are n/a for the population of the question.
    """
    rows = sorted(rows, key=lambda row: row["cutoff"])
    found = [
        [metric.label, *(_at(row, metric) for row in rows[: 1 if metric.name == UNCUT else None])]
        for metric in RANKED
        if any(row[f"{metric.name}_reason"] not in ("not_labelled", "unanswerable") for row in rows)
    ]
    return {"cutoffs": [row["cutoff"] for row in rows], "rows": found}


def _at(row: dict[str, Any], metric: Metric) -> str:
    """`0.50`, or its ends where labels in dispute leave it open."""
    number, low, high = (row[f"{metric.name}{end}"] for end in ("", "_low", "_high"))
    if number is None and low is not None:
        return f"{low:.2f}–{high:.2f}"
    return value(metric.name, number)
