"""The verb, from words to files: the store is a list here, its own tests are elsewhere."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.adapters.trackers.sweep import Logged
from pipeline.contract.errors import ConfigError
from pipeline.verbs import sweep
from tests.verbs.sweeps.made import mean, run

MLFLOW = {
    "_target_": "pipeline.adapters.trackers.mlflow.Mlflow",
    "experiment": "rag-assay",
    "content": "full",
    "traces": 300,
    "uri": None,
}
RUNS = [run(str(k), metrics=mean("recall", 0.5), cutoff=k) for k in (10, 5)]

Attached = list[tuple[list[str], list[str], str]]


@pytest.fixture
def attached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Attached:
    """A project with two runs; what was attached to which."""
    done: Attached = []

    def attach(tracker: Any, ids: Sequence[str], files: Sequence[Path], folder: str) -> None:
        assert all(path.is_file() for path in files)
        done.append((list(ids), [path.name for path in files], folder))

    def logged(tracker: Any) -> list[Logged]:
        return RUNS

    monkeypatch.setattr(sweep, "logged", logged)
    monkeypatch.setattr(sweep, "attach", attach)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    Path("params.yaml").write_text(yaml.safe_dump({"tracker": MLFLOW}))
    return done


def test_it_prints_draws_and_attaches(
    attached: Attached, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sweep.main(["cutoff"], Path("data")) == 0
    printed = capsys.readouterr().out.splitlines()
    assert "       5  0.5000 [0.4000, 0.6000]     40" in printed
    assert printed[-1].startswith("drawn: data/sweep/cutoff.png, .svg, .csv; attached to 2 runs")
    assert max(map(len, printed)) <= 80
    names = sorted(path.name for path in Path("data/sweep").iterdir())
    assert names == ["cutoff.csv", "cutoff.png", "cutoff.svg"]
    assert attached == [(["5", "10"], ["cutoff.png", "cutoff.csv"], "sweep")]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "required: KEY"),
        (["cutoff", "--sytem", "x"], "unrecognized arguments"),
        (["cutof"], "did you mean 'cutoff'"),
        (["cutoff", "--system", "x"], "a system of the runs"),
    ],
)
def test_a_wrong_word_is_one_line_and_nothing_is_written(
    attached: Attached, words: list[str], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        sweep.main(words, Path("data"))
    assert not Path("data").exists()
    assert not attached


def test_without_a_tracker_it_says_what_to_do(attached: Attached) -> None:
    local = {"_target_": "pipeline.adapters.trackers.none.Local"}
    Path("params.yaml").write_text(yaml.safe_dump({"tracker": local}))
    with pytest.raises(ConfigError, match="run with tracker=mlflow"):
        sweep.main(["cutoff"], Path("data"))


def test_outside_of_a_project_it_says_where_to_go(attached: Attached) -> None:
    Path("params.yaml").unlink()
    with pytest.raises(ConfigError, match=r"expected params\.yaml.*project's folder"):
        sweep.main(["cutoff"], Path("data"))
