"""Query results of Open RAG Eval: one row a passage, the answer in one of a question's rows.

Marks in an answer name passages by `passage_id`, `[n]`, not by rank; several in one pair of
brackets, `[1, 2]`, are as many marks. `NO_ANSWER` and `API_ERROR` are failures.

Source: open_rag_eval/rag_results_loader.py and connectors of github.com/vectara/open-rag-eval.
"""

import re
from pathlib import Path
from typing import Any

from pipeline.contract.errors import Fault
from pipeline.contract.records import Collection
from pipeline.verbs.importing.values import Numbered, WrongError, cells, objects, text
from pipeline.verbs.recording.rows import Item, Row

COLUMNS = ("query", "passage_id", "passage", "generated_answer")
NUMBER = re.compile(r"\[([0-9]+)\]")
SEVERAL = re.compile(r"\[[0-9]+(?:,\s*[0-9]+)+\]")
FAILED = ("NO_ANSWER", "API_ERROR")
NOTHING = ("NA", "ERROR")
"""Names of passages that are none."""


def read(path: Path, collection: Collection) -> list[Row]:
    """Read a file; the rows of a question and run belong together wherever they stand."""
    rows: Numbered = (
        objects(path, collection)
        if path.suffix.lower() == ".json"
        else cells(path, COLUMNS, collection)
    )
    groups: dict[tuple[str, str], list[tuple[int, dict[str, Any]]]] = {}
    for number, value in rows:
        name = str(value.get("query_id") or value.get("query") or "")
        groups.setdefault((name, str(value.get("query_run") or 1)), []).append((number, value))
    found = []
    for (_, run), group in groups.items():
        number = group[0][0]
        try:
            found.append(_row(group, run, str(path)))
        except WrongError as error:
            fault = Fault(str(path), number, None, error.expected, error.got)
            collection.faults.append(fault)
    return found


def _row(group: list[tuple[int, dict[str, Any]]], run: str, file: str) -> Row:
    number, first = group[0]
    if not run.isascii() or not run.isdigit() or int(run) < 1:
        raise WrongError("a whole number from 1 on in query_run", repr(run))
    asked = {text(value.get("query"), "query") for _, value in group}
    if len(asked) > 1:
        raise WrongError("one query in the rows of a query_id", f"{len(asked)}")
    answers = [text(value.get("generated_answer"), "generated_answer") for _, value in group]
    answer = next((one for one in answers if one), None)
    items = [
        _item(value)
        for _, value in group
        if value.get("passage_id") not in NOTHING and value.get("passage") is not None
    ]
    marks = [item.mark for item in items if item.mark is not None]
    if len(set(marks)) < len(marks):
        raise WrongError("each passage_id once in a question and run", "one twice")
    failed = answer in FAILED
    return Row(
        file,
        number,
        question_id=str(first["query_id"]) if first.get("query_id") is not None else None,
        question=asked.pop(),
        repeat=int(run),
        items=tuple(items) if items or not failed else None,
        answer=None if failed or answer is None else SEVERAL.sub(_apart, answer),
        error=answer if failed else None,
    )


def _item(value: dict[str, Any]) -> Item:
    name = str(value.get("passage_id") or "")
    number = NUMBER.fullmatch(name.strip())
    words = text(value["passage"], "passage")
    if number:
        return Item(None, words, number[1])
    return Item(name or None, words)


def _apart(found: re.Match[str]) -> str:
    return "".join(f"[{number}]" for number in re.findall(r"[0-9]+", found[0]))
