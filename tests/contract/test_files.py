"""Files appear whole or not at all, and the same content gives the same bytes."""

import math
import os
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

import pytest

from pipeline.contract.files import canonical, read_json, remove, replacing, root, write_json


def twice(make: Callable[..., None]) -> None:
    """Fail when half done: what is there cannot be made again."""
    make(exist_ok=False)
    make(exist_ok=False)


def test_a_file_appears_only_when_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    with replacing(target) as temporary:
        temporary.write_text("x")
        assert not target.exists()
    assert target.read_text() == "x"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_an_error_leaves_the_old_file_and_no_rest(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(FileExistsError), replacing(target) as temporary:
        twice(temporary.touch)
    assert target.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_a_folder_takes_the_place_of_the_old_one_as_a_whole(tmp_path: Path) -> None:
    target = tmp_path / "out"
    for name in ("first", "second"):
        with replacing(target) as folder:
            folder.mkdir()
            (folder / name).write_text(name)
    assert [file.name for file in target.iterdir()] == ["second"]


def test_an_error_leaves_the_old_folder(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.mkdir()
    (target / "old").write_text("old")
    with pytest.raises(FileExistsError), replacing(target) as folder:
        twice(folder.mkdir)
    assert [file.name for file in tmp_path.iterdir()] == ["out"]
    assert (target / "old").read_text() == "old"


def test_what_a_killed_writer_left_is_taken_away_by_the_next(tmp_path: Path) -> None:
    gone = Popen([sys.executable, "-c", ""])
    gone.wait()
    left, alive = (tmp_path / f".out.{pid}.tmp" for pid in (gone.pid, os.getppid()))
    kept = tmp_path / ".out.mine.tmp"
    for folder in (left, alive, kept):
        folder.mkdir()
    with replacing(tmp_path / "out") as folder:
        folder.mkdir()
    assert {path.name for path in tmp_path.iterdir()} == {"out", alive.name, kept.name}


def test_a_folder_that_another_writer_put_there_meanwhile_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, replace = tmp_path / "out", Path.replace
    tries: list[Path] = []

    def late(path: Path, to: Path) -> Path:
        if not tries:  # the other writer is done between our removal and our renaming
            to.mkdir()
            (to / "theirs").touch()
        tries.append(to)
        return replace(path, to)

    monkeypatch.setattr(Path, "replace", late)
    with replacing(target) as folder:
        folder.mkdir()
        (folder / "ours").touch()
    assert [path.name for path in target.iterdir()] == ["ours"]
    assert len(tries) == 2


def test_remove_takes_a_link_and_not_what_it_points_to(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    link = tmp_path / "link"
    link.symlink_to(real)
    remove(link)
    assert real.is_dir()
    assert not link.exists()
    remove(tmp_path / "nothing")


def test_json_is_written_sorted_and_read_back(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"b": 1, "a": "ä"})
    assert (tmp_path / "a.json").read_text("utf-8") == '{\n  "a": "ä",\n  "b": 1\n}\n'
    assert read_json(tmp_path / "a.json") == {"a": "ä", "b": 1}


def test_nan_is_never_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical({"a": math.nan})
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "a.json", {"a": math.inf})
    assert not list(tmp_path.iterdir())


def test_equal_values_have_one_canonical_spelling() -> None:
    assert canonical({"b": [1, "é"], "a": None}) == canonical({"a": None, "b": [1, "é"]})


def test_the_root_is_dvcs_where_dvc_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DVC_ROOT", raising=False)
    monkeypatch.chdir(tmp_path)
    assert root() == tmp_path.resolve()
    monkeypatch.setenv("DVC_ROOT", str(tmp_path / "else"))
    assert root() == (tmp_path / "else").resolve()
