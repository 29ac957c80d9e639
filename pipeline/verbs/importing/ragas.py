"""Samples of Ragas: `EvaluationDataset.to_jsonl` and `to_csv`, by new names and by old.

Source: src/ragas/dataset_schema.py of github.com/explodinggradients/ragas.
"""

from pathlib import Path
from typing import Any

from pipeline.contract.errors import Fault
from pipeline.contract.records import Collection
from pipeline.verbs.importing.values import Numbered, WrongError, cells, objects, text, texts
from pipeline.verbs.recording.rows import Item, Row

QUESTION = ("user_input", "question")
CONTEXTS = ("retrieved_contexts", "contexts")
ANSWER = ("response", "answer")
IDS = "retrieved_context_ids"


def read(path: Path, collection: Collection) -> list[Row]:
    """Read a file; faults go to the collection."""
    rows: Numbered = (
        cells(path, (), collection) if path.suffix.lower() == ".csv" else objects(path, collection)
    )
    found = []
    for number, value in rows:
        try:
            found.append(_row(value, str(path), number))
        except WrongError as error:
            fault = Fault(str(path), number, None, error.expected, error.got)
            collection.faults.append(fault)
    return found


def _row(value: dict[str, Any], file: str, number: int) -> Row:
    question, contexts, answer = (_name(value, names) for names in (QUESTION, CONTEXTS, ANSWER))
    if isinstance(value.get(question), list):
        raise WrongError("a sample of one turn", f"several turns in {question}")
    words, ids = texts(value.get(contexts), contexts), texts(_plain(value.get(IDS)), IDS)
    if words is None and ids is None:
        raise WrongError(f"a list of texts in {CONTEXTS[0]} or {CONTEXTS[1]}", "none")
    if words is not None and ids is not None and len(words) != len(ids):
        raise WrongError(f"as many {IDS} as {contexts}, {len(words)}", f"{len(ids)}")
    count = len(words if words is not None else ids or ())
    return Row(
        file,
        number,
        question_id=text(value.get("question_id"), "question_id"),
        question=text(value.get(question), question),
        items=tuple(
            Item(ids[at] if ids else None, words[at] if words else None) for at in range(count)
        ),
        answer=text(value.get(answer), answer),
    )


def _name(value: dict[str, Any], names: tuple[str, str]) -> str:
    """Which of two names the row has; the new one where it has neither."""
    return names[1] if names[1] in value and names[0] not in value else names[0]


def _plain(ids: Any) -> Any:
    """Ids that are whole numbers as they are written."""
    if not isinstance(ids, list):
        return ids
    return [str(one) if type(one) is int else one for one in ids]
