"""The numbers of a sweep, metric by metric, as they are printed, drawn and kept."""

import csv
from pathlib import Path
from typing import NamedTuple

from pipeline.adapters.trackers.sweep import Logged
from pipeline.contract.cells import escape
from pipeline.contract.files import replacing
from pipeline.contract.metrics import SHOWN
from pipeline.verbs.sweeps.runs import Number, Sweep

CONTEXT = "context/"
"""What a run says of the contexts it gave; shown beside the metrics, without an interval."""


class Point(NamedTuple):
    """A mean of one run; `n` is None where it is no mean over questions."""

    value: Number
    n: int | None
    mean: float
    low: float | None
    high: float | None
    run_id: str


class Panel(NamedTuple):
    """One metric: its points by system, in order of the key's value."""

    name: str
    label: str
    fraction: bool
    points: dict[str, list[Point]]

    @property
    def n(self) -> str:
        """`n = 120`, or `n = 118–120` where it differs; '' where there is none."""
        counts = [p.n for of in self.points.values() for p in of if p.n is not None]
        if not counts:
            return ""
        least, most = min(counts), max(counts)
        return f"n = {least:,}" if least == most else f"n = {least:,}–{most:,}"


def panels(sweep: Sweep) -> list[Panel]:
    """The metrics that have a value in some run, in the order in which they are always shown."""
    params = sweep.reference.params
    cutoff = params.get("cutoff", "k") if params.get("budget") in (None, "null") else "k"
    named = {
        metric.name: metric.label
        if sweep.key == "cutoff"
        else metric.label.replace("@k", f"@{cutoff}")
        for metric in SHOWN
    }
    found = [
        Panel(name, label, True, _points(sweep, f"{name}/macro", name))
        for name, label in named.items()
    ]
    told = sorted({name for run in sweep.runs for name in run.metrics if name.startswith(CONTEXT)})
    found += [
        Panel(name, name.replace("/", " ").replace("_", " "), False, _points(sweep, name, name))
        for name in told
    ]
    return [panel for panel in found if any(panel.points.values())]


def _points(sweep: Sweep, mean: str, name: str) -> dict[str, list[Point]]:
    return {
        system: [_point(value, run, mean, name) for value, run in runs if mean in run.metrics]
        for system, runs in sweep.series.items()
    }


def _point(value: Number, run: Logged, mean: str, name: str) -> Point:
    count = run.metrics.get(f"{name}/n")
    low, high = (run.metrics.get(f"{name}/interval_{end}") for end in ("low", "high"))
    return Point(
        value, None if count is None else int(count), run.metrics[mean], low, high, run.run_id
    )


def write_csv(path: Path, key: str, shown: list[Panel]) -> None:
    """Write one row for each metric, system and value of the key."""
    with (
        replacing(path) as temporary,
        temporary.open("w", encoding="utf-8", newline="") as file,
    ):
        rows = csv.writer(file)
        rows.writerow([escape(key), "system", "metric", "n", "mean", "low", "high", "run_id"])
        for panel in shown:
            for system, points in panel.points.items():
                for p in points:
                    row = (p.value, system, panel.name, p.n, p.mean, p.low, p.high, p.run_id)
                    rows.writerow(escape(one) if isinstance(one, str) else one for one in row)
