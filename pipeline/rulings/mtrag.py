"""Human evaluations in the shape of MT-RAG's: answers of several models, rated by people.

Metrics that the file calls human are the rulings of people. The others are numbers of
programs; one that is asked for as a judge stands beside every human metric. An item is a
task with a model: `TASK MODEL`.

Source: Katsis et al. 2025, "MTRAG: A Multi-Turn Conversational Benchmark for Evaluating
Retrieval-Augmented Generation Systems", arXiv 2501.03468.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pipeline.contract.errors import Fault
from pipeline.rulings.records import Ruling, Rulings, spelled

SHAPE = "an object with the lists metrics, tasks and evaluations, as MT-RAG's"
ATTRIBUTES = {
    "Answerability": "answerability",
    "Question Type": "question_type",
    "Multi-Turn": "multi_turn",
    "Turn": "turn",
    "Collection": "collection",
}


def read(path: Path, found: Rulings, judges: Sequence[str]) -> None:
    """Add the rulings of a file.

    Args:
        path: a JSON file.
        found: takes rulings, items and faults.
        judges: names of metrics of programs that are wanted as judges.
    """
    name = str(path)
    try:
        value = json.loads(path.read_text("utf-8-sig"))
        human = [one["name"] for one in value["metrics"] if one["author"] == "human"]
        tasks = {task["task_id"]: _attributes(task) for task in value["tasks"]}
        evaluations = value["evaluations"]
    except (ValueError, KeyError, TypeError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        got = f"{type(error).__name__}: {error}"
        found.faults.append(Fault(name, line, None, SHAPE, got))
        return
    for number, one in enumerate(evaluations, 1):
        try:
            _add(found, one, human, tasks, judges, name, number)
        except (KeyError, TypeError, AttributeError) as error:
            expected = f"evaluation {number} with task_id, model_id and annotations of known tasks"
            got = f"{type(error).__name__}: {error}"
            found.faults.append(Fault(name, None, None, expected, got))


def _attributes(task: dict[str, Any]) -> dict[str, str]:
    found = {}
    for field, column in ATTRIBUTES.items():
        value = task.get(field, "")
        found[column] = " + ".join(map(str, value)) if isinstance(value, list) else str(value)
    return found


def _add(
    found: Rulings,
    one: dict[str, Any],
    human: list[str],
    tasks: dict[str, dict[str, str]],
    judges: Sequence[str],
    file: str,
    line: int,
) -> None:
    item = f"{one['task_id']} {one['model_id']}"
    found.describe(item, {"model": one["model_id"], **tasks[one["task_id"]]}, file, line)
    said = one["annotations"]
    for metric in human:
        for person, rating in said.get(metric, {}).items():
            label = spelled(str(rating["value"])) or None
            found.add(Ruling(metric, item, person, label, "person", file, line))
        for judge in judges:
            for rating in list(said.get(judge, {}).values())[:1] if judge not in human else ():
                label = None if rating["value"] is None else spelled(str(rating["value"]))
                found.add(Ruling(metric, item, judge, label, "judge", file, line))
