"""The ledger of held-out looks: written once, whole, by one at a time."""

import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pipeline.contract.errors import DataError
from pipeline.contract.files import write_json
from pipeline.manifest.ledger import entries, record, uses

ROOT = Path(__file__).parents[2]


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    return tmp_path / "data" / "ledger.jsonl"


def frozen(data: Path, split: str = "heldout", content: str = "abc") -> Path:
    write_json(
        data / "freeze" / "manifest.json", {"split": split, "question_set": {"content": content}}
    )
    return data


def of(**prints: str) -> dict[str, Any]:
    systems = {name: {"fingerprint": value} for name, value in prints.items()}
    return {"contract_version": "1.0", "systems": systems}


def test_each_system_of_a_look_has_its_line(tmp_path: Path, ledger: Path) -> None:
    record(frozen(tmp_path / "run"), of(A="1", B="2"), "the release")
    lines = [json.loads(line) for line in ledger.read_text("utf-8").splitlines()]
    assert [line.pop("time")[-6:] for line in lines] == ["+00:00", "+00:00"]
    same = {"question_set": "abc", "contract_version": "1.0", "reason": "the release"}
    assert lines == [
        {**same, "system": "A", "fingerprint": "1"},
        {**same, "system": "B", "fingerprint": "2"},
    ]


def test_the_dev_split_is_no_look(tmp_path: Path, ledger: Path) -> None:
    record(frozen(tmp_path / "run", "dev"), of(A="1"), "")
    assert not ledger.exists()
    assert entries() == []


def test_all_opens_the_heldout_questions_too(tmp_path: Path, ledger: Path) -> None:
    record(frozen(tmp_path / "run", "all"), of(A="1"), "why not")
    assert uses("abc") == 1


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
    assert uses("abc") == 1
    record(run, of(A="1", B="2"), "again")  # another reason
    assert uses("abc") == 2
    record(run, of(A="1", B="3"), "again")  # another B
    assert uses("abc") == 3
    assert len(entries()) == 5
    assert uses("other questions") == 0


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
    for look in (entries, lambda: record(run, of(A="2"), "two")):
        with pytest.raises(DataError, match=r"data/ledger\.jsonl:2: expected a look"):
            look()


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


def test_a_blank_line_of_an_editor_or_a_merge_is_none_of_ours(tmp_path: Path, ledger: Path) -> None:
    record(frozen(tmp_path / "run"), of(A="1"), "one")
    with ledger.open("a") as file:
        file.write("\n \n")
    record(frozen(tmp_path / "run"), of(A="2"), "two")
    assert uses("abc") == 2
