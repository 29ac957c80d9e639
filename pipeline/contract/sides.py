"""One side of a comparison: a system whose results lie in a folder."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Side:
    """A scored system and where its results lie, wherever they came from.

    Attributes:
        name: what tables and reports call it; no two sides of a comparison share one.
        spec: how it was asked for: `system:NAME`, `run:ID`, `rev:REVISION` or `dir:FOLDER`.
        system: its name within the folder's tables.
        folder: laid out as the data folder is; at least `freeze` to `score` are there.
        fingerprint: hash over everything that determines its numbers.
        parts: what that hash is over, as in `pipeline.manifest.identity`.
        scored_at: when its numbers were first seen, ISO 8601 in UTC; None: not known.
        run_id: MLflow's id of its run; None: it was not logged.
    """

    name: str
    spec: str
    system: str
    folder: Path
    fingerprint: str
    parts: dict[str, Any]
    scored_at: str | None = None
    run_id: str | None = None


OUTSIDE = ("run:", "rev:", "dir:")
"""How a side begins that lies outside of the run at hand."""
