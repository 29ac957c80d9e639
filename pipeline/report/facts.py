"""Facts of one side or of all: its questions, cutoff, populations, repeats, leaks, means.

Each is over the questions that are compared, which may be fewer than a side was asked.
"""

from collections.abc import Sequence
from typing import Any

import polars as pl

from pipeline.contract.files import read_json
from pipeline.contract.results import Aggregates, Judged, PerQuestion, Ranked, present
from pipeline.contract.sides import Side
from pipeline.contract.spelling import clean
from pipeline.contract.tables import Questions, Table, read
from pipeline.contract.words import Cut, cut
from pipeline.scoring.aggregates import aggregate, over_cutoffs

Rows = list[dict[str, Any]]
"""Rows of Questions that are compared."""


def compared(side: Side, deltas: pl.DataFrame) -> Rows:
    """Rows of Questions that are compared, as they stand in the questions' file."""
    questions = read(side.folder / "freeze", Questions).sort("line", "question_id")
    if deltas.is_empty():
        return questions.to_dicts()
    return questions.join(deltas, on="question_id", how="semi", maintain_order="left").to_dicts()


def cutoff_of(sides: Sequence[Side], questions: Rows) -> Cut:
    """The cutoff of all sides, or k where they or their questions differ in it."""
    return cut(pl.concat([_own(side, PerQuestion, questions).select("cutoff") for side in sides]))


def leaks(side: Side, questions: Rows) -> list[tuple[str, list[str]]]:
    """Documents that a side shows to somebody who may not read them, by question."""
    shown = _own(side, PerQuestion, questions).filter(pl.col("leaks").list.len() > 0)
    by: dict[str, set[str]] = {}
    for question, docs in shown.select("question_id", "leaks").iter_rows():
        by.setdefault(question, set()).update(docs)
    return [(clean(name), sorted(map(clean, docs))) for name, docs in sorted(by.items())]


def populations(side: Side, questions: Rows) -> dict[str, int]:
    """How many of the compared questions are answerable, unanswerable and so on."""
    values = _own(side, PerQuestion, questions)
    counted = values.group_by("population").agg(pl.col("question_id").n_unique())
    return dict(sorted(counted.iter_rows()))


def repeats(side: Side) -> int:
    """How often each question was asked."""
    return read(side.folder / "score", PerQuestion).filter(system=side.system)["repeat"].n_unique()


def aggregates(side: Side, questions: Rows) -> pl.DataFrame:
    """Aggregates of a side, as the stage `score` makes them, over the compared questions."""
    values, ruled = (_own(side, table, questions) for table in (PerQuestion, Judged))
    settings = read_json(side.folder / "score" / "settings.json")
    bounded = settings["rubric"]["unresolved"] != "exclude"
    unsliced = pl.Series([[]] * len(questions), dtype=Questions.schema["attributes"])
    parts = [aggregate(values, unsliced, bounded=bounded)]
    if metrics := present(ruled):
        parts.append(aggregate(ruled, unsliced, bounded=bounded, metrics=metrics))
    if settings.get("cutoffs"):
        parts += over_cutoffs(_own(side, Ranked, questions), unsliced, bounded=bounded)
    return pl.concat(parts).sort(Aggregates.key)


def _own(side: Side, table: Table, questions: Rows) -> pl.DataFrame:
    """A side's own rows of the compared questions, in order of the table's key."""
    rows = read(side.folder / "score", table).filter(system=side.system)
    ids = pl.Series([row["question_id"] for row in questions], dtype=pl.String)
    return rows.filter(pl.col("question_id").is_in(ids.implode())).sort(table.key)
