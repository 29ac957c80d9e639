"""Inputs of RAGChecker: `results` with a question, an answer and the passages retrieved.

Source: ragchecker/container.py of github.com/amazon-science/RAGChecker.
"""

from pathlib import Path
from typing import Any

from pipeline.contract.errors import Fault
from pipeline.contract.records import Collection
from pipeline.verbs.importing.values import WrongError, document, text
from pipeline.verbs.recording.rows import Item, Row

SHAPE = "an object with a list of results"


def read(path: Path, collection: Collection) -> list[Row]:
    """Read a file; a fault names the row of `results`, from 1."""
    value = document(path, collection)
    results = value.get("results") if isinstance(value, dict) else None
    if not isinstance(results, list):
        if value is not None:
            collection.faults.append(Fault(str(path), None, None, SHAPE, "something else"))
        return []
    found = []
    for number, result in enumerate(results, 1):
        try:
            found.append(_row(result, str(path), number))
        except WrongError as error:
            fault = Fault(str(path), number, None, error.expected, error.got)
            collection.faults.append(fault)
    return found


def _row(result: Any, file: str, number: int) -> Row:
    if not isinstance(result, dict):
        raise WrongError("an object", "something else")
    context = result.get("retrieved_context")
    if not isinstance(context, list) or not all(isinstance(one, dict) for one in context):
        raise WrongError("a list of passages in retrieved_context", "something else")
    items = [
        Item(
            text(one.get("doc_id"), f"retrieved_context[{at}].doc_id"),
            text(one.get("text"), f"retrieved_context[{at}].text"),
        )
        for at, one in enumerate(context)
    ]
    return Row(
        file,
        number,
        question_id=text(result.get("query_id"), "query_id"),
        question=text(result.get("query"), "query"),
        items=tuple(items),
        answer=text(result.get("response"), "response"),
    )
