"""Query results of Open RAG Eval: rows of passages, runs, and marks that name passages."""

import json
from pathlib import Path

import pytest

from tests.verbs.importing.conftest import BOATS, HOURS, Import
from tests.verbs.recording.live import responses

HEAD = "query_id,query,query_run,passage_id,passage,generated_answer\n"
OPEN = "When does the café open?"
PRICE = "What does a boat cost?"


def written(folder: Path, text: str) -> Path:
    path = folder / "x.csv"
    path.write_text(HEAD + text, "utf-8")
    return path


def test_passages_of_a_run_are_a_ranking_and_marks_name_them(
    set_: Path, take: Import, tmp_path: Path
) -> None:
    text = (
        f"u1,{OPEN},1,[2],{HOURS},\n"
        f'u1,{OPEN},1,[5],{BOATS},"At eight [2], not nine [2, 5]. Nobody [1] knows."\n'
        f"u2,{PRICE},1,[1],{BOATS},Nine [1]\n"
    )
    assert take("open-rag-eval", written(tmp_path, text)) == 0
    first, second = responses(set_)
    assert first["question_id"] == "open"
    assert first["retrieved"] == ["hours", "boats"]
    # [2] is at rank 1 and [5] at rank 2; [1] was never retrieved and must not become rank 1
    assert first["answer"] == "At eight [1], not nine [1][2]. Nobody [0] knows."
    assert first["claims"] == [{"claim_id": "answer", "citations": ["hours", "boats", "[0]"]}]
    assert second["claims"] == [{"claim_id": "answer", "citations": ["boats"]}]


def test_runs_are_repeats(set_: Path, take: Import, tmp_path: Path) -> None:
    text = "".join(
        f"u,{question},{run},[1],{passage},a{run} [1]\n"
        for run in (1, 2)
        for question, passage in ((OPEN, HOURS), (PRICE, BOATS))
    ).replace(f"u,{PRICE}", f"v,{PRICE}")
    assert take("open-rag-eval", written(tmp_path, text)) == 0
    assert [(row["question_id"], row.get("repeat", 1)) for row in responses(set_)] == [
        ("open", 1),
        ("price", 1),
        ("open", 2),
        ("price", 2),
    ]


def test_the_tools_failures_are_failed_responses(set_: Path, take: Import, tmp_path: Path) -> None:
    text = f"u,{OPEN},1,NA,NA,NO_ANSWER\nv,{PRICE},1,ERROR,Runtime error: x,API_ERROR\n"
    assert take("open-rag-eval", written(tmp_path, text)) == 0
    assert [(row["status"], row["error"]) for row in responses(set_)] == [
        ("failed", "NO_ANSWER"),
        ("failed", "API_ERROR"),
    ]


def test_json_of_the_same_rows_is_read_too(set_: Path, take: Import, tmp_path: Path) -> None:
    rows = [
        {
            "query_id": "u",
            "query": OPEN,
            "passage_id": "hours",
            "passage": "x",
            "generated_answer": "a",
        },
        {
            "query_id": "v",
            "query": PRICE,
            "passage_id": "[1]",
            "passage": BOATS,
            "generated_answer": "",
        },
    ]
    (tmp_path / "x.json").write_text(json.dumps(rows), "utf-8")
    assert take("open-rag-eval", tmp_path / "x.json") == 0
    assert [row["retrieved"] for row in responses(set_)] == [["hours"], ["boats"]]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"u,{OPEN},0,[1],{HOURS},a\n", "expected a whole number from 1 on in query_run"),
        (f"u,{OPEN},1,[1],{HOURS},a\nu,{PRICE},1,[2],{BOATS},\n", "expected one query in the rows"),
        (f"u,{OPEN},1,[1],{HOURS},a\nu,{OPEN},1,[1],{BOATS},\n", "expected each passage_id once"),
        (f"u,{OPEN},2,[1],{HOURS},a\n", "expected repeats from 1 without a gap"),
    ],
)
def test_what_does_not_fit_is_refused(
    take: Import, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, fault: str
) -> None:
    assert take("open-rag-eval", written(tmp_path, text)) == 3
    assert fault in capsys.readouterr().err
