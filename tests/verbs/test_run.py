"""Runs in one folder: the second waits, since both would write params.yaml."""

import fcntl
import multiprocessing
from pathlib import Path

import pytest

from pipeline.verbs.run import LOCK, alone


def free(path: str) -> bool:
    """Whether another process could start a run now."""
    with Path(path).open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_a_run_keeps_others_out_until_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".dvc").mkdir()
    with multiprocessing.get_context("spawn").Pool(1) as other:
        with alone():
            assert not other.apply(free, (str(tmp_path / LOCK),))
        assert other.apply(free, (str(tmp_path / LOCK),))


def test_a_folder_that_is_no_project_of_dvc_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with alone():
        assert not list(tmp_path.iterdir())
