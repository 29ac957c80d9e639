"""Spans of a trace as MLflow writes them: attributes are JSON in texts."""

import json
from typing import Any

from pipeline.verbs.importing.values import WrongError

Span = dict[str, Any]


def spans(value: Any) -> list[Span]:
    """The spans of a trace.

    Raises:
        WrongError: it is none.
    """
    data = value.get("data", value) if isinstance(value, dict) else None
    found = data.get("spans") if isinstance(data, dict) else None
    if not isinstance(found, list) or not all(isinstance(span, dict) for span in found):
        raise WrongError("a trace with data.spans", "something else")
    return found


def parent(span: Span) -> Any:
    """The id of the span that it is a part of; nothing for a root."""
    return span.get("parent_span_id") or span.get("parent_id")


def attribute(span: Span, name: str) -> Any:
    """An attribute, which the trace keeps as JSON in a text."""
    attributes = span.get("attributes")
    value = attributes.get(name) if isinstance(attributes, dict) else None
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def retrievers(of: list[Span], name: str | None) -> list[Span]:
    """RETRIEVER spans of that name; of any name those that are no part of another one."""
    found = [span for span in of if attribute(span, "mlflow.spanType") == "RETRIEVER"]
    if name is not None:
        return [span for span in found if span.get("name") == name]
    ids = {span.get("span_id") for span in found}
    return [span for span in found if parent(span) not in ids]


def latency(root: Span) -> float | None:
    """Seconds from its start to its end; None: it does not say."""
    try:
        return (int(root["end_time_unix_nano"]) - int(root["start_time_unix_nano"])) / 1e9
    except (KeyError, TypeError, ValueError):
        return None
