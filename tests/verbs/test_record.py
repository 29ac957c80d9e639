"""The verb `record` against a system on this machine, from its questions to records."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.datasets.jsonl import Jsonl
from pipeline.contract.files import read_json
from pipeline.stages.freeze import examine
from tests.finished import finish, hand_in
from tests.project import Project
from tests.sets import SETTINGS
from tests.verbs.recording.conftest import KEY, ROOT, project, system
from tests.verbs.recording.live import fixture, record, responses, source
from tests.verbs.recording.server import System

__all__ = ["project", "system"]


@pytest.fixture
def set_(tmp_path: Path) -> Path:
    return fixture(tmp_path / "set")


def test_what_is_recorded_is_a_good_set_and_runs(
    set_: Path, system: System, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert record(set_, source(tmp_path, system.url)) == 0
    assert len(system.seen) == 4
    first = responses(set_)[0]
    assert (first["system"], first["question_id"]) == ("A", "launch")
    assert first["retrieved"] == ["launch", "archive"]
    assert first["answer"] == "It says so [1]."
    assert first["attempts"] == 1
    assert "claims" not in first  # the set has claims of its own: they are for a judge to read
    faults, summary = examine(Jsonl(str(set_)), cutoff=2, **SETTINGS)
    assert faults == []
    assert "4 responses of 1 systems" in summary["found"]
    printed = capsys.readouterr()
    assert "asked 4, from the store 0, failed 0" in printed.out
    assert "latency p50" in printed.out
    assert "4 questions to A" in printed.err
    assert [line for line in printed.out.splitlines() if len(line) > 80] == []
    assert "judge=openai" in printed.out


def test_without_claim_labels_the_records_run_as_they_are(
    set_: Path, system: System, tmp_path: Path
) -> None:
    text = (set_ / "questions.jsonl").read_text("utf-8")
    questions = [json.loads(line) for line in text.splitlines()]
    hand_in(set_, questions=[{k: v for k, v in q.items() if k != "support"} for q in questions])
    assert record(set_, source(tmp_path, system.url, reply={"citations": "marks"})) == 0
    assert responses(set_)[0]["claims"] == [{"claim_id": "answer", "citations": ["launch"]}]
    metrics = read_json(finish(tmp_path / "data", set_) / "score" / "metrics.json")
    # of launch, rollback (2 relevant) and owner it finds launch alone: (1 + 0 + 0) / 3
    assert metrics["A"]["recall"]["macro"] == pytest.approx(1 / 3)


def test_the_same_command_asks_nobody_again(set_: Path, system: System, tmp_path: Path) -> None:
    live = source(tmp_path, system.url)
    record(set_, live)
    before = (set_ / "responses.jsonl").read_bytes()
    assert record(set_, live) == 3  # what is there stays
    assert record(set_, live, "--replace") == 0
    assert len(system.seen) == 4
    assert (set_ / "responses.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    "changed",
    [
        {"http": {"body": {"q": "{question}", "k": 3}}},
        {"http": {"headers": {"X-Version": "2"}}},
        {"http": {"secrets": {"X-Key": "Bearer {RAG_KEY}"}}},
        {"http": {"query": {"k": 3}}},
        {"calls": {"revision": 2}},
    ],
)
def test_another_request_or_revision_asks_everything_anew(
    set_: Path, system: System, tmp_path: Path, changed: dict[str, dict[str, Any]]
) -> None:
    record(set_, source(tmp_path, system.url))
    assert record(set_, source(tmp_path, system.url, **changed), "--replace") == 0
    assert len(system.seen) == 8


def test_another_address_or_name_asks_everything_anew(
    set_: Path, system: System, tmp_path: Path
) -> None:
    record(set_, source(tmp_path, system.url))
    record(set_, source(tmp_path, f"{system.url}/"), "--replace")
    record(set_, source(tmp_path, system.url), system="B")
    assert len(system.seen) == 12
    assert {row["system"] for row in responses(set_)} == {"A", "B"}


def test_other_paths_and_handling_read_the_kept_replies(
    set_: Path, system: System, tmp_path: Path
) -> None:
    record(set_, source(tmp_path, system.url))
    other: dict[str, Any] = {
        "reply": {"answer": "$.documents[0].text"},
        "calls": {"concurrency": 1},
    }
    assert record(set_, source(tmp_path, system.url, **other), "--replace") == 0
    assert len(system.seen) == 4
    assert responses(set_)[0]["answer"] == "x"
    wrong = source(tmp_path, system.url, reply={"answer": "$.nothing"})
    assert record(set_, wrong, "--replace") == 3
    assert len(system.seen) == 4


def test_the_secret_stands_nowhere(
    set_: Path, system: System, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system.faults = iter(["echo", "500", "400"])
    assert record(set_, source(tmp_path, system.url)) == 0
    assert {headers["X-Key"] for headers in system.headers} == {KEY}
    printed = capsys.readouterr()
    assert KEY not in printed.out + printed.err
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes(), file
    assert "status 400: no: [key]" in printed.out


def test_faults_that_pass_are_got_over(set_: Path, system: System, tmp_path: Path) -> None:
    system.faults = iter(["500", "429", "cut", "broken", "hang"])
    assert record(set_, source(tmp_path, system.url, calls={"retries": 9})) == 0
    assert {row.get("status", "ok") for row in responses(set_)} == {"ok"}
    assert sum(row["attempts"] for row in responses(set_)) == 9


def test_what_fails_is_a_failed_response_and_asked_again_by_the_same_command(
    set_: Path, system: System, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live = source(tmp_path, system.url, calls={"concurrency": 1})
    system.faults = iter([None, "400"])
    assert record(set_, live) == 0
    failed = [row for row in responses(set_) if row.get("status") == "failed"]
    assert [row["question_id"] for row in failed] == ["owner"]
    assert failed[0]["error"] == "status 400: no: [key]"
    assert "the same command with --replace asks again what failed" in capsys.readouterr().out
    faults, _ = examine(Jsonl(str(set_)), cutoff=2, **SETTINGS)
    assert faults == []
    assert record(set_, live, "--replace") == 0
    assert [body["id"] for body in system.seen[4:]] == ["owner"]
    assert [row for row in responses(set_) if "status" in row] == []


def test_where_everything_fails_nothing_is_written(
    set_: Path, system: System, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system.faults = iter(["400"] * 9)
    assert record(set_, source(tmp_path, system.url)) == 4
    assert "none to 4 questions, the first: status 400" in capsys.readouterr().err
    assert not (set_ / "responses.jsonl").exists()
    system.faults = iter(["401"] * 9)
    assert record(set_, source(tmp_path, system.url)) == 4
    system.faults = iter(["302"] * 9)
    assert record(set_, source(tmp_path, system.url)) == 4
    assert record(set_, source(tmp_path, "http://127.0.0.1:9/x", calls={"retries": 0})) == 4


def test_paths_that_find_nothing_are_learned_from_the_first_replies(
    set_: Path, system: System, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live = source(tmp_path, system.url, reply={"answer": "$.anwser"})
    assert record(set_, live) == 3
    assert len(system.seen) == 3
    printed = capsys.readouterr().err
    assert "no value at $.anwser (no key 'anwser' among 'documents', 'answer')" in printed
    assert record(set_, source(tmp_path, system.url)) == 0
    assert len(system.seen) == 7


def test_repeats_are_asked_one_by_one(set_: Path, system: System, tmp_path: Path) -> None:
    live = source(tmp_path, system.url)
    record(set_, live)
    assert record(set_, live, "--repeats", "2", "--replace") == 0
    assert len(system.seen) == 8
    assert sorted(row.get("repeat", 1) for row in responses(set_)) == [1] * 4 + [2] * 4


def test_a_few_questions_can_be_tried_first(
    set_: Path, system: System, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live = source(tmp_path, system.url)
    assert record(set_, live, "--first", "2") == 0
    assert "2 responses missing" in capsys.readouterr().out
    assert record(set_, live, "--replace") == 0
    assert len(system.seen) == 4


def test_documents_that_the_corpus_lacks_are_listed_and_nothing_is_written(
    set_: Path, system: System, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system.reply = lambda body: {"documents": [{"id": "lunch"}, {"id": "Launch"}], "answer": "a"}
    live = source(tmp_path, system.url)
    assert record(set_, live) == 3
    printed = capsys.readouterr().err
    assert printed.count("expected an id of the corpus at rank 1, got 'lunch'") == 4
    assert "'Launch' ('launch' is one: differs in case)" in printed
    assert "asks nothing again" in printed
    assert not (set_ / "responses.jsonl").exists()
    assert record(set_, live) == 3
    assert len(system.seen) == 4


def test_hostile_questions_arrive_as_they_are(system: System, tmp_path: Path) -> None:
    texts = [
        'quote " brace } {question_id} back\\slash',
        "line\nbreak\ttab",
        "{question}",
        '"}], "top_k": 99, "x": [{"',
        "nul \x00 é 𝄞 \u2028",
    ]
    questions = [
        {"question_id": f"q{at}", "text": text, "relevant": ["d"]} for at, text in enumerate(texts)
    ]
    made = hand_in(tmp_path / "set", documents=[{"doc_id": "d", "text": "t"}], questions=questions)
    system.reply = lambda body: {"documents": [{"id": "d"}], "answer": body["q"]}
    body = {"q": "{question}", "in": ["Q: {question} ({question_id})"], "top_k": 1}
    live = source(tmp_path, system.url, http={"body": body})
    assert record(made, live) == 0
    assert {one["q"] for one in system.seen} == set(texts)
    assert [row["answer"] for row in responses(made)] == texts
    assert {json.dumps(sorted(one)) for one in system.seen} == {'["in", "q", "top_k"]'}
    assert {one["in"][0] for one in system.seen} == {
        f"Q: {text} (q{at})" for at, text in enumerate(texts)
    }


def test_a_get_bears_the_question_in_its_parameters(
    set_: Path, system: System, tmp_path: Path
) -> None:
    http = {"method": "GET", "body": None, "query": {"q": "{question}&x=1", "n": 3}}
    assert record(set_, source(tmp_path, system.url, http=http)) == 0
    assert {tuple(sorted(body)) for body in system.seen} == {("n", "q")}
    assert "From which weekday do new builds go out?&x=1" in {body["q"] for body in system.seen}


def test_a_killed_recording_goes_on_where_it_was(
    system: System, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 30
    questions = [
        {"question_id": f"q{at}", "text": f"What is {at}?", "relevant": ["launch"]}
        for at in range(count)
    ]
    made = fixture(tmp_path / "set")
    hand_in(made, questions=questions)
    live = source(tmp_path, system.url, calls={"concurrency": 2})
    system.faults = iter(["slow"] * 999)
    words = ["record", "--system", "A", "--set", str(made), "--from", str(live)]
    running = subprocess.Popen(
        [sys.executable, "-m", "pipeline", *words], cwd=ROOT, env=dict(os.environ),
        stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    while len(system.seen) < 12 and running.poll() is None:
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGKILL)
    _, said = running.communicate()
    assert running.returncode == -signal.SIGKILL, said
    assert not (made / "responses.jsonl").exists()
    base = sqlite3.connect(tmp_path / ".rag-assay" / "calls.sqlite")
    kept = base.execute("SELECT count(*) FROM attempts WHERE ok").fetchone()[0]
    base.close()
    assert 0 < kept < count
    before = len(system.seen)
    system.faults = iter(())
    assert record(made, live) == 0
    assert len(system.seen) - before == count - kept
    assert len(responses(made)) == count
    assert list(made.glob(".*.tmp")) == []


def test_ctrl_c_is_130_and_keeps_what_came(set_: Path, system: System, tmp_path: Path) -> None:
    live = source(tmp_path, system.url, calls={"timeout": 10, "retries": 0})
    system.faults = iter(["slow"] * 3 + ["hang"])
    words = ["record", "--system", "A", "--set", str(set_), "--from", str(live)]
    running = subprocess.Popen(
        [sys.executable, "-m", "pipeline", *words], cwd=ROOT, env=dict(os.environ),
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    while len(system.seen) < 4 and running.poll() is None:
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    system.closing.set()
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130, said
    assert not (set_ / "responses.jsonl").exists()


def test_other_systems_records_stay_as_they_are(set_: Path, system: System, tmp_path: Path) -> None:
    line = '{"question_id":"launch",  "system":"old","retrieved":["launch"],"claims":[]}'
    (set_ / "responses.jsonl").write_text(f"{line}\n", "utf-8")
    assert record(set_, source(tmp_path, system.url)) == 0
    assert (set_ / "responses.jsonl").read_text("utf-8").splitlines()[0] == line
    assert len(responses(set_)) == 5


def test_a_file_of_questions_needs_a_place_to_write(
    set_: Path, system: System, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live = source(tmp_path, system.url)
    assert record(set_ / "questions.jsonl", live) == 3
    assert "--out: expected a file" in capsys.readouterr().err
    out = tmp_path / "set" / "responses.jsonl"
    assert record(set_ / "questions.jsonl", live, "--out", str(out)) == 0
    assert len(responses(set_)) == 4
    texts = source(tmp_path, system.url, reply={"texts": "$.documents[*].text"})
    words = ("--out", str(tmp_path / "x.jsonl"))
    assert record(set_ / "questions.jsonl", texts, *words) == 3


def test_the_note_says_how_they_came_and_holds_no_secret(
    set_: Path, system: System, tmp_path: Path
) -> None:
    record(set_, source(tmp_path, system.url))
    note = read_json(set_ / "responses.note.json")["A"]
    assert note["source"]["http"]["secrets"] == {"X-Key": "{RAG_KEY}"}
    assert note["counts"] == {"id": 8}
    assert (note["responses"], note["near"], note["taken_as_near"]) == (4, None, [])


def test_a_server_is_given_the_time_it_asks_for(set_: Path, system: System, tmp_path: Path) -> None:
    system.faults = iter(["429"])
    began = time.monotonic()
    assert record(set_, source(tmp_path, system.url)) == 0
    assert time.monotonic() - began >= 1
    assert len(system.seen) == 5


def test_no_server_stretches_a_try_byte_by_byte(set_: Path, system: System, tmp_path: Path) -> None:
    system.faults = iter(["drip"] * 4)
    began = time.monotonic()
    calls = {"timeout": 0.5, "retries": 0, "concurrency": 4}
    assert record(set_, source(tmp_path, system.url, calls=calls), "--first", "3") == 4
    assert time.monotonic() - began < 4


def test_a_store_that_is_none_is_said_and_left_alone(
    set_: Path, system: System, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".rag-assay").mkdir()
    (tmp_path / ".rag-assay" / "calls.sqlite").write_bytes(b"no database, whatever it is" * 99)
    assert record(set_, source(tmp_path, system.url)) == 4
    assert "expected a store of calls" in capsys.readouterr().err
    assert system.seen == []


@pytest.mark.parametrize(
    ("answer", "code"), [("half \ud800", 3), ("", 0), (None, 3), (7, 3), ("\u202e\x1b[31m", 0)]
)
def test_odd_answers_are_kept_or_refused_and_are_no_bug(
    set_: Path, system: System, tmp_path: Path, answer: Any, code: int
) -> None:
    system.reply = lambda body: {"documents": [], "answer": answer}
    assert record(set_, source(tmp_path, system.url)) == code


def test_a_set_with_faults_asks_nobody(
    set_: Path, system: System, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (set_ / "questions.jsonl").open("a") as file:
        file.write('{"question_id": "launch", "text": " "}\n')
    assert record(set_, source(tmp_path, system.url)) == 3
    assert "nothing was asked and nothing written" in capsys.readouterr().err
    (set_ / "questions.jsonl").write_text("")
    assert record(set_, source(tmp_path, system.url)) == 3
    assert record(tmp_path / "nowhere", source(tmp_path, system.url)) == 3
    assert record(set_, tmp_path / "nowhere.yaml") == 3
    assert system.seen == []


@pytest.mark.long
@pytest.mark.slow
def test_a_recorded_system_is_validated_and_scored_in_a_project(
    system: System, tmp_path: Path
) -> None:
    made = Project.at(tmp_path / "project")
    made = Project(made.folder, {"RAG_KEY": KEY, "no_proxy": "*", "DVC_ROOT": str(made.folder)})
    set_ = fixture(made.folder / "data" / "raw" / "mine")
    live = source(tmp_path, system.url)
    made.pipeline("record", "--system", "A", "--set", "data/raw/mine", "--from", str(live))
    words = ("experiment=recorded", "dataset.path=data/raw/mine", "cutoff=2", "tracker=none")
    made.pipeline("validate", *words, code=3)  # labels cannot read words, as the verb said
    printed = made.pipeline("validate", *words, "question_set.claims=false")
    assert "data and configuration are good" in printed
    assert "4 responses of 1 systems" in printed
    made.pipeline(*words, "question_set.claims=false")
    assert made.metrics()["A"]["recall"]["macro"] == pytest.approx(1 / 3)
    assert set_.joinpath("responses.note.json").is_file()
    assert made.git("status", "--porcelain", "--", ".rag-assay") == ""
