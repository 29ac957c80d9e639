"""Inputs of RAGChecker: results with what was retrieved."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.verbs.importing.conftest import BOATS, HOURS, Import
from tests.verbs.recording.live import responses


def result(**changed: Any) -> dict[str, Any]:
    return {
        "query_id": "open",
        "query": "When does the café open?",
        "gt_answer": "At eight.",
        "response": "At eight.",
        "retrieved_context": [{"doc_id": "hours", "text": HOURS}, {"doc_id": "000", "text": BOATS}],
        **changed,
    }


def written(folder: Path, value: Any) -> Path:
    (folder / "x.json").write_text(json.dumps(value), "utf-8")
    return folder / "x.json"


def test_results_are_records(set_: Path, take: Import, tmp_path: Path) -> None:
    other = result(
        query_id="17", query="What does a boat cost?", retrieved_context=[{"text": "nine coins"}]
    )
    assert take("ragchecker", written(tmp_path, {"results": [result(), other]})) == 0
    assert [(row["question_id"], row["retrieved"]) for row in responses(set_)] == [
        ("open", ["hours", "boats"]),
        ("price", ["boats"]),
    ]


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ([], "expected an object with a list of results"),
        ({"results": []}, "expected outputs of a system, got none"),
        ({"results": [3]}, "x.json:1: expected an object"),
        ({"results": [result(retrieved_context=["x"])]}, "a list of passages in retrieved_context"),
        ({"results": [result(query=3)]}, "expected text in query"),
        ({"results": [result(query="Other words?")]}, "expected the words of open"),
    ],
)
def test_what_does_not_fit_is_refused(
    take: Import, tmp_path: Path, capsys: pytest.CaptureFixture[str], value: Any, fault: str
) -> None:
    assert take("ragchecker", written(tmp_path, value)) == 3
    assert fault in capsys.readouterr().err


def test_a_file_that_is_no_json_is_refused_with_the_line(
    take: Import, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.json").write_text('{"results": [\n}')
    assert take("ragchecker", tmp_path / "x.json") == 3
    assert "x.json:2: expected JSON" in capsys.readouterr().err
