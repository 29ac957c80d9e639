"""Traces of MLflow as outputs: the question at the root, a RETRIEVER span, the answer.

Source: mlflow.entities.Trace.to_dict and Document of MLflow 3.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipeline.adapters.trackers.recorded import traces
from pipeline.contract.errors import Fault
from pipeline.contract.records import Collection
from pipeline.verbs.importing.spans import attribute, latency, parent, retrievers, spans
from pipeline.verbs.importing.values import WrongError, document, objects, text
from pipeline.verbs.recording.rows import Item, Row

NAMED = ("doc_id", "doc_uri")
"""Keys of a document's metadata that name it, where it has no id."""
ASKED = ("question", "query", "user_input", "input", "inputs", "prompt", "q")
ANSWERED = ("answer", "response", "output", "outputs", "text", "result")
"""Keys under which inputs and outputs that are no text hold it."""


def read(path: Path, retriever: str | None, collection: Collection) -> list[Row]:
    """Read a file: a list of traces, one of them, or one a line; a fault names its row."""
    return _rows(_values(path, collection), str(path), retriever, collection)


def logged(uri: str, experiment: str, retriever: str | None, collection: Collection) -> list[Row]:
    """Read the traces of an experiment.

    Raises:
        ConfigError: there is no such experiment.
        EndpointError: the store does not answer.
    """
    found = enumerate(traces(uri, experiment), 1)
    return _rows(found, experiment, retriever, collection)


def _values(path: Path, collection: Collection) -> Iterator[tuple[int, Any]]:
    if path.suffix.lower() == ".jsonl":
        yield from objects(path, collection)
        return
    value = document(path, collection)
    if isinstance(value, dict):
        value = value["traces"] if isinstance(value.get("traces"), list) else [value]
    yield from enumerate(value or [], 1)


def _rows(
    values: Iterator[tuple[int, Any]], file: str, retriever: str | None, collection: Collection
) -> list[Row]:
    found = []
    for number, value in values:
        try:
            found.append(_row(value, file, number, retriever))
        except WrongError as error:
            collection.faults.append(Fault(file, number, None, error.expected, error.got))
    return found


def _row(value: Any, file: str, number: int, retriever: str | None) -> Row:
    found = spans(value)
    roots = [span for span in found if not parent(span)]
    if len(roots) != 1:
        raise WrongError("one root span in a trace", f"{len(roots)}")
    failed = "ERROR" in str((roots[0].get("status") or {}).get("code", ""))
    ranked = retrievers(found, retriever)
    if len(ranked) != 1 and not (failed and not ranked):
        hint = " (--retriever names the one that counts)" if ranked else ""
        raise WrongError(f"one span of type RETRIEVER{hint}", f"{len(ranked)}")
    message = str((roots[0].get("status") or {}).get("message") or "")
    return Row(
        file,
        number,
        question_id=_question_id(value),
        question=_words(attribute(roots[0], "mlflow.spanInputs"), ASKED, "inputs of the root"),
        items=tuple(_items(attribute(ranked[0], "mlflow.spanOutputs"))) if ranked else None,
        answer=None
        if failed
        else _words(attribute(roots[0], "mlflow.spanOutputs"), ANSWERED, "outputs of the root"),
        error=(" ".join(message.split())[:300] or "its trace says ERROR") if failed else None,
        latency_s=latency(roots[0]),
    )


def _question_id(value: Any) -> str | None:
    info = value.get("info") if isinstance(value, dict) else None
    for part in ("tags", "trace_metadata"):
        held = info.get(part) if isinstance(info, dict) else None
        if isinstance(held, dict) and isinstance(held.get("question_id"), str):
            return str(held["question_id"])
    return None


def _words(value: Any, names: tuple[str, ...], where: str) -> str:
    """A text, or what an object holds under a known name, or its only text."""
    if isinstance(value, dict):
        known = [value[name] for name in names if isinstance(value.get(name), str)]
        only = [one for one in value.values() if isinstance(one, str)]
        value = known[0] if known else only[0] if len(only) == 1 else None
    if isinstance(value, str):
        return value
    raise WrongError(f"text in the {where}, or an object with {', '.join(names[:3])}", "none")


def _items(outputs: Any) -> Iterator[Item]:
    if not isinstance(outputs, list):
        raise WrongError("a list of documents as outputs of the RETRIEVER", "something else")
    for at, one in enumerate(outputs):
        if not isinstance(one, dict):
            raise WrongError(f"a document in the RETRIEVER's outputs[{at}]", "something else")
        metadata = one.get("metadata")
        named = one.get("id")
        if named is None and isinstance(metadata, dict):
            named = next(
                (metadata[key] for key in NAMED if isinstance(metadata.get(key), str)), None
            )
        yield Item(
            text(named, f"outputs[{at}].id"),
            text(one.get("page_content"), f"outputs[{at}].page_content"),
        )
