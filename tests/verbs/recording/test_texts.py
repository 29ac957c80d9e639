"""Retrieved texts of a live system: placed in the corpus, or listed and nothing written."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.contract.files import read_json
from tests.finished import hand_in
from tests.verbs.recording.live import Rows, record, responses, source
from tests.verbs.recording.server import System

HOURS = "The kiosk at the harbour opens at eight and closes at six. On Sundays it stays shut."
BOATS = "Rowing boats cost nine coins an hour. A deposit of twenty coins is paid back."
DOCUMENTS = [{"doc_id": "hours", "text": HOURS}, {"doc_id": "boats", "text": BOATS}]


@pytest.fixture
def set_(tmp_path: Path) -> Path:
    questions = [{"question_id": "q", "text": "When?", "relevant": ["hours"]}]
    return hand_in(tmp_path / "set", documents=DOCUMENTS, questions=questions)


def replying(
    system: System, folder: Path, texts: list[str], answer: str = "a", **reply: Any
) -> Path:
    system.reply = lambda body: {"texts": texts, "answer": answer}
    made = {"ids": None, "texts": "$.texts", "answer": "$.answer", **reply}
    return source(folder, system.url, reply=made)


def report(path: Path) -> Rows:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_texts_are_placed_and_the_report_says_where(
    set_: Path, system: System, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live = replying(system, tmp_path, [BOATS, "opens at  eight"])
    assert record(set_, live, "--report", str(tmp_path / "r.jsonl")) == 0
    assert responses(set_)[0]["retrieved"] == ["boats", "hours"]
    rows = report(tmp_path / "r.jsonl")
    assert [(row["rank"], row["doc_id"], row["how"]) for row in rows] == [
        (1, "boats", "text"),
        (2, "hours", "span"),
    ]
    assert HOURS[rows[1]["start"] : rows[1]["end"]] == "opens at eight"
    printed = capsys.readouterr().out
    assert "retrieved: 1 by whole text, 1 as a span of a document" in printed


def test_a_text_that_is_nearly_a_document_is_refused_with_what_differs(
    set_: Path, system: System, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live = replying(
        system, tmp_path, [BOATS, HOURS.replace("shut.", "shut!"), "no such words at all"]
    )
    assert record(set_, live) == 3
    printed = capsys.readouterr().err
    # 77 runs of 8 characters, the last of which is changed: 76/77 = 0.987
    assert "rank 2" in printed
    assert "0.987 like hours, which from character 84 on has '.' where the text has '!'" in printed
    assert "rank 3, got 'no such words at all', which no document resembles" in printed
    assert not (set_ / "responses.jsonl").exists()


def test_with_a_threshold_it_is_taken_and_noted(
    set_: Path, system: System, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live = replying(system, tmp_path, [HOURS.replace("shut.", "shut!")])
    assert record(set_, live, "--near", "0.99") == 3
    assert record(set_, live, "--near", "0.95") == 0
    assert responses(set_)[0]["retrieved"] == ["hours"]
    note = read_json(set_ / "responses.note.json")["A"]
    assert note["near"] == 0.95
    taken = note["taken_as_near"][0]
    assert (taken["question_id"], taken["rank"], taken["doc_id"]) == ("q", 1, "hours")
    assert (taken["score"], taken["differs_at"]) == (pytest.approx(76 / 77), 83)
    assert "1 taken for a document they are only like (--near)" in " ".join(
        capsys.readouterr().out.split()
    )


def test_a_text_that_is_as_near_to_two_is_never_taken(
    set_: Path, system: System, tmp_path: Path
) -> None:
    hand_in(
        set_, documents=[*DOCUMENTS, {"doc_id": "twin", "text": HOURS.replace("shut.", "shut?")}]
    )
    live = replying(system, tmp_path, [HOURS.replace("shut.", "shut!")])
    assert record(set_, live, "--near", "0.9") == 3


def test_a_text_in_two_documents_is_listed_with_both(
    set_: Path, system: System, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert record(set_, replying(system, tmp_path, ["coins", "a"])) == 3
    printed = capsys.readouterr().err
    assert "expected a text of one document at rank 2, got 'a', which is in hours, boats" in printed


def test_parts_of_one_document_need_a_word_and_keep_the_first_rank(
    set_: Path, system: System, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = ["opens at eight", "closes at six", "Rowing boats"]
    live = replying(
        system, tmp_path, texts, "At six [2], not nine [3]. See [4].", citations="marks"
    )
    assert record(set_, live) == 3
    printed = capsys.readouterr().err
    assert "expected each document once in a ranking (--collapse keeps its first rank)" in printed
    assert "got 'hours' at ranks 1, 2" in printed
    assert record(set_, live, "--collapse") == 0
    made = responses(set_)[0]
    assert made["retrieved"] == ["hours", "boats"]
    # the second text is now rank 1, the third rank 2; nothing was ever delivered as [4]
    assert made["answer"] == "At six [1], not nine [2]. See [4]."
    assert made["claims"] == [{"claim_id": "answer", "citations": ["hours", "boats", "[4]"]}]
    printed = capsys.readouterr().out
    assert "kept the first rank of each document in 1 ranking, 1 rank fewer" in printed
    assert "marks [n] renumbered in 1 answer" in printed
    assert len(system.seen) == 1


def test_blank_texts_are_listed(set_: Path, system: System, tmp_path: Path) -> None:
    assert record(set_, replying(system, tmp_path, [" \n"])) == 3


def test_nothing_retrieved_is_a_good_response(set_: Path, system: System, tmp_path: Path) -> None:
    assert record(set_, replying(system, tmp_path, [])) == 0
    assert responses(set_)[0]["retrieved"] == []


def test_ids_count_first_and_texts_where_there_is_no_such_id(
    set_: Path, system: System, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system.reply = lambda body: {
        "hits": [{"id": "hours", "text": "other words"}, {"id": "b#1", "text": "Rowing boats"}],
        "cited": ["b#1", "elsewhere"],
    }
    paths = {"ids": "$.hits[*].id", "texts": "$.hits[*].text", "answer": None}
    live = source(tmp_path, system.url, reply={**paths, "citations": "$.cited"})
    assert record(set_, live) == 0
    made = responses(set_)[0]
    assert made["retrieved"] == ["hours", "boats"]
    assert made["claims"] == [{"claim_id": "answer", "citations": ["boats", "elsewhere"]}]
    printed = " ".join(capsys.readouterr().out.split())
    assert "1 of them by id, though with words that the document does not have" in printed


@pytest.mark.parametrize("near", ["1", "0.3", "nan"])
def test_a_threshold_is_a_share(set_: Path, system: System, tmp_path: Path, near: str) -> None:
    assert record(set_, replying(system, tmp_path, [HOURS]), "--near", near) == 3
    assert system.seen == []
