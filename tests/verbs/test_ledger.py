"""`ledger`: every look with how it stood at its time, and where the chain is broken."""

from pathlib import Path

import pytest

from pipeline.__main__ import main
from pipeline.contract.files import write_json
from pipeline.manifest.ledger import NAME, chain, entries, record
from pipeline.verbs.terminal.text import cells
from tests.held_out import asked, frozen, look, of


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf/config.yaml").touch()
    (tmp_path / "dvc.yaml").touch()
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> list[str]:
    assert main(["ledger", *words]) == code
    lines = capsys.readouterr().out.splitlines()
    assert all(cells(line) <= 80 for line in lines)
    return lines


def rows(lines: list[str]) -> list[list[str]]:
    """looks, seen, question set, version, system of each line of the table."""
    return [line.split()[2:7] for line in lines if line.startswith("20")]


def test_an_empty_ledger_is_whole(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys) == ["data/ledger.jsonl: chain whole, 0 lines"]


def test_each_line_says_how_often_its_questions_had_been_opened_and_which_were_new(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record(frozen(project / "a", asked(1, 8)), of(A="1", B="2"), "the release")
    look(frozen(project / "b", asked(1, 10), name="renamed"))  # 8 of 10 were opened
    look(frozen(project / "c", asked(1, 8)))
    look(frozen(project / "d", ["Who?"], name="others"))
    lines = printed(capsys)
    assert lines[0].split() == ["time", "(UTC)", "looks", "seen", "questions", "system", "reason"]
    assert rows(lines) == [
        ["1", "0.00", "things", "v1", "A"],
        ["1", "0.00", "things", "v1", "B"],
        ["2", "0.80", "renamed", "v1", "A"],
        ["3", "1.00", "things", "v1", "A"],
        ["1", "0.00", "others", "v1", "A"],
    ]
    assert lines[-1] == "data/ledger.jsonl: chain whole, 5 lines"


def test_one_question_set_is_chosen_by_name_or_hash(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    look(frozen(project / "a", asked(1, 8)))
    look(frozen(project / "b", asked(1, 8), name="renamed"))
    assert rows(printed(capsys, "--questions", "renamed")) == [["2", "1.00", "renamed", "v1", "A"]]
    start = entries()[0]["question_set"][:10]
    assert rows(printed(capsys, "--questions", start)) == [["1", "0.00", "things", "v1", "A"]]
    assert main(["ledger", "--questions", "nothing"]) == 3
    assert "a set that was opened (renamed v1, things v1), got 'nothing'" in capsys.readouterr().err


def test_long_reasons_are_wrapped_and_nothing_acts_on_the_terminal(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    look(frozen(project / "a", name="n" * 60), reason="because \x1b[2J of " + "a reason " * 9)
    lines = printed(capsys)
    assert " ".join(" ".join(line.split()) for line in lines).count("a reason") >= 7
    assert not any("\x1b" in line for line in lines)


def test_a_broken_chain_is_named_by_line_and_hashes_and_ends_with_3(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    look(frozen(project / "a"), times=3)
    path = project / NAME
    path.write_text(path.read_text().replace("a look 1", "no look"))
    found = chain().broken
    assert found is not None
    text = " ".join(" ".join(printed(capsys, code=3)[5:]).split())
    assert text == (
        "line 3 follows a line that is not there: one was edited or removed; expected previous "
        f"{found.expected[:12]}…, got {found.got[:12]}… data/ledger.jsonl: chain broken at line 3, "
        "3 lines; what it was: git log -p data/ledger.jsonl"
    )


def test_branches_are_named_and_are_no_error(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, path = frozen(project / "a"), project / NAME
    look(run)
    start = path.read_text()
    look(run)
    ours = path.read_text()
    path.write_text(start)
    look(run)
    path.write_text(ours + path.read_text().removeprefix(start))
    text = " ".join(" ".join(printed(capsys)).split())
    assert "line 3 begins a branch: it follows an earlier line, as after a merge" in text
    assert text.endswith("chain merged at line 3, 3 lines; the next look joins the branches")
    look(run)
    text = " ".join(" ".join(printed(capsys)).split())
    assert "line 3 begins a branch" in text
    assert text.endswith("chain whole, 4 lines")


def test_a_ledger_that_was_cut_off_lacks_the_line_that_a_manifest_saw(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    look(frozen(project / "a"), times=3)
    write_json(project / "data/track/A.manifest.json", {"heldout": {"head": chain().head}})
    write_json(project / "data/track/old.manifest.json", {"heldout": {}})
    look(frozen(project / "a"))
    printed(capsys)
    path = project / NAME
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    text = " ".join(" ".join(printed(capsys, code=3)).split())
    assert "data/track/A.manifest.json: expected its last line" in text
    assert "chain whole, 2 lines" in text


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"heldout": null}', "\xff"])
def test_a_manifest_that_is_none_is_bad_input(
    project: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    path = project / "data/track/A.manifest.json"
    path.parent.mkdir(parents=True)
    path.write_text(text, "latin-1")
    assert main(["ledger"]) == 3
    said = capsys.readouterr().err
    assert said.startswith("data/track/A.manifest.json: expected the manifest of a run, got ")
    assert "Traceback" not in said
