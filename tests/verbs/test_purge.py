"""`purge`: calls of models leave the store by age or by data set."""

import sqlite3
from pathlib import Path

import pytest

from pipeline.__main__ import main
from pipeline.calls.attempt import Attempt
from pipeline.calls.store import Store, place

GOOD = Attempt(ok=True, status=200, error=None, latency_s=1.0, text="yes")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose store holds an old call about `one` and a new one about `two`."""
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf/config.yaml").touch()
    (tmp_path / "dvc.yaml").touch()
    store = Store(place())
    store.register([(name, name, "answer", "m", "{}") for name in ("one", "two")])
    for name in ("one", "two"):
        store.add(name, GOOD)
    store.close()
    base = sqlite3.connect(place())
    with base:
        base.execute("UPDATE attempts SET at = '2020-01-01T00:00:00+00:00' WHERE key = 'one'")
    base.close()
    return tmp_path


def left() -> list[str]:
    store = Store(place())
    found = sorted(store.replies(["one", "two"]))
    store.close()
    return found


@pytest.mark.parametrize(
    ("words", "said", "remain"),
    [
        (["--older", "30"], "purged 1 calls", ["two"]),
        (["--older", "36500"], "purged 0 calls", ["one", "two"]),
        (["--dataset", "two"], "purged 1 calls", ["one"]),
        (["--dataset", "three"], "purged 0 calls", ["one", "two"]),
        (["--older", "30", "--dataset", "two"], "purged 0 calls", ["one", "two"]),
    ],
)
def test_what_both_options_choose_goes(
    kept: Path, words: list[str], said: str, remain: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["purge", *words]) == 0
    assert capsys.readouterr().out.strip() == said
    assert left() == remain


@pytest.mark.parametrize("words", [[], ["--older", "-1"], ["--older", "nan"], ["--older", "x"]])
def test_a_purge_without_a_choice_is_refused(
    kept: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["purge", *words]) == 3
    assert "purge: expected usage: python -m pipeline purge" in capsys.readouterr().err
    assert left() == ["one", "two"]


def test_without_a_store_there_is_nothing_to_purge(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place().unlink()
    assert main(["purge", "--older", "0"]) == 0
    assert capsys.readouterr().out.strip() == "purged 0 calls"
    assert not place().exists()
