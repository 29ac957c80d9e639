"""The door: verbs, exit codes, and what a person reads when something is wrong."""

from pathlib import Path

import pytest

from pipeline import __main__ as door
from pipeline.contract.errors import EndpointError, IncomparableError

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv(door.EXIT_FILE, raising=False)


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
    ],
)
def test_each_end_has_its_exit_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: BaseException, code: int
) -> None:
    def fail(verb: str, words: list[str]) -> int:
        raise error

    monkeypatch.setattr(door, "_dispatch", fail)
    monkeypatch.setattr("os.dup2", lambda *_: None)
    monkeypatch.setenv(door.EXIT_FILE, str(tmp_path / "code"))
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
