"""The ledger of held-out looks: written once, whole, by one at a time."""

import json
import logging
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from pipeline.contract.errors import DataError
from pipeline.manifest.ledger import chain, entries, looks, looks_at, record
from tests.held_out import asked, frozen, look, of

ROOT = Path(__file__).parents[2]


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    return tmp_path / "data" / "ledger.jsonl"


def test_each_system_of_a_look_has_its_line(tmp_path: Path, ledger: Path) -> None:
    record(frozen(tmp_path / "run"), of(A="1", B="2"), "the release")
    lines = [json.loads(line) for line in ledger.read_text("utf-8").splitlines()]
    assert [line.pop("time")[-6:] for line in lines] == ["+00:00", "+00:00"]
    first, second = lines
    assert [(line.pop("system"), line.pop("fingerprint")) for line in lines] == [
        ("A", "1"), ("B", "2"),
    ]  # fmt: skip
    assert first.pop("previous") == "0" * 64
    assert second.pop("previous") == sha256(ledger.read_bytes().splitlines()[0]).hexdigest()
    assert len(first.pop("texts")) == first.pop("questions") == 1, "once for a question set"
    content = first.pop("question_set")
    assert second.pop("question_set") == content
    assert first == second == {
        "name": "things", "version": "v1", "contract_version": "1.0", "reason": "the release",
    }  # fmt: skip


def test_the_dev_split_is_no_look(tmp_path: Path, ledger: Path) -> None:
    record(frozen(tmp_path / "run", split="dev"), of(A="1"), "")
    assert not ledger.exists()
    assert entries() == []


def test_all_opens_the_heldout_questions_too(tmp_path: Path, ledger: Path) -> None:
    run = frozen(tmp_path / "run", split="all")
    record(run, of(A="1"), "why not")
    assert looks(run).times == 1
    assert looks(run).asked == 1, "questions of development are none of these"


def test_the_same_look_is_written_once(tmp_path: Path, ledger: Path) -> None:
    run = frozen(tmp_path / "run")
    record(run, of(A="1"), "the release")
    before = ledger.read_bytes()
    record(run, of(A="1"), "the release")
    assert ledger.read_bytes() == before


def test_systems_scored_together_are_one_use_and_every_other_look_one_more(
    tmp_path: Path, ledger: Path
) -> None:
    run = frozen(tmp_path / "run")
    record(run, of(A="1", B="2"), "the release")
    assert looks(run).times == 1
    record(run, of(A="1", B="2"), "again")  # another reason
    assert looks(run).times == 2
    record(run, of(A="1", B="3"), "again")  # another B
    assert looks(run).times == 3
    assert len(entries()) == 5
    assert looks(frozen(tmp_path / "other", ["Who?"])).times == 0


def test_a_piece_of_a_line_is_not_read_and_the_next_look_cuts_it_off(
    tmp_path: Path, ledger: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run = frozen(tmp_path / "run")
    record(run, of(A="1"), "one")
    whole = ledger.read_bytes()
    ledger.write_bytes(whole + b'{"contract_version":"1.0","fing')
    assert [entry["reason"] for entry in entries()] == ["one"]
    with caplog.at_level(logging.WARNING):
        record(run, of(A="1"), "two")
    assert "never finished" in caplog.text
    assert ledger.read_bytes().startswith(whole)
    assert [entry["reason"] for entry in entries()] == ["one", "two"]


@pytest.mark.parametrize("line", ["<<<<<<< HEAD", "{}", "[1]", '"text"', "null"])
def test_a_line_that_is_no_look_is_refused_with_its_number(
    tmp_path: Path, ledger: Path, line: str
) -> None:
    run = frozen(tmp_path / "run")
    record(run, of(A="1"), "one")
    ledger.write_text(ledger.read_text("utf-8") + line + "\n", "utf-8")
    for reader in (entries, lambda: record(run, of(A="2"), "two")):
        with pytest.raises(DataError, match=r"data/ledger\.jsonl:2: expected a look"):
            reader()


def test_looks_written_at_once_are_all_there(tmp_path: Path, ledger: Path) -> None:
    run = frozen(tmp_path / "run")
    script = (
        "import sys; from pathlib import Path; from pipeline.manifest.ledger import record\n"
        "for n in range(20):\n"
        "    systems = {'A': {'fingerprint': f'{sys.argv[2]}-{n}'}}\n"
        "    record(Path(sys.argv[1]), {'contract_version': '1.0', 'systems': systems}, 'r')\n"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(run), str(n)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for n in range(4)
    ]
    assert [process.wait(timeout=60) for process in processes] == [0] * 4
    assert len({entry["fingerprint"] for entry in entries()}) == 80
    assert len(entries()) == 80
    assert (chain().state, chain().breaks) == ("whole", ())
    assert looks(run).times == 80


def test_a_blank_line_of_an_editor_or_a_merge_is_none_of_ours(tmp_path: Path, ledger: Path) -> None:
    run = frozen(tmp_path / "run")
    record(run, of(A="1"), "one")
    with ledger.open("a") as file:
        file.write("\n \n")
    record(run, of(A="2"), "two")
    assert chain().state == "whole"
    assert looks(run).times == 2


def test_names_versions_ids_white_space_and_capitals_do_not_reset_the_count(
    tmp_path: Path, ledger: Path
) -> None:
    look(frozen(tmp_path / "one", asked(1, 10)), times=3)
    spelled = [text.upper().replace(" ", "  \n") for text in reversed(asked(1, 10))]
    for again in (
        frozen(tmp_path / "renamed", asked(1, 10), name="others"),
        frozen(tmp_path / "frozen", asked(1, 10), version="v2"),
        frozen(tmp_path / "spelled", spelled),
    ):
        assert (looks(again).times, looks(again).most) == (3, 3)
    look(frozen(tmp_path / "renamed", asked(1, 10), name="others"))
    assert looks(frozen(tmp_path / "one", asked(1, 10))).times == 4


def test_a_tenth_more_or_less_of_questions_does_not_reset_the_count(
    tmp_path: Path, ledger: Path
) -> None:
    look(frozen(tmp_path / "one", asked(1, 20)), times=3)
    more = looks(frozen(tmp_path / "more", asked(1, 22)))
    assert (more.times, more.most, sorted(more.each)) == (3, 3, [0] * 2 + [3] * 20)
    assert looks(frozen(tmp_path / "less", asked(3, 20))).times == 3


def test_a_look_counts_for_a_run_when_it_opened_half_of_its_questions(
    tmp_path: Path, ledger: Path
) -> None:
    look(frozen(tmp_path / "one", asked(1, 10)))
    half = looks(frozen(tmp_path / "half", asked(6, 15)))  # 6 to 10 of ten
    assert (half.times, half.most) == (1, 1)
    fewer = looks(frozen(tmp_path / "fewer", asked(7, 16)))  # 7 to 10 of ten
    assert (fewer.times, fewer.most) == (0, 1), "but those were opened all the same"


def test_thirds_that_were_opened_one_by_one_are_told_by_their_questions(
    tmp_path: Path, ledger: Path
) -> None:
    for n in range(3):
        look(frozen(tmp_path / f"third {n}", asked(10 * n + 1, 10 * n + 10)), times=4)
    whole = looks(frozen(tmp_path / "whole", asked(1, 30)))
    assert (whole.times, whole.most) == (0, 4)
    assert (whole.spent(3), whole.over(3), whole.over(4)) == (30, True, False)


def test_texts_stand_in_the_first_line_of_a_question_set_only(tmp_path: Path, ledger: Path) -> None:
    run = look(frozen(tmp_path / "run"), times=2)
    look(frozen(tmp_path / "renamed", name="others"))
    look(run)
    assert ["texts" in entry for entry in entries()] == [True, False, True, False]


def test_one_question_has_a_count_of_its_own(tmp_path: Path, ledger: Path) -> None:
    look(frozen(tmp_path / "one", asked(1, 10)), times=2)
    later = look(frozen(tmp_path / "two", asked(10, 20)))
    assert looks_at(later, "What is thing 10?") == 3
    assert looks_at(later, "what is  thing 11?") == 1


def test_a_development_run_counts_by_the_texts_that_the_ledger_knows(
    tmp_path: Path, ledger: Path
) -> None:
    look(frozen(tmp_path / "one", asked(1, 10)), times=2)
    look(frozen(tmp_path / "two", asked(1, 10), name="others"))
    assert looks(frozen(tmp_path / "dev", asked(1, 10), split="dev")).times == 3
    unknown = looks(frozen(tmp_path / "dev", asked(1, 10), split="dev", name="new"))
    assert (unknown.times, unknown.most, unknown.asked) == (0, 0, 10)


def old(ledger: Path, run: Path, times: int) -> list[str]:
    """Lines as an earlier version wrote them: no chain, no texts."""
    content = json.loads((run / "freeze" / "manifest.json").read_text())["question_set"]["content"]
    lines = [
        json.dumps({
            "contract_version": "1.0", "fingerprint": f"{n}", "question_set": content,
            "reason": "old", "system": "A", "time": f"2026-01-0{n}T00:00:00.000000+00:00",
        })
        for n in range(1, times + 1)
    ]  # fmt: skip
    ledger.parent.mkdir(exist_ok=True)
    ledger.write_text("".join(f"{line}\n" for line in lines))
    return lines


def test_old_lines_count_by_content_and_by_texts_once_a_newer_line_has_them(
    tmp_path: Path, ledger: Path
) -> None:
    run = frozen(tmp_path / "run", asked(1, 10))
    old(ledger, run, 3)
    renamed = frozen(tmp_path / "renamed", asked(1, 10), name="others")
    assert (looks(run).times, looks(renamed).times) == (3, 0)
    look(run)
    assert (looks(run).times, looks(renamed).times) == (4, 4)


def test_the_chain_begins_after_old_lines_and_covers_them_all(tmp_path: Path, ledger: Path) -> None:
    run = frozen(tmp_path / "run")
    lines = old(ledger, run, 3)
    assert chain().state == "whole"
    look(run, times=2)
    assert chain().state == "whole"
    written = ledger.read_text()
    for at, line in enumerate(lines):
        ledger.write_text(written.replace(line, line.replace('"old"', '"new"')))
        assert chain().state == "broken at line 4", f"line {at + 1} was edited"
    ledger.write_text(written.replace(lines[0] + "\n", ""))
    assert chain().state == "broken at line 3", "the same line, one further up"


def test_a_broken_chain_is_warned_of_and_goes_on(
    tmp_path: Path, ledger: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run = look(frozen(tmp_path / "run"), times=3)
    good = ledger.read_text()
    ledger.write_text(good.replace("a look 1", "no look"))
    with caplog.at_level(logging.WARNING):
        look(run)
    assert "its chain is broken at line 3" in caplog.text
    assert chain().state == "broken at line 3"
    assert [entry["reason"] for entry in entries()] == [
        "a look 0",
        "no look",
        "a look 2",
        "a look 3",
    ]
    ledger.write_text(good + ledger.read_text().splitlines()[-1] + "\n")
    assert chain().state == "whole", "what was restored is whole again"


def test_branches_that_git_merged_are_named_and_the_next_look_joins_them(
    tmp_path: Path, ledger: Path
) -> None:
    def git(*words: str) -> None:
        name = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        subprocess.run(["git", *name, *words], cwd=tmp_path, check=True, capture_output=True)

    run = frozen(tmp_path / "run")
    shutil.copy(ROOT / ".gitattributes", tmp_path)
    look(run, times=2)
    git("init", "-qb", "main")
    git("add", ".gitattributes", "data/ledger.jsonl")
    git("commit", "-qm", "start")
    git("checkout", "-qb", "side")
    look(run, times=2)
    git("commit", "-qam", "side")
    git("checkout", "-q", "main")
    look(run, times=1)
    git("commit", "-qam", "main")
    git("merge", "-q", "side", "-m", "both")

    assert len(entries()) == 5
    (found,) = chain().breaks
    assert (chain().state, found.kind) == (f"merged at line {found.number}", "branch")
    look(run)
    assert chain().state == "whole"
    assert [one.kind for one in chain().breaks] == ["branch"], "still named"
    lines = ledger.read_text().splitlines(keepends=True)
    for gone in (2, 3, 4):
        ledger.write_text("".join(lines[:gone] + lines[gone + 1 :]))
        assert chain().broken, f"line {gone + 1} was removed after the merge"
