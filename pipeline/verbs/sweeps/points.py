"""The numbers of a sweep, metric by metric, as they are printed, drawn and kept."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pipeline.adapters.trackers.payload import logged_as, name_in
from pipeline.adapters.trackers.sweep import Logged
from pipeline.contract.cells import escape
from pipeline.contract.errors import ConfigError, nearest
from pipeline.contract.files import replacing
from pipeline.contract.metrics import SHOWN, Metric
from pipeline.contract.naming import known
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


def panels(sweep: Sweep, wanted: Sequence[str] | None = None) -> list[Panel]:
    """The metrics that have a value in some run, in the order in which they are always shown.

    Args:
        sweep: the runs.
        wanted: keys of metrics, to show only these and as ordered here; those of rankings at
            cutoffs are shown only so. None: all of whole responses, and what is told of contexts.

    Raises:
        ConfigError: no run has a value of a metric that is wanted.
    """
    params = sweep.reference.params
    cutoff = params.get("cutoff", "k") if params.get("budget") in (None, "null") else "k"
    metrics = SHOWN if wanted is None else _wanted(sweep, wanted)
    labels = {
        metric.name: metric.label
        if sweep.key == "cutoff"
        else metric.label.replace("@k", f"@{cutoff}")
        for metric in metrics
    }
    found = [
        Panel(name, label, True, _points(sweep, f"{logged_as(name)}/macro", logged_as(name)))
        for name, label in labels.items()
    ]
    if wanted is not None:
        return found
    told = sorted({name for run in sweep.runs for name in run.metrics if name.startswith(CONTEXT)})
    found += [
        Panel(name, name.replace("/", " ").replace("_", " "), False, _points(sweep, name, name))
        for name in told
    ]
    return [panel for panel in found if any(panel.points.values())]


def _wanted(sweep: Sweep, names: Sequence[str]) -> list[Metric]:
    """The metrics of these keys, each of which some run has to have a value of."""
    logged = {name for run in sweep.runs for name in run.metrics if name.endswith("/macro")}
    there = {name.removesuffix("/macro") for name in logged}
    found = []
    for name in dict.fromkeys(names):
        metric = known(name)
        if metric is None or logged_as(name) not in there:
            names = sorted(name_in(key) for key in there if "/" not in key)
            hint = nearest(name, names) or f" ({', '.join(names)})"
            expected = f"a metric that these runs have{hint}"
            raise ConfigError("sweep --metric", expected=expected, got=repr(name))
        found.append(metric)
    return found


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
