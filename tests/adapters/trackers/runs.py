"""Log runs as the stage does, and read them back as MLflow has them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from pipeline.adapters.trackers.mlflow import Mlflow
from pipeline.contract.files import read_json
from pipeline.stages import track
from tests.tracked import PARAMS


def tracker(**changed: Any) -> Mlflow:
    fields = {"experiment": "rag-assay", "content": "full", "traces": 300, "uri": None}
    return Mlflow(**{**fields, **changed})


def log(data: Path, **changed: Any) -> dict[str, Any]:
    """Run the stage; return each system's line of the receipt."""
    track.run(data, tracker=tracker(**changed), params=PARAMS)
    runs: dict[str, Any] = read_json(data / "track" / "run.json")["runs"]
    return runs


def statuses(runs: dict[str, Any]) -> dict[str, str]:
    return {name: run["status"] for name, run in runs.items()}


def runs_of(client: Any, name: str = "rag-assay") -> list[Any]:
    experiment = client.get_experiment_by_name(name)
    found: list[Any] = client.search_runs([experiment.experiment_id]) if experiment else []
    return found


def traces_of(client: Any, run_id: str | None = None) -> list[Any]:
    experiment = client.get_experiment_by_name("rag-assay").experiment_id
    found: list[Any] = client.search_traces(locations=[experiment], run_id=run_id, max_results=500)
    return found


def table_of(store: Any, run_id: str, folder: Path) -> list[dict[str, Any]]:
    """The rows of the table that the run's page shows."""
    shown = json.loads(store.get_run(run_id).data.tags["mlflow.loggedArtifacts"])
    assert shown == [{"path": "per_question.json", "type": "table"}]
    kept = read_json(Path(store.download_artifacts(run_id, "per_question.json", str(folder))))
    return [dict(zip(kept["columns"], row, strict=True)) for row in kept["data"]]


LOG = """
from pathlib import Path
from pipeline.adapters.trackers.mlflow import Mlflow
from pipeline.stages import track
from tests.finished import finish
from tests.tracked import PARAMS
tracker = Mlflow(experiment="rag-assay", content="full", traces=300, uri=None)
track.run(Path("data"), tracker=tracker, params=PARAMS)
"""


def process(root: Path, before: str = "", after: str = "") -> subprocess.Popen[str]:
    """Run the stage in a process of its own, in the project's root."""
    return subprocess.Popen(
        [sys.executable, "-c", before + LOG + after],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
