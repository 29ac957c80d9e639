"""The files of a run that MLflow keeps, as a folder on this machine."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from pipeline.adapters.trackers.mlflow import Mlflow
from pipeline.adapters.trackers.store import locate
from pipeline.adapters.trackers.sweep import Logged, connected, logged
from pipeline.contract.files import replacing, root

KEPT = ".rag-assay/sides"
"""Folder below the project's root where files of a server's runs stay, by run id."""


def named(tracker: Mlflow, name: str) -> list[Logged]:
    """Complete runs of the tracker's experiment of that id or name, the newest first.

    Raises:
        EndpointError: the store cannot be reached or refuses.
    """
    return [run for run in logged(tracker) if name in (run.run_id, run.name)]


def fetched(tracker: Mlflow, run: Logged) -> Path:
    """Folder with the run's artifacts: where they lie, or a copy of what a server holds.

    A complete run does not change, so a copy is taken once.

    Raises:
        EndpointError: the store cannot be reached or refuses.
    """
    folder = root() / KEPT / run.run_id
    if folder.is_dir():
        return folder
    with connected(locate(tracker.uri), "it to give the run's files") as client:
        uri = urlsplit(client.get_run(run.run_id).info.artifact_uri)
        if uri.scheme in ("", "file"):
            return Path(unquote(uri.path))
        with replacing(folder) as temporary:
            temporary.mkdir()
            client.download_artifacts(run.run_id, "", str(temporary))
    return folder
