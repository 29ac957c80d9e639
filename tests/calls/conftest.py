"""Calls in a project of their own, on this machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.llm.server import Server, serving


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project's folder, with a key in the environment and quick first waits."""
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("MY_KEY", "sk-very-secret-0123456789")
    monkeypatch.setattr("pipeline.calls.waits.FIRST", 0.02)
    return tmp_path


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        yield made
