"""Runs in MLflow's default store: one a system, whole or not at all, found again."""

import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from pipeline.contract.errors import EndpointError
from pipeline.contract.files import read_json
from tests.adapters.trackers.conftest import Look
from tests.adapters.trackers.runs import log, process, runs_of, statuses, table_of, traces_of
from tests.finished import finish
from tests.tracked import folder

pytestmark = pytest.mark.slow


def test_each_system_is_one_run_and_is_found_again(stored: Path, client: Look) -> None:
    data = folder(stored)
    first = log(data)
    assert statuses(first) == {"A": "new", "B": "new"}
    again = log(data)
    assert statuses(again) == {"A": "found", "B": "found"}
    assert again["A"]["run_id"] == first["A"]["run_id"]
    assert len(runs_of(client(stored))) == 2


def test_a_run_holds_params_metrics_tags_data_sets_table_and_manifest(
    stored: Path, client: Look
) -> None:
    run_id = log(folder(stored))["B"]["run_id"]
    store = client(stored)
    run = store.get_run(run_id)
    assert run.info.status == "FINISHED"
    assert run.data.metrics["support/macro"] == 0.75
    assert run.data.params["cutoff"] == "2"
    assert run.data.tags["complete"] == "true"
    inputs = {each.tags[0].value: each.dataset for each in run.inputs.dataset_inputs}
    manifest = read_json(stored / "data" / "track" / "B.manifest.json")
    assert inputs["corpus"].digest == manifest["corpus"]["content"][:12]
    assert inputs["questions"].digest == manifest["question_set"]["content"][:12]
    kept = Path(store.download_artifacts(run_id, "manifest.json", str(stored)))
    assert read_json(kept) == manifest
    assert manifest["run_id"] == run_id
    table = table_of(store, run_id, stored)
    assert [row["question_id"] for row in table] == ["q001", "q002", "q003", "q004"]
    assert [row["support"] for row in table] == [None, 0.5, 1.0, None]


def test_every_question_is_a_trace_with_its_scores_and_its_documents(
    stored: Path, client: Look
) -> None:
    runs = log(folder(stored))
    traces = {
        trace.info.tags["question_id"]: trace
        for trace in traces_of(client(stored), runs["B"]["run_id"])
    }
    assert sorted(traces) == ["q001", "q002", "q003", "q004"]
    extra = traces["q002"]
    assert extra.info.tags["causes"] == "extra_claim"
    scores = {given.name: given.feedback.value for given in extra.info.assessments}
    assert scores == {
        "precision": 0.5, "recall": 1.0, "reciprocal_rank": 1.0,
        "support": 0.5, "coverage": 1.0, "false_abstention": 0.0,
    }  # fmt: skip
    retrieval = next(span for span in extra.data.spans if span.span_type == "RETRIEVER")
    assert [shown["id"] for shown in retrieval.outputs] == ["d001", "d002"]
    assert traces["q001"].info.state == "ERROR"
    ours = {trace.info.request_preview for trace in traces.values()}
    theirs = {t.info.request_preview for t in traces_of(client(stored), runs["A"]["run_id"])}
    assert ours == theirs


def test_what_stands_beside_the_scores_is_set_anew_in_the_run_that_is_there(
    stored: Path, client: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = folder(stored)
    first = log(data)
    store = client(stored)
    before = store.get_run(first["A"]["run_id"]).data
    # 4 + 4 responses of two attempts in 0.25 s, no costs recorded
    assert before.metrics["usage/requests"] == 8.0
    assert before.metrics["usage/latency_p95_seconds"] == 0.25
    assert "usage/cost_usd" not in before.metrics
    raw, powered = {"value": 0.5}, {"value": 0.25, "low": 0.125, "high": 0.5}
    of = {"ruled": 4, "failed": 0, "common": 2, "disputed": 0, "rogan_gladen": {}}
    report = {
        "judge": "gpt", "draws": 1, "annotators": 1, "labels": 2, "stale": 0,
        "sides": {
            "A": {
                "rulings": None,
                "metrics": {"deflection": {**of, "raw": raw, "powered": powered}},
            },
            "B": {"rulings": None, "metrics": {}},
        },
    }  # fmt: skip
    monkeypatch.setattr("pipeline.stages.track.validation", lambda *_, **__: report)
    again = log(data)
    assert statuses(again) == {"A": "found", "B": "found"}
    assert again["A"]["run_id"] == first["A"]["run_id"]
    after = store.get_run(first["A"]["run_id"]).data
    assert after.metrics["judge_validity/deflection/corrected"] == 0.25
    assert after.metrics["judge_validity/deflection/people"] == 2.0
    assert after.tags["beside"] == again["A"]["beside"] != before.tags["beside"]
    assert {name: after.metrics[name] for name in before.metrics} == before.metrics


def test_a_lost_receipt_logs_nothing_twice(stored: Path, client: Look) -> None:
    data = folder(stored)
    first = log(data)
    shutil.rmtree(data / "track")
    again = log(data)
    assert statuses(again) == {"A": "found", "B": "found"}
    assert [run["run_id"] for run in again.values()] == [run["run_id"] for run in first.values()]
    assert len(runs_of(client(stored))) == 2


@pytest.mark.long
def test_a_lost_store_gets_its_runs_again(stored: Path, client: Look) -> None:
    data = folder(stored)
    assert process(stored).wait(timeout=120) == 0
    first = read_json(data / "track" / "run.json")["runs"]
    (stored / "mlflow.db").unlink()
    again = log(data)
    assert statuses(again) == {"A": "new", "B": "new"}
    assert again["A"]["run_id"] != first["A"]["run_id"]
    assert read_json(data / "track" / "A.manifest.json")["run_id"] == again["A"]["run_id"]


def test_other_responses_of_one_system_leave_the_others_run_alone(
    stored: Path, client: Look
) -> None:
    data = folder(stored)
    log(data)
    raw = stored / "set" / "responses.jsonl"
    raw.write_text(raw.read_text("utf-8").replace("answer of B", "other answer of B"), "utf-8")
    assert statuses(log(finish(data, stored / "set"))) == {"A": "found", "B": "new"}
    assert len(runs_of(client(stored))) == 3


def test_another_content_logs_again(stored: Path) -> None:
    data = folder(stored)
    full = log(data)
    ids = log(data, content="ids")
    assert statuses(ids) == {"A": "new", "B": "new"}
    assert statuses(log(data)) == {"A": "found", "B": "found"}
    assert log(data)["A"]["run_id"] == full["A"]["run_id"] != ids["A"]["run_id"]


def test_another_tracking_uri_logs_again(
    stored: Path, client: Look, monkeypatch: pytest.MonkeyPatch, empty_store: Path
) -> None:
    data = folder(stored)
    log(data)
    shutil.copy(empty_store, stored / "other.db")
    uri = f"sqlite:///{stored}/other.db"
    monkeypatch.setenv("MLFLOW_TRACKING_URI", uri)
    assert statuses(log(data)) == {"A": "new", "B": "new"}
    assert os.environ["MLFLOW_TRACKING_URI"] == uri
    assert len(runs_of(client(uri))) == 2
    monkeypatch.delenv("MLFLOW_TRACKING_URI")
    assert statuses(log(data)) == {"A": "found", "B": "found"}


def test_a_run_cut_short_is_replaced_with_its_traces(
    stored: Path, client: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = folder(stored)
    client(stored)
    from mlflow.exceptions import MlflowException
    from mlflow.tracing.client import TracingClient

    def die(*_: object) -> None:
        raise MlflowException("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(TracingClient, "log_spans", die)
        with pytest.raises(EndpointError, match="the disk is full"):
            log(data)
    assert not (data / "track" / "run.json").exists()
    half = runs_of(client(stored))
    assert [run.data.tags.get("complete") for run in half] == [None]
    assert statuses(log(data)) == {"A": "new", "B": "new"}
    runs = runs_of(client(stored))
    assert [run.data.tags.get("complete") for run in runs] == ["true", "true"]
    assert half[0].info.run_id not in [run.info.run_id for run in runs]
    assert len(traces_of(client(stored))) == 8


@pytest.mark.long
def test_killed_between_two_systems_the_first_is_found_and_the_second_logged(
    stored: Path, client: Look
) -> None:
    folder(stored)
    script = (
        "import os, signal\n"
        "from pipeline.adapters.trackers.mlflow import Runs\n"
        "add = Runs.add\n"
        "def dying(self, package):\n"
        "    if package.manifest['system'] == 'B':\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return add(self, package)\n"
        "Runs.add = dying\n"
    )
    assert process(stored, script).wait(timeout=120) == -signal.SIGKILL
    assert statuses(log(stored / "data")) == {"A": "found", "B": "new"}
    assert len(runs_of(client(stored))) == 2


def test_killed_while_the_store_is_made_the_next_run_makes_it(root: Path, client: Look) -> None:
    folder(root)
    script = (
        "import os, signal\n"
        "from sqlalchemy import event\n"
        "from sqlalchemy.engine import Engine\n"
        "def dying(connection, cursor, statement, *_):\n"
        "    if statement.lstrip().startswith('CREATE TABLE model_version'):\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "event.listen(Engine, 'before_cursor_execute', dying)\n"
    )
    assert process(root, script).wait(timeout=120) == -signal.SIGKILL
    assert statuses(log(root / "data")) == {"A": "new", "B": "new"}
    assert len(runs_of(client(root))) == 2
    assert not list(root.glob(".mlflow.db.*"))


@pytest.mark.long
def test_two_that_start_on_a_fresh_store_at_once_both_succeed(root: Path, client: Look) -> None:
    folder(root)
    shutil.copytree(root / "data", root / "twin" / "data")
    both = [process(root), process(root, f"import os; os.chdir({str(root / 'twin')!r})\n")]
    said = [one.communicate(timeout=300) for one in both]
    assert [one.returncode for one in both] == [0, 0], said
    assert len(runs_of(client(root))) == 2  # the same results, so the same runs
    assert len(traces_of(client(root))) == 8


def test_mlflow_says_nothing_and_is_not_imported_where_nothing_is_to_do(stored: Path) -> None:
    folder(stored)
    assert process(stored).communicate(timeout=120) == ("", "")
    seen = "import sys; print([name for name in sys.modules if name.startswith('mlflow')])"
    assert process(stored, after=seen).communicate(timeout=120) == ("[]\n", "")
    shutil.rmtree(stored / "data" / "track")
    assert process(stored, after=seen).communicate(timeout=120) == ("[]\n", "")


@pytest.mark.parametrize("uri", ["http://me:hunter2@127.0.0.1:9", "sqlite:///set/questions.jsonl"])
def test_a_store_that_is_down_is_one_line_soon_and_loses_nothing(
    stored: Path, uri: str, capfd: pytest.CaptureFixture[str]
) -> None:
    data = folder(stored)
    start = time.monotonic()
    with pytest.raises(EndpointError) as refused:
        log(data, uri=uri)
    assert time.monotonic() - start < 60
    assert "\n" not in str(refused.value)
    assert "hunter2" not in str(refused.value)
    assert capfd.readouterr() == ("", "")
    assert (data / "track" / "A.manifest.json").is_file()
    assert "hunter2" not in (data / "track" / "A.manifest.json").read_text("utf-8")
    assert statuses(log(data)) == {"A": "new", "B": "new"}


def test_a_deleted_experiment_is_a_refusal_not_a_crash(stored: Path, client: Look) -> None:
    data = folder(stored)
    log(data)
    store = client(stored)
    store.delete_experiment(store.get_experiment_by_name("rag-assay").experiment_id)
    with pytest.raises(EndpointError, match="deleted"):
        log(data)


def test_above_the_limit_a_fixed_sample_is_traced_and_the_table_holds_all(
    stored: Path, client: Look
) -> None:
    run_id = log(folder(stored, 12), traces=3)["A"]["run_id"]
    store = client(stored)
    assert len(traces_of(store, run_id)) == 3
    assert len(table_of(store, run_id, stored)) == 12


def test_without_traces_there_are_none(stored: Path, client: Look) -> None:
    run_id = log(folder(stored), traces=0)["A"]["run_id"]
    assert traces_of(client(stored), run_id) == []
