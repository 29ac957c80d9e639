"""A setting in which MLflow says nothing, phones nobody and gives up soon."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

WANTED = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "DO_NOT_TRACK": "true",
    "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
    "MLFLOW_LOGGING_LEVEL": "CRITICAL",
}
OFFERED = {
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "2",
    "MLFLOW_HTTP_REQUEST_BACKOFF_FACTOR": "1",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "30",
}
"""Where the environment does not say otherwise: MLflow's own are 7 retries of 120 s."""


@contextmanager
def quiet(artifacts: Path | None) -> Iterator[None]:
    """Set the environment for MLflow and swallow what it prints; undone at the end.

    Args:
        artifacts: folder for artifacts of the experiment that a fresh store is made with;
            MLflow's own choice lies in the working folder, which may be a temporary one.
    """
    before = dict(os.environ)
    os.environ.update({**OFFERED, **before, **WANTED})
    if artifacts is not None:
        os.environ.setdefault("_MLFLOW_SERVER_ARTIFACT_ROOT", artifacts.as_uri())
    try:
        with (
            redirect_stdout(StringIO()),
            redirect_stderr(StringIO()),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        os.environ.clear()
        os.environ.update(before)
