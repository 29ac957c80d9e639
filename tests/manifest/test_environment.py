"""Where a run was made: revision, dirty or not, versions; no host and no user."""

import getpass
import json
import platform
import subprocess
from pathlib import Path

import pytest

from pipeline.manifest.environment import environment, revision

GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@example.org")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "config.yaml").write_text("a: 1\n")
    (tmp_path / "params.yaml").write_text("a: 1\n")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "one")):
        subprocess.run([*GIT, *words], cwd=tmp_path, check=True)
    return tmp_path


def test_a_clean_checkout_is_its_commit(repository: Path) -> None:
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=repository, capture_output=True, text=True, check=True
    )
    assert revision(repository) == {"revision": head.stdout.strip(), "dirty": False}


def test_changed_or_new_code_is_dirty_results_and_params_are_not(repository: Path) -> None:
    (repository / "params.yaml").write_text("a: 2\n")
    (repository / "data").mkdir()
    (repository / "data" / "metrics.json").write_text("{}")
    assert revision(repository)["dirty"] is False
    (repository / "conf" / "more.yaml").write_text("b: 1\n")
    assert revision(repository)["dirty"] is True


def test_without_git_or_a_commit_nothing_is_claimed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    nothing = {"revision": None, "dirty": None}
    assert revision(tmp_path) == nothing
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    assert revision(tmp_path) == nothing
    monkeypatch.setenv("PATH", str(tmp_path))
    assert revision(tmp_path) == nothing


def test_versions_are_named_and_neither_host_nor_user() -> None:
    found = environment()
    assert found["python"] == platform.python_version()
    assert {"polars", "mlflow", "rag-assay"} <= set(found["packages"])
    assert "pytest" not in found["packages"]  # an extra is not what the run used
    words = json.dumps(found).replace('"', " ").replace("/", " ").split()
    assert platform.node() not in words
    assert getpass.getuser() not in words
