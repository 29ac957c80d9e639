"""Traces as the JSON that MLflow reads spans from: a question, its retrieval, its answer."""

import json
from hashlib import sha256
from typing import Any

from pipeline.adapters.trackers.traces import Trace

PREVIEW = 1000
"""Characters of request and response that lists of traces show."""


def trace_id(run_id: str, trace: Trace) -> str:
    """Id of the trace of one response in one run."""
    return f"tr-{_digest(run_id, trace.question_id, trace.repeat)[:32]}"


def spans(run_id: str, trace: Trace, start: int) -> list[dict[str, Any]]:
    """The root span and below it one that retrieved and one that answered.

    Args:
        run_id: the run that the trace belongs to.
        trace: the trace.
        start: nanoseconds since 1970; the recorded latency, if any, is added for the end.
    """
    ids = [_digest(run_id, trace.question_id, trace.repeat, n)[:16] for n in range(3)]
    asked = {"question": trace.request, "context": [shown["id"] for shown in trace.documents]}
    answered = {"answer": trace.response, "claims": trace.claims}
    parts = (
        ("question", "CHAIN", trace.request, trace.response, None),
        ("retrieve", "RETRIEVER", trace.request, trace.documents, ids[0]),
        ("answer", "LLM", asked, answered, ids[0]),
    )
    found: list[dict[str, Any]] = []
    for id_, (name, kind, inputs, outputs, parent) in zip(ids, parts, strict=True):
        attributes = {
            "mlflow.traceRequestId": trace_id(run_id, trace),
            "mlflow.spanType": kind,
            "mlflow.spanInputs": inputs,
            "mlflow.spanOutputs": outputs,
        }
        if name == "answer" and (tokens := _tokens(trace)):
            attributes["mlflow.chat.tokenUsage"] = tokens
        failed = trace.failed and name != "retrieve"
        found.append(
            {
                "trace_id": trace_id(run_id, trace),
                "span_id": id_,
                "parent_span_id": parent,
                "name": name,
                "start_time_unix_nano": start,
                "end_time_unix_nano": start + (0 if name == "retrieve" else nanoseconds(trace)),
                "status": {"code": "ERROR" if failed else "OK", "message": ""},
                "attributes": {key: text(value) for key, value in attributes.items()},
                "events": [],
            }
        )
    return found


def summary(run_id: str, trace: Trace, start: int) -> dict[str, Any]:
    """What lists of traces show of one, named as MLflow's TraceInfo names it."""
    return {
        "trace_id": trace_id(run_id, trace),
        "request_time": start // 1_000_000,
        "execution_duration": nanoseconds(trace) // 1_000_000 or None,
        "request_preview": trace.request[:PREVIEW],
        "response_preview": trace.response[:PREVIEW],
        "trace_metadata": {"mlflow.sourceRun": run_id, "mlflow.trace_schema.version": "3"},
        "tags": {"mlflow.traceName": trace.question_id, **trace.tags},
    }


def nanoseconds(trace: Trace) -> int:
    """Recorded latency of the response; 0 where there is none."""
    return round((trace.usage["latency_s"] or 0) * 1e9)


def text(value: Any) -> str:
    """JSON as people read it."""
    return json.dumps(value, ensure_ascii=False)


def _tokens(trace: Trace) -> dict[str, int]:
    spent = {name: trace.usage[name] for name in ("input_tokens", "output_tokens")}
    if None in spent.values():
        return {}
    return {**spent, "total_tokens": sum(spent.values())}


def _digest(*parts: object) -> str:
    return sha256(text(parts).encode()).hexdigest()
