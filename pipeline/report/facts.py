"""Facts of one side or of all: its questions, cutoff, populations, repeats, leaks, means."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from pipeline.contract.results import Aggregates, PerQuestion
from pipeline.contract.sides import Side
from pipeline.contract.spelling import clean
from pipeline.contract.tables import Questions, read
from pipeline.contract.words import Cut, cut


def compared(side: Side, deltas: pl.DataFrame) -> list[dict[str, Any]]:
    """Rows of Questions that are compared, as they stand in the questions' file."""
    questions = read(side.folder / "freeze", Questions).sort("line", "question_id")
    if deltas.is_empty():
        return questions.to_dicts()
    return questions.join(deltas, on="question_id", how="semi", maintain_order="left").to_dicts()


def cutoff_of(sides: Sequence[Side]) -> Cut:
    """The cutoff of all sides, or k where they or their questions differ in it."""
    return cut(pl.concat([_values(side).select("cutoff") for side in sides]))


def leaks(side: Side) -> list[tuple[str, list[str]]]:
    """Documents that a side shows to somebody who may not read them, by question."""
    shown = _values(side).filter(pl.col("leaks").list.len() > 0)
    by: dict[str, set[str]] = {}
    for question, docs in shown.select("question_id", "leaks").iter_rows():
        by.setdefault(question, set()).update(docs)
    return [(clean(name), sorted(map(clean, docs))) for name, docs in sorted(by.items())]


def populations(side: Side, questions: list[dict[str, Any]]) -> dict[str, int]:
    """How many of the compared questions are answerable, unanswerable and so on."""
    ids = [row["question_id"] for row in questions]
    values = _values(side).filter(pl.col("question_id").is_in(ids))
    counted = values.group_by("population").agg(pl.col("question_id").n_unique())
    return dict(sorted(counted.iter_rows()))


def repeats(side: Side) -> int:
    """How often each question was asked."""
    return _values(side)["repeat"].n_unique()


def aggregates(side: Side) -> pl.DataFrame:
    """Aggregates over all questions of a side."""
    return read(side.folder / "score", Aggregates).filter(system=side.system, attribute="")


def _values(side: Side) -> pl.DataFrame:
    return read(side.folder / "score", PerQuestion).filter(system=side.system)
