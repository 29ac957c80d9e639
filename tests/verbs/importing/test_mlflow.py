"""Traces of MLflow: as their JSON, and read from a store."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.trackers.quiet import quiet
from tests.verbs.importing.conftest import BOATS, HOURS, Import
from tests.verbs.recording.live import responses

OPEN = "When does the café open?"
PRICE = "What does a boat cost?"


def span(name: str, kind: str, inputs: Any, outputs: Any, **changed: Any) -> dict[str, Any]:
    return {
        "name": name,
        "span_id": name,
        "parent_span_id": None,
        "start_time_unix_nano": 1_000_000_000,
        "end_time_unix_nano": 1_500_000_000,
        "status": {"code": "STATUS_CODE_OK", "message": ""},
        "attributes": {
            "mlflow.spanType": json.dumps(kind),
            "mlflow.spanInputs": json.dumps(inputs),
            "mlflow.spanOutputs": json.dumps(outputs),
        },
        **changed,
    }


def trace(question: Any, documents: Any, answer: Any, **info: Any) -> dict[str, Any]:
    spans = [
        span("rag", "CHAIN", question, answer),
        span("find", "RETRIEVER", {"q": 1}, documents, parent_span_id="rag"),
    ]
    return {"info": {"trace_id": "tr-1", **info}, "data": {"spans": spans}}


def document(text: str, named: str | None = None, **metadata: Any) -> dict[str, Any]:
    return {"page_content": text, "metadata": metadata, "id": named}


GOOD = [
    trace({"question": OPEN, "k": 2}, [document(HOURS), document("nine coins")], "At eight."),
    trace(
        PRICE,
        [document("x", "boats"), document("y", doc_id=3, doc_uri="hours")],
        {"answer": "Nine."},
    ),
]


@pytest.mark.parametrize("shape", ["list", "lines", "traces"])
def test_traces_are_records(set_: Path, take: Import, tmp_path: Path, shape: str) -> None:
    path = tmp_path / ("x.jsonl" if shape == "lines" else "x.json")
    made = {"list": json.dumps(GOOD), "traces": json.dumps({"traces": GOOD})}
    path.write_text(made.get(shape, "".join(json.dumps(one) + "\n" for one in GOOD)), "utf-8")
    assert take("mlflow", path) == 0
    assert [(r["question_id"], r["retrieved"], r["answer"]) for r in responses(set_)] == [
        ("open", ["hours", "boats"], "At eight."),
        ("price", ["boats", "hours"], "Nine."),
    ]
    assert [row["latency_s"] for row in responses(set_)] == [0.5, 0.5]


def test_a_trace_that_ended_in_an_error_is_a_failed_response(
    set_: Path, take: Import, tmp_path: Path
) -> None:
    failed = trace(OPEN, [document(HOURS)], None)
    failed["data"]["spans"][0]["status"] = {"code": "STATUS_CODE_ERROR", "message": "timed\nout"}
    early = trace(PRICE, [], None)
    early["data"]["spans"] = [{**failed["data"]["spans"][0]}]
    early["data"]["spans"][0]["attributes"] = {"mlflow.spanInputs": json.dumps(PRICE)}
    (tmp_path / "x.json").write_text(json.dumps([failed, early]), "utf-8")
    assert take("mlflow", tmp_path / "x.json") == 0
    first, second = responses(set_)
    assert (first["status"], first["error"], first["retrieved"]) == (
        "failed",
        "timed out",
        ["hours"],
    )
    assert "retrieved" not in second


def test_a_tag_may_name_the_question(set_: Path, take: Import, tmp_path: Path) -> None:
    named = trace({"messages": "a", "x": "b"}, [document(HOURS)], "a", tags={"question_id": "open"})
    named["data"]["spans"][0]["attributes"]["mlflow.spanInputs"] = json.dumps(OPEN)
    (tmp_path / "x.json").write_text(json.dumps(named), "utf-8")
    assert take("mlflow", tmp_path / "x.json") == 0
    assert responses(set_)[0]["question_id"] == "open"


def test_of_several_retrievers_one_is_named_and_the_outermost_counts(
    set_: Path, take: Import, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = trace(OPEN, [document(HOURS)], "a")
    inner = span("part", "RETRIEVER", 1, [document(BOATS)], parent_span_id="find")
    made["data"]["spans"].append(inner)
    (tmp_path / "x.json").write_text(json.dumps([made]), "utf-8")
    assert take("mlflow", tmp_path / "x.json") == 0
    assert responses(set_)[0]["retrieved"] == ["hours"]
    inner["parent_span_id"] = "rag"
    (tmp_path / "x.json").write_text(json.dumps([made]), "utf-8")
    assert take("mlflow", tmp_path / "x.json", "--replace") == 3
    assert "one span of type RETRIEVER (--retriever names the one" in capsys.readouterr().err
    assert take("mlflow", tmp_path / "x.json", "--replace", "--retriever", "part") == 0
    assert responses(set_)[0]["retrieved"] == ["boats"]


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ([7], "x.json:1: expected a trace with data.spans"),
        ([{"data": {"spans": []}}], "expected one root span in a trace, got 0"),
        ([trace({"a": "x", "b": "y"}, [], "a")], "expected text in the inputs of the root"),
        ([trace(OPEN, "x", "a")], "expected a list of documents as outputs of the RETRIEVER"),
        ([trace(OPEN, ["x"], "a")], "expected a document in the RETRIEVER's outputs[0]"),
        ([trace(OPEN, [document(HOURS)], {"x": 1})], "expected text in the outputs of the root"),
        ([], "expected outputs of a system, got none"),
    ],
)
def test_what_does_not_fit_is_refused(
    take: Import, tmp_path: Path, capsys: pytest.CaptureFixture[str], value: Any, fault: str
) -> None:
    (tmp_path / "x.json").write_text(json.dumps(value), "utf-8")
    assert take("mlflow", tmp_path / "x.json") == 3
    assert fault in capsys.readouterr().err


@pytest.mark.slow
def test_traces_are_read_from_a_store(
    set_: Path, take: Import, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uri = f"sqlite:///{tmp_path / 'mlflow.db'}"
    with quiet(tmp_path / "artifacts"):
        import mlflow
        from mlflow.entities import Document

        mlflow.set_tracking_uri(uri)
        mlflow.set_experiment("mine")
        for question, text in ((OPEN, HOURS), (PRICE, "nine coins")):
            with mlflow.start_span("rag", span_type="CHAIN") as root:
                root.set_inputs({"question": question})
                with mlflow.start_span("find", span_type="RETRIEVER") as found:
                    found.set_outputs([Document(page_content=text)])
                root.set_outputs("so it is")
        mlflow.flush_trace_async_logging()
    assert take("mlflow", uri, "--experiment", "mine") == 0
    assert [(row["question_id"], row["retrieved"]) for row in responses(set_)] == [
        ("open", ["hours"]),
        ("price", ["boats"]),
    ]
    assert take("mlflow", uri, "--experiment", "other", "--replace") == 3
    assert "--experiment: expected one of" in capsys.readouterr().err
    assert take("mlflow", "http://127.0.0.1:9", "--experiment", "mine", "--replace") == 4
