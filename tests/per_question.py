"""Rows of PerQuestion made by hand."""

from typing import Any

import polars as pl

from pipeline.contract.metrics import METRICS, SPANS
from pipeline.contract.results import PerQuestion
from pipeline.contract.tables import check


def answered(system: str, question_id: str, repeat: int = 1, **given: Any) -> dict[str, Any]:
    """One row: an answerable question, right in everything, but for what is given.

    A metric given as text is n/a for that reason.
    """
    population = given.pop("population", "answerable")
    row: dict[str, Any] = dict.fromkeys(PerQuestion.columns, 1) | {
        "system": system, "repeat": repeat, "question": 0, "question_id": question_id,
        "population": population, "status": "ok", "cutoff": 2, "causes": [], "leaks": [],
    }  # fmt: skip
    for metric in METRICS:
        right: float | str = 1.0 if metric.better == "higher" else 0.0
        if metric.population != population and metric.name != "support":
            right = population  # which is then the reason
        if metric in SPANS and metric.name not in given and population == "answerable":
            right = "not_labelled"  # nobody has marked spans
        value = given.pop(metric.name, right)
        reason = value if isinstance(value, str) else None
        row |= {metric.name: None if reason else value, f"{metric.name}_reason": reason}
        row |= {f"{metric.name}_low": None, f"{metric.name}_high": None}
    return row | given


def failed(system: str, question_id: str, repeat: int = 1, **given: Any) -> dict[str, Any]:
    """One row: the system gave no answer and no ranking."""
    names = ("precision", "recall", "reciprocal_rank", "support", "coverage", "false_abstention")
    lost = dict.fromkeys(names, "failed")
    counts = {"status": "failed", "hits": None, "claims": None, "supported": None}
    return answered(system, question_id, repeat, **(lost | counts | {"causes": ["failed"]} | given))


def per_question(*rows: dict[str, Any]) -> pl.DataFrame:
    """Rows -> PerQuestion in order of its key, questions coded by their order."""
    ids = sorted({row["question_id"] for row in rows})
    coded = [row | {"question": ids.index(row["question_id"])} for row in rows]
    frame = pl.DataFrame(coded, schema_overrides=PerQuestion.schema)
    return check(PerQuestion, frame).sort(PerQuestion.key)
