"""A project's root of its own, and MLflow as somebody who looks at the store sees it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.trackers.quiet import quiet

Look = Callable[..., Any]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project's root, without a store."""
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    return tmp_path


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh mlflow.db, made once: it takes seconds."""
    folder = tmp_path_factory.mktemp("store")
    with quiet(folder / "mlartifacts"):
        from mlflow import MlflowClient

        MlflowClient(f"sqlite:///{folder}/mlflow.db").search_experiments()
    return folder / "mlflow.db"


@pytest.fixture
def stored(root: Path, empty_store: Path) -> Path:
    """The project's root, with an empty store."""
    shutil.copy(empty_store, root / "mlflow.db")
    return root


@pytest.fixture
def client() -> Iterator[Look]:
    """Make a client of a store: `client(root)` or `client(uri)`."""
    with quiet(None):
        from mlflow import MlflowClient

        yield lambda at: MlflowClient(f"sqlite:///{at}/mlflow.db" if isinstance(at, Path) else at)
