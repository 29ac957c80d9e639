"""The built-in system with a model, from files to scores."""

import sqlite3
from pathlib import Path

import polars as pl
import pytest

pytest.importorskip("openai")

from pipeline.adapters.trackers.traces import traces
from pipeline.contract.files import read_json
from pipeline.contract.policy import Acceptance
from pipeline.contract.results import PerQuestion
from pipeline.contract.tables import Answers, Ranking, Statements, read
from pipeline.manifest import run as manifest
from pipeline.verbs.terminal.case import open_case, question_rows
from tests.finished import finish
from tests.llm import world
from tests.llm.server import serving


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    world.until_answers(tmp_path / "data", world.numbered(tmp_path / "set", 10))
    return tmp_path / "data"


def test_repeats_are_as_many_as_set_and_share_their_ranking(data: Path) -> None:
    with serving(answer=world.some_abstain) as server:
        world.answers(data, server.url, repeats=3)
        assert len(server.seen) == 30
    world.scores(data)
    assert len(read(data / "rerank", Ranking)) == 10
    answers = read(data / "answer", Answers)
    assert answers.group_by("repeat").len().sort("repeat")["len"].to_list() == [10, 10, 10]
    scored = read(data / "score", PerQuestion)
    assert scored.group_by("question").agg(pl.col("recall").n_unique())["recall"].max() == 1
    assert scored["recall"].min() == 1.0
    metrics = read_json(data / "score" / "metrics.json")["rag"]["recall"]
    assert (metrics["n"], metrics["n_values"]) == (10, 30)
    parts = read_json(data / "score" / "identity.json")["systems"]["rag"]["parts"]
    assert parts["repeats"] == 3
    assert parts["answerer"]["prompt"]["revision"] == "1"


def test_a_model_can_answer_recorded_rankings_several_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    data = finish(tmp_path / "data")
    with serving() as server:
        world.answers(data, server.url, repeats=2)
    answers = read(data / "answer", Answers)
    assert answers.select("system", "repeat").unique(maintain_order=True).rows() == [
        ("A", 1), ("A", 2), ("B", 1), ("B", 2),
    ]  # fmt: skip


def test_a_question_with_repeats_can_be_opened_and_traced(data: Path) -> None:
    with serving(answer=world.some_abstain) as server:
        world.answers(data, server.url, repeats=2)
    world.scores(data)
    (question,) = question_rows(data, "q3")
    case = open_case(data, question)
    assert [len(context or ()) for context in case.contexts] == [2, 2]
    made = traces(data, "rag", content="full", limit=99, seed=1, cutoff=2)
    assert len(made) == 20


def test_no_rate_stands_on_abstentions_alone(data: Path) -> None:
    with serving(answer=world.some_abstain) as server:
        world.answers(data, server.url)
    world.scores(data)
    assert [c is None for c in read(data / "answer", Answers)["claim_ids"]] == [
        at != 7 for at in range(10)
    ]
    assert read(data / "judge", Statements)["claims"].null_count() == 10
    metrics = read_json(data / "score" / "metrics.json")["rag"]
    assert (metrics["recall"]["macro"], metrics["recall"]["n"]) == (1.0, 10)
    assert (metrics["coverage"]["macro"], metrics["false_abstention"]["macro"]) == (None, None)


def test_the_store_notes_the_data_set(data: Path, tmp_path: Path) -> None:
    with serving() as server:
        world.answers(data, server.url)
    base = sqlite3.connect(tmp_path / ".rag-assay" / "calls.sqlite")
    assert base.execute("SELECT DISTINCT dataset FROM calls").fetchall() == [("towns",)]
    base.close()


def test_timings_and_costs_stay_out_of_what_scores_depend_on(data: Path) -> None:
    with serving(answer=world.some_abstain) as server:
        world.answers(data, server.url)
        first = world.scores(data), (data / "answer" / "answers.parquet").read_bytes()
        identity = read_json(data / "score" / "identity.json")
        (Path(data).parent / ".rag-assay" / "calls.sqlite").unlink()
        world.answers(data, server.url, concurrency=1, price_input=3.0)
    assert (world.scores(data), (data / "answer" / "answers.parquet").read_bytes()) == first
    assert read_json(data / "score" / "identity.json") == identity


def test_the_manifest_names_model_settings_and_prompt(data: Path) -> None:
    with serving(answer=world.some_abstain) as server:
        world.answers(data, server.url, seed=3)
    world.scores(data)
    described = manifest.manifests(
        data,
        params={},
        acceptance=Acceptance("none"),
        tracker={},
        code={},
        environment={},
        time="2025-01-01T00:00:00+00:00",
    )["rag"]
    assert described["models"]["answerer"]["model"] == "m"
    assert described["models"]["answerer"]["seed"] == 3
    prompt = described["parts"]["answerer"]["prompt"]
    assert described["prompts"]["answerer.prompt"] == prompt["sha256"]
    assert described["counts"]["usage"]["requests"]["total"] == 10
