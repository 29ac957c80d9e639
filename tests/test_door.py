"""The door: verbs, exit codes, and what a person reads when something is wrong."""

import errno
import os
import subprocess
import sys
from json import JSONDecodeError
from pathlib import Path

import pytest
from polars.exceptions import ComputeError

from pipeline import __main__ as door
from pipeline.contract.errors import EXIT_FILE, EndpointError, IncomparableError

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv(EXIT_FILE, raising=False)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = door.main(list(words))
    return code, capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["runn"], "(did you mean 'run'?), got 'runn'"),
        (["cutof=1"], "(did you mean 'cutoff'?), got 'cutof'"),
        (["cutoff=101"], "conf: cutoff: expected a whole number from 1 to 100, got 101"),
        (["cutoff=true"], "conf: cutoff: expected a whole number from 1 to 100, got True"),
        (["cutoff=1.5"], "conf: cutoff: expected a whole number from 1 to 100, got 1.5"),
        (["experiment=fixtur"], "(did you mean 'fixture'?), got 'fixtur'"),
        (["dataset.path=nowhere"], "expected a folder or file that exists, got nowhere"),
        (["split=heldout"], "conf: reason: expected why the held-out questions are opened"),
        (["dataset=clapnq", "experiment=recorded", "dataset.pat=x"], "did you mean"),
        (["stage", "scor"], "(did you mean 'score'?), got scor"),
        (["cutoff=" + "[" * 100_000], "conf: cutoff: expected a whole number from 1 to 100"),
        (["cutoff=1" + "0" * 200], "0" * 70 + "…"),
        (["dataset.path=" + "x" * 5000], "conf: dataset.path: expected files that can be read"),
        (["dataset.path="], "expected a folder or file that exists, got ''"),
        (["corpus.note=\udcff"], r"conf: corpus.note: expected text in UTF-8, got '\udcff'"),
        (['corpus.note="\\ud800"'], r"conf: corpus.note: expected text in UTF-8, got '\ud800'"),
        (["split=heldout", "reason= "], "conf: reason: expected why the held-out"),
        (["track", "now"], "track: expected no words, got now"),
    ],
)
def test_a_wrong_word_is_one_clear_line_and_exit_3(
    capsys: pytest.CaptureFixture[str], words: list[str], line: str
) -> None:
    before = (ROOT / "params.yaml").read_bytes()
    code, text = said(capsys, *words)
    assert code == 3
    assert line in text
    assert len(text.splitlines()) == 1
    assert (ROOT / "params.yaml").read_bytes() == before


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (IncomparableError("x"), 2),
        (EndpointError("x", expected="y", got="z"), 4),
        (KeyboardInterrupt(), 130),
        (ValueError("x"), 70),
        (BrokenPipeError(), 0),
        (OSError(errno.ENOSPC, "No space left on device"), 4),
        (PermissionError(errno.EACCES, "Permission denied", "data"), 4),
        (ComputeError("parquet: No space left on device (os error 28)"), 4),
        (FileNotFoundError(errno.ENOENT, "No such file", "x"), 70),
    ],
)
def test_each_end_has_its_exit_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: BaseException, code: int
) -> None:
    def fail(verb: str, words: list[str]) -> int:
        raise error

    monkeypatch.setattr(door, "_dispatch", fail)
    monkeypatch.setattr("os.dup2", lambda *_: None)
    monkeypatch.setenv(EXIT_FILE, str(tmp_path / "code"))
    assert door.main(["stage", "score"]) == code
    left = tmp_path / "code"
    assert (left.read_text() if left.exists() else "0") == str(code)


def test_a_bug_keeps_its_traceback_and_says_whose_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(verb: str, words: list[str]) -> int:
        raise ValueError("odd")

    monkeypatch.setattr(door, "_dispatch", fail)
    code, text = said(capsys, "show")
    assert code == 70
    assert "Traceback" in text
    assert "ValueError: odd" in text
    assert "a bug of rag-assay" in text


def test_a_word_with_an_equals_sign_is_never_a_verb(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[str, list[str]]] = []

    def note(verb: str, words: list[str]) -> int:
        seen.append((verb, words))
        return 0

    monkeypatch.setattr(door, "_dispatch", note)
    door.main(["cutoff=1", "show"])
    door.main([])
    door.main(["show", "launch"])
    assert seen == [("run", ["cutoff=1", "show"]), ("run", []), ("show", ["launch"])]


def test_elsewhere_it_says_where_to_go(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, text = said(capsys)
    assert code == 3
    assert "expected the project's folder" in text
    assert not list(tmp_path.iterdir())


def test_what_the_machine_refuses_is_one_line_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(verb: str, words: list[str]) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", "data/x")

    monkeypatch.setattr(door, "_dispatch", fail)
    code, text = said(capsys, "show")
    assert code == 4
    assert text.splitlines() == [
        "machine: expected to read and write its files, got [Errno 28] No space left on device: "
        "'data/x'; look at the disk and the rights of its files, then run it again"
    ]


def test_a_terminal_without_utf_8_gets_spelled_characters() -> None:
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    words = [sys.executable, "-m", "pipeline", "corpus.name=ü"]
    ended = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert ended.returncode == 3
    assert r"got '\xfc" in ended.stderr or r"got '\udc" in ended.stderr


def test_a_stage_without_the_ones_before_it_says_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said(capsys, "stage", "score") == (
        3,
        "stage score: expected the results of judge in data/judge, got none; "
        "`python -m pipeline` runs every stage in order\n",
    )


@pytest.mark.parametrize(
    "error",
    [
        FileNotFoundError(errno.ENOENT, "No such file", "data/freeze/manifest.json"),
        ComputeError("parquet: File out of specification"),
        JSONDecodeError("Expecting value", "", 0),
    ],
)
def test_results_that_were_touched_since_are_told_from_a_bug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    def fail(verb: str, words: list[str]) -> int:
        raise error

    monkeypatch.setattr(door, "_dispatch", fail)
    for verb, code in (("show", 3), ("track", 3), ("run", 70)):
        assert said(capsys, *([] if verb == "run" else [verb]))[0] == code


def test_a_closed_output_is_no_error() -> None:
    command = f"exec {sys.executable} -m pipeline --help >&-"
    ended = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
