"""Runs of an experiment read back as plain values, and files added to them afterwards."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.adapters.trackers.mlflow import COMPLETE, Mlflow
from pipeline.adapters.trackers.quiet import quiet
from pipeline.adapters.trackers.store import Store, locate
from pipeline.contract.errors import EndpointError

PAGE = 1_000
"""Runs that MLflow gives at once."""

AGAIN = "look at the store, then give the same words again"


@dataclass(frozen=True)
class Logged:
    """One complete run: what it was told, and the numbers that came of it."""

    run_id: str
    name: str
    time: int
    tags: dict[str, str]
    params: dict[str, str]
    metrics: dict[str, float]


def logged(tracker: Mlflow) -> list[Logged]:
    """Every complete run of the tracker's experiment, the newest first; none is no error.

    Raises:
        EndpointError: the store cannot be reached or refuses.
    """
    store = locate(tracker.uri)
    if store.database is not None and not store.database.exists():
        return []
    with connected(store, "it to give its runs") as client:
        experiment = client.get_experiment_by_name(tracker.experiment)
        if experiment is None:
            return []
        found, token = [], None
        while True:
            page = client.search_runs(
                [experiment.experiment_id],
                f"tags.{COMPLETE} = 'true'",
                max_results=PAGE,
                order_by=["attributes.start_time DESC"],
                page_token=token,
            )
            found += [_plain(run) for run in page]
            token = page.token
            if not token:
                return found


def attach(tracker: Mlflow, run_ids: Sequence[str], files: Sequence[Path], folder: str) -> None:
    """Add files to runs, below `folder` among their artifacts; those of that name are replaced.

    Raises:
        EndpointError: the store cannot be reached or refuses.
    """
    with connected(locate(tracker.uri), "it to take the files") as client:
        for run_id in run_ids:
            for path in files:
                client.log_artifact(run_id, str(path), folder)


@contextmanager
def connected(store: Store, expected: str) -> Iterator[Any]:
    """MLflow's client of a store that is there; what it raises is one line of ours."""
    try:
        store.probe()
    except EndpointError as error:
        raise store.failed(error.__cause__ or error, expected=expected, remedy=AGAIN) from error
    with store.locked(), quiet(store.artifacts):
        from mlflow import MlflowClient
        from mlflow.exceptions import MlflowException
        from sqlalchemy.exc import SQLAlchemyError

        try:
            yield MlflowClient(store.uri)
        except (MlflowException, SQLAlchemyError, OSError, NotImplementedError) as error:
            raise store.failed(error, expected=expected, remedy=AGAIN) from error


def _plain(run: Any) -> Logged:
    return Logged(
        run_id=run.info.run_id,
        name=run.info.run_name,
        time=run.info.start_time,
        tags=dict(run.data.tags),
        params=dict(run.data.params),
        metrics=dict(run.data.metrics),
    )
