"""Systems asked from a project of their own, on this machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.verbs.recording.server import System, serving

ROOT = Path(__file__).parents[3]
KEY = "sk-must-stand-nowhere-0123456789"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the project's store, with a secret in the environment, quick first waits."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("RAG_KEY", KEY)
    monkeypatch.setattr("pipeline.calls.waits.FIRST", 0.02)
    return tmp_path


@pytest.fixture
def system() -> Iterator[System]:
    with serving() as made:
        yield made
