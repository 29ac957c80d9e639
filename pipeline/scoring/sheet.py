"""Scores as arrays -> the table that people read: nulls for n/a, names for codes."""

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
    """Make a table of arrays with one entry a response.

    Args:
        tables: the frozen tables, for keys and ids.
        columns: for each metric its value, of no meaning where there is a reason; the code
            of the reason; its bounds, NaN for none, unless nothing is in dispute. Codes of
            population and status, counts with -1 for null, causes as marks.
        leaking: responses and documents, from `leaks.leaks`.
        bounded: whether bounds are shown.

    Returns:
        PerQuestion, but with numbers for its reasons and populations, as `seen.coded` has.
    """
    response, doc = leaking
    columns["causes"][response] |= causes.marks({"leak": np.array([True])})
    named: list[pl.Expr | pl.Series] = [
        pl.lit(tables.questions["question_id"]).gather(pl.col("question")),
        pl.Series("population", columns["population"]),
        _named(STATUSES, columns["status"]).alias("status"),
        causes.names(columns["causes"]),
        leaks.names(len(tables.ranking), response, doc, tables.documents["doc_id"]),
    ]
    numbers = pl.DataFrame({name: columns[name] for name in COUNTS}).select(
        pl.when(pl.col(name) >= 0).then(name).cast(PerQuestion.columns[name].dtype)
        for name in COUNTS
    )
    unmarked = _unmarked(columns["population"])
    metrics = [column for m in METRICS for column in _metric(columns, m.name, unmarked, bounded)]
    key = tables.ranking.select("system", "repeat", "question")
    return key.with_columns(*named, *numbers, *metrics)


def worded(coded: pl.DataFrame) -> pl.DataFrame:
    """PerQuestion of what `sheet` makes, with names for the numbers."""
    made: dict[bytes, pl.Series] = {}  # most metrics share their reasons with others

    def reason(column: str) -> pl.Series:
        codes = coded[column].to_numpy()
        key = codes.tobytes()
        if key not in made:
            made[key] = _named((*REASONS, None), codes)
        return made[key].alias(column)

    reasons = [reason(f"{metric.name}_reason") for metric in METRICS]
    population = _named(POPULATIONS, coded["population"].to_numpy()).alias("population")
    return check(PerQuestion, coded.with_columns(population, *reasons))


def _named(names: Sequence[str | None], codes: Ints) -> pl.Series:
    """Codes -> their names."""
    return pl.Series(names, dtype=pl.String).gather(codes.astype(np.uint32))


def _unmarked(population: Ints) -> Ints:
    """Why a metric of spans is n/a where nobody has marked any."""
    reasons = REASONS.index("unanswerable"), REASONS.index("not_labelled")
    return np.where(population == UNANSWERABLE, *reasons).astype(np.int8)


def _metric(
    columns: dict[str, Any], name: str, unmarked: Ints, bounded: bool
) -> list[pl.Expr | pl.Series]:
    """Value, reason and bounds of a metric; one without columns is labelled nowhere."""
    if name not in columns:
        nothing = [pl.lit(None, pl.Float64).alias(f"{name}{end}") for end in ("", "_low", "_high")]
        return [*nothing, pl.Series(f"{name}_reason", unmarked)]
    reason = pl.Series(f"{name}_reason", columns[f"{name}_reason"])
    shown: list[pl.Expr | pl.Series] = [
        pl.when(reason == VALUE).then(pl.Series(columns[name])).alias(name),
        reason,
    ]
    for end in (f"{name}_low", f"{name}_high"):
        if bounded and end in columns:
            shown.append(pl.Series(end, columns[end], nan_to_null=True))
        else:
            shown.append(pl.lit(None, pl.Float64).alias(end))
    return shown
