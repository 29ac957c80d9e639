"""The files of a comparison: deltas, the document and the report, the same bytes each time."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.contract.cells import guarded
from pipeline.contract.files import write_json
from pipeline.contract.results import Deltas
from pipeline.contract.sides import Side
from pipeline.contract.tables import write
from pipeline.manifest.schemas import validate
from pipeline.report.page import write_report

FILES = ("comparison.json", "deltas.csv", "deltas.parquet", "report.html")
"""What is written, in order of name."""

CHECKED = 500
"""Items of a list that are held to the schema: one after the other takes 0.3 ms."""


def write_comparison(
    folder: Path,
    baseline: Side,
    candidates: Sequence[Side],
    rows: pl.DataFrame,
    comparison: dict[str, Any],
    content: str,
) -> None:
    """Write a comparison into a folder.

    Args:
        folder: made if it is not there; its files are replaced.
        baseline: the side that the others are set against.
        candidates: the others.
        rows: Deltas.
        comparison: the document.
        content: how much of the texts the report shows, as `tracker.content`.

    Raises:
        ValueError: the document does not fit its schema; that is a bug of ours.
    """
    validate(_started(comparison), "comparison")
    folder.mkdir(parents=True, exist_ok=True)
    write(folder, Deltas, rows)
    told = rows.with_columns(pl.col("causes").list.join(" "))
    guarded(told).write_csv(folder / "deltas.csv")
    write_json(folder / "comparison.json", comparison)
    write_report(folder / "report.html", baseline, candidates, rows, comparison, content=content)


def _started(value: Any) -> Any:
    """The document with the start of each list: the same lines of code made its other items."""
    if isinstance(value, dict):
        return {key: _started(one) for key, one in value.items()}
    return list(map(_started, value[:CHECKED])) if isinstance(value, list | tuple) else value
