"""Samples of Ragas, by new names and old, as JSON lines and as CSV."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.datasets.jsonl import Jsonl
from pipeline.stages.freeze import examine
from tests.sets import SETTINGS
from tests.verbs.importing.conftest import BOATS, HOURS, Import
from tests.verbs.recording.live import Rows, responses

NEW: Rows = [
    {
        "user_input": "When does the cafe\u0301  open?",
        "retrieved_contexts": [HOURS, "nine coins\nan hour."],
        "response": "At eight [1].",
        "reference": "At eight.",
        "faithfulness": 1.0,
    },
    {
        "user_input": "What does a boat cost?",
        "retrieved_contexts": [BOATS],
        "response": 'Nine, "they say".\nAn hour.',
        "reference": "Nine.",
    },
]
NAMES = {
    "user_input": "question",
    "retrieved_contexts": "contexts",
    "response": "answer",
    "reference": "ground_truth",
}
OLD = [{NAMES.get(key, key): value for key, value in row.items()} for row in NEW]


def lines(path: Path, rows: Rows) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def table(path: Path, rows: Rows, spell: Any) -> Path:
    """As `csv.DictWriter` of Ragas writes it, a list by Python's or JSON's spelling."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        for row in rows:
            writer.writerow({k: spell(v) if isinstance(v, list) else v for k, v in row.items()})
    return path


@pytest.mark.parametrize("rows", [NEW, OLD])
@pytest.mark.parametrize("shape", ["jsonl", "json", "python", "json cells"])
def test_every_shape_gives_the_same_records(
    set_: Path, take: Import, tmp_path: Path, rows: Rows, shape: str
) -> None:
    if shape == "jsonl":
        path = lines(tmp_path / "x.jsonl", rows)
    elif shape == "json":
        path = tmp_path / "X.JSON"  # as some programs spell it
        path.write_text(json.dumps(rows), "utf-8")
    else:
        name, spell = ("x.csv", repr) if shape == "python" else ("X.CSV", json.dumps)
        path = table(tmp_path / name, rows, spell)
    assert take("ragas", path) == 0
    made = responses(set_)
    assert [row["question_id"] for row in made] == ["open", "price"]
    assert [row["retrieved"] for row in made] == [["hours", "boats"], ["boats"]]
    assert made[0]["answer"] == "At eight [1]."
    assert made[1]["answer"] == 'Nine, "they say".\nAn hour.'
    faults, _ = examine(Jsonl(str(set_)), cutoff=2, **SETTINGS)
    assert faults == []


def test_marks_are_citations_where_it_is_said(set_: Path, take: Import, tmp_path: Path) -> None:
    path = lines(tmp_path / "x.jsonl", NEW)
    take("ragas", path)
    assert "claims" not in responses(set_)[0]
    assert take("ragas", path, "--marks", "--replace") == 0
    assert [row["claims"][0]["citations"] for row in responses(set_)] == [["hours"], []]


def test_ids_stand_beside_texts_or_alone(set_: Path, take: Import, tmp_path: Path) -> None:
    rows = [{**NEW[0], "retrieved_contexts": ["x", HOURS], "retrieved_context_ids": ["boats", "7"]}]
    rows += [{**NEW[1], "retrieved_contexts": None, "retrieved_context_ids": ["boats"]}]
    assert take("ragas", lines(tmp_path / "x.jsonl", rows)) == 0
    assert [row["retrieved"] for row in responses(set_)] == [["boats", "hours"], ["boats"]]


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"user_input": "What does it cost?"}, "x.jsonl:2: expected a question of the set"),
        ({"user_input": "When does the café open?"}, "expected one row for the question open, got"),
        ({"user_input": None}, "expected a question's text, or an id of the set, got none"),
        ({"user_input": [{"role": "user"}]}, "expected a sample of one turn, got several turns"),
        (
            {"retrieved_contexts": None},
            "expected a list of texts in retrieved_contexts or contexts",
        ),
        ({"retrieved_contexts": [1]}, "expected text in retrieved_contexts[0], got '1'"),
        ({"retrieved_contexts": "no list"}, "as JSON or Python, got 'no list'"),
        ({"retrieved_contexts": "__import__('os')"}, "as JSON or Python, got"),
        ({"retrieved_contexts": ["x y z"]}, "x.jsonl:2: expected a text of the corpus at rank 1"),
        ({"response": 7}, "expected text in response, got '7'"),
        ({"question_id": "open"}, "expected the words of open: 'When does the café open?', got"),
    ],
)
def test_every_fault_has_its_row_and_nothing_is_written(
    set_: Path,
    take: Import,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    changed: dict[str, Any],
    fault: str,
) -> None:
    assert take("ragas", lines(tmp_path / "x.jsonl", [NEW[0], {**NEW[1], **changed}])) == 3
    assert fault in capsys.readouterr().err
    assert not (set_ / "responses.jsonl").exists()


def test_all_faults_are_listed(
    set_: Path, take: Import, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{**NEW[0], "user_input": "a?"}, {**NEW[1], "user_input": "b?"}]
    rows.append({**NEW[1], "retrieved_contexts": ["p q r", "s t u"]})
    assert take("ragas", lines(tmp_path / "x.jsonl", rows)) == 3
    assert len(capsys.readouterr().err.splitlines()) == 5  # and what to do about them


def test_a_question_that_two_ask_is_told_apart_by_its_id_only(
    set_: Path, take: Import, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = '{"question_id": "twin", "text": "What does a boat  cost?", "relevant": []}\n'
    with (set_ / "questions.jsonl").open("a", encoding="utf-8") as file:
        file.write(text)
    assert take("ragas", lines(tmp_path / "x.jsonl", NEW)) == 3
    assert "expected a question_id, for price, twin ask the same" in capsys.readouterr().err
    rows = [NEW[0], {**NEW[1], "question_id": "twin"}, {**NEW[1], "question_id": "price"}]
    assert take("ragas", lines(tmp_path / "x.jsonl", rows)) == 0


def test_questions_without_a_row_are_told(
    set_: Path, take: Import, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert take("ragas", lines(tmp_path / "x.jsonl", NEW[:1])) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "1 response missing, which need missing=failed or another split: price" in said


@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x.csv"])
def test_an_empty_file_is_bad_input(take: Import, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("[]" if name == "x.json" else "")
    assert take("ragas", tmp_path / name) == 3


def test_no_file_is_bad_input(take: Import, tmp_path: Path) -> None:
    assert take("ragas", tmp_path / "nowhere.jsonl") == 3
    assert take("ragas", tmp_path) == 3
    assert take("other", tmp_path) == 3
