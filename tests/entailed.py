"""Results in RAGChecker's layout, made small, and what its definitions give for them."""

import json
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.contract.tables import Verdicts

LABELS = {"E": "Entailment", "N": "Neutral", "C": "Contradiction"}


def result(
    query_id: str,
    precise: str = "EN",
    recalled: str = "EE",
    held: tuple[str, ...] = ("E", "N"),
    expected: tuple[str, ...] = ("E", "N"),
    **fields: Any,
) -> dict[str, Any]:
    """One result, by default two claims on each side and one passage.

    Args:
        query_id: its name.
        precise: for each claim of the answer E, N or C: what the reference says of it.
        recalled: for each claim of the reference what the answer says of it.
        held: for each claim of the answer a letter for each passage.
        expected: for each claim of the reference a letter for each passage.
        fields: what else is in it.
    """
    passages = len((*held, *expected, "")[0])
    return {
        "query_id": query_id,
        "query": f"What of {query_id}?",
        "gt_answer": "It is so.",
        "response": "It is.",
        "retrieved_context": [
            {"doc_id": f"{at:03}", "text": f"Passage {at} on {query_id}."} for at in range(passages)
        ],
        "response_claims": [["it", "is", str(at)] for at in range(len(precise))],
        "gt_answer_claims": [["so", "is", str(at)] for at in range(len(recalled))],
        "answer2response": [LABELS[letter] for letter in precise],
        "response2answer": [LABELS[letter] for letter in recalled],
        "retrieved2response": [[LABELS[letter] for letter in row] for row in held],
        "retrieved2answer": [[LABELS[letter] for letter in row] for row in expected],
        "metrics": {},
        **fields,
    }


def written(folder: Path, *results: Any, **fields: Any) -> Path:
    """Write results as a file of RAGChecker's."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "checked.json"
    path.write_text(json.dumps({"results": list(results), "metrics": {}, **fields}))
    return path


def table(found: dict[str, Any], question: int = 0, system: str = "A") -> pl.DataFrame:
    """The labels of a result as Verdicts, built apart from the adapter."""
    rows: list[tuple[Any, ...]] = []
    for whole, one, labels, matrix in (
        ("answer_to_reference", "answer_to_passage", "answer2response", "retrieved2response"),
        ("reference_to_answer", "reference_to_passage", "response2answer", "retrieved2answer"),
    ):
        rows.append((whole, None, None, None))
        rows += [(whole, item, None, label) for item, label in enumerate(found[labels])]
        rows += [
            (one, item, against, label)
            for item, row in enumerate(found[matrix])
            for against, label in enumerate(row)
        ]
    return pl.DataFrame(
        [(system, 1, question, *row, *[None] * 4) for row in rows],
        schema=Verdicts.schema,
        orient="row",
    ).sort(Verdicts.key)


def oracle(found: dict[str, Any]) -> dict[str, float | None]:
    """The eleven measures by plain loops over the definitions; None is n/a."""
    yes = "Entailment"
    answer, reference = found["answer2response"], found["response2answer"]
    held, expected = found["retrieved2response"], found["retrieved2answer"]
    passages = range(len(found["retrieved_context"]))
    relevant = {p for p in passages if any(row[p] == yes for row in expected)}
    wrong = [i for i, label in enumerate(answer) if label != yes]
    right = [i for i, label in enumerate(answer) if label == yes]
    by = [{p for p in passages if row[p] == yes} for row in held]
    recalled = [i for i, row in enumerate(expected) if yes in row]

    def share(count: int, whole: int) -> float | None:
        return count / whole if whole else None

    n, m = len(answer), len(reference)
    precision, recall = share(len(right), n), share(reference.count(yes), m)
    f1 = None
    if precision is not None and recall is not None:
        f1 = 2 * precision * recall / (precision + recall) if precision and recall else 0.0
    return {
        "entailment_precision": precision,
        "entailment_recall": recall,
        "entailment_f1": f1,
        "claim_recall": share(len(recalled), m),
        "context_precision": (len(relevant) / len(passages) if passages else 0.0) if m else None,
        "context_utilization": share(sum(reference[i] == yes for i in recalled), len(recalled)),
        "noise_sensitivity_in_relevant": share(sum(bool(by[i] & relevant) for i in wrong), n)
        if m
        else None,
        "noise_sensitivity_in_irrelevant": share(
            sum(bool(by[i]) and not by[i] & relevant for i in wrong), n
        )
        if m
        else None,
        "hallucination": share(sum(not by[i] for i in wrong), n),
        "self_knowledge": share(sum(not by[i] for i in right), n),
        "faithfulness": share(sum(map(bool, by)), n),
    }
