"""Scores as arrays -> the table that people read: names for codes, nulls for n/a."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from pipeline.contract.metrics import METRICS, REASONS
from pipeline.contract.results import PerQuestion
from pipeline.contract.tables import check
from pipeline.scoring import causes, leaks
from pipeline.scoring.arrays import Ints
from pipeline.scoring.frozen import Tables
from pipeline.scoring.gold import POPULATIONS, UNANSWERABLE
from pipeline.scoring.reasons import VALUE

STATUSES = ("ok", "failed", "judge_failed")
OK, FAILED, JUDGE_FAILED = range(3)

COUNTS = (
    "cutoff", "context_length", "hits", "reached", "relevant", "claims", "supported", "expected",
)  # fmt: skip


def sheet(
    tables: Tables,
    columns: dict[str, Any],
    leaking: tuple[Ints, Ints],
    *,
    bounded: bool,
) -> pl.DataFrame:
    """Make PerQuestion of arrays with one entry a response.

    Args:
        tables: the frozen tables, for keys and ids.
        columns: for each metric its value, of no meaning where there is a reason; the code
            of the reason; its bounds, NaN for none, unless nothing is in dispute. Codes of
            population and status, counts with -1 for null, causes as marks.
        leaking: responses and documents, from `leaks.leaks`.
        bounded: whether bounds are shown.
    """
    response, doc = leaking
    columns["causes"][response] |= causes.marks({"leak": np.array([True])})
    named: list[pl.Expr | pl.Series] = [
        pl.lit(tables.questions["question_id"]).gather(pl.col("question")),
        _named("population", POPULATIONS, columns["population"]),
        _named("status", STATUSES, columns["status"]),
        causes.names(columns["causes"]),
        leaks.names(len(tables.ranking), response, doc, tables.documents["doc_id"]),
    ]
    numbers = pl.DataFrame({name: columns[name] for name in COUNTS}).select(
        pl.when(pl.col(name) >= 0).then(name).cast(PerQuestion.schema[name]) for name in COUNTS
    )
    metrics = [column for m in METRICS for column in _metric(columns, m.name, bounded)]
    key = tables.ranking.select("system", "repeat", "question")
    return check(
        PerQuestion,
        key.with_columns(*named, *numbers, *metrics),
    )


def _named(column: str, names: Sequence[str | None], codes: Any) -> pl.Expr:
    """Codes -> their names, as an expression, so that columns are made side by side."""
    return pl.lit(pl.Series(column, names)).gather(pl.lit(pl.Series(codes)))


def _unmarked(population: Any) -> pl.Expr:
    """Why a metric of spans is n/a where nobody has marked any."""
    reasons = ["not_labelled"] * len(POPULATIONS)
    reasons[UNANSWERABLE] = "unanswerable"
    return _named("reason", reasons, population)


def _metric(columns: dict[str, Any], name: str, bounded: bool) -> list[pl.Expr | pl.Series]:
    """Value, reason and bounds of a metric; one without columns is labelled nowhere."""
    if name not in columns:
        nothing = [pl.lit(None, pl.Float64).alias(f"{name}{end}") for end in ("", "_low", "_high")]
        return [*nothing, _unmarked(columns["population"]).alias(f"{name}_reason")]
    reason = pl.Series(columns[f"{name}_reason"])
    shown: list[pl.Expr | pl.Series] = [
        pl.when(reason == VALUE).then(pl.Series(columns[name])).alias(name),
        _named(f"{name}_reason", (*REASONS, None), reason),
    ]
    for end in (f"{name}_low", f"{name}_high"):
        if bounded and end in columns:
            shown.append(pl.Series(end, columns[end], nan_to_null=True))
        else:
            shown.append(pl.lit(None, pl.Float64).alias(end))
    return shown
