"""The table of single results: one plain line for each question and system.

These lines are for people and for other programs alike: no colour, no box, no line break.
"""

import polars as pl

from pipeline.contract.metrics import BASIC, METRICS
from pipeline.contract.words import counted, cut, label, value
from pipeline.scoring.findings import WORSE
from pipeline.verbs.terminal.text import Line, clean

SHOWN = ("precision", "recall", "reciprocal_rank", "support", "coverage", "abstention")
MOST = 40
"""Lines of a table that is shown whole; of a longer one as many lines, the worst first."""


def case_lines(questions: pl.DataFrame, values: pl.DataFrame, deltas: pl.DataFrame) -> list[Line]:
    """Set the values of each response, two decimals, in the order of the questions' file.

    Args:
        questions: Questions; only the order is read.
        values: PerQuestion.
        deltas: Deltas; decide, in a long table, which questions stand first.
    """
    order = questions.sort("line", "question_id")["question_id"]
    place = pl.DataFrame({"question_id": order, "place": range(len(order))})
    rows = values.join(place, on="question_id").sort("place", "system", "repeat")
    if len(rows) <= MOST:
        return _table(rows)
    worst = worst_first(values, deltas, place)
    each = len(rows) // len(order)
    chosen = worst.head(max(1, MOST // each))
    rest = len(order) - len(chosen)
    rows = rows.drop("place").join(chosen, on="question_id").sort("place", "system", "repeat")
    head = f"Worst first, {len(chosen):,} of {counted(len(order), 'question')}:"
    if chosen.is_empty():
        return [Line(f"Every value of all {len(order):,} questions is the best there is.")]
    tail = f"{rest:,} more: python -m pipeline show QUESTION, or data/score/per_question.parquet"
    return [Line(head, "bold"), *_table(rows), Line(tail, "dim")]


def worst_first(values: pl.DataFrame, deltas: pl.DataFrame, place: pl.DataFrame) -> pl.DataFrame:
    """Questions that are not perfect: leaks, the greatest losses, then the lowest values.

    What a disputed label may still take away comes after everything that is certain.

    Returns:
        (question_id, place), `place` from 0 in this order.
    """
    missed = pl.when(pl.col("status") != "ok").then(1.0).otherwise(_short("", ""))
    flawed = values.group_by("question_id").agg(
        leaks=(pl.col("leaks").list.len() > 0).any(),
        missed=missed.mean().fill_null(0.0),
        risked=_short("_low", "_high").mean().fill_null(0.0),
    )
    lost = (
        deltas.filter(WORSE)
        .group_by("question_id")
        .agg(lost=pl.col("delta").abs().fill_null(1.0).max())
    )
    return (
        flawed.join(place, on="question_id")
        .join(lost, on="question_id", how="left")
        .with_columns(pl.col("lost").fill_null(0.0))
        .filter(pl.col("leaks") | (pl.col("lost") > 0) | (pl.col("missed") + pl.col("risked") > 0))
        .sort("leaks", "lost", "missed", "risked", "place", descending=[True] * 4 + [False])
        .select("question_id", place=pl.int_range(pl.len()))
    )


def _short(low: str, high: str) -> pl.Expr:
    """Mean distance from the best value, over the metrics that have one."""
    return pl.mean_horizontal(
        1 - pl.col(metric.name + low) if metric.better == "higher" else pl.col(metric.name + high)
        for metric in BASIC
    )


def _table(rows: pl.DataFrame) -> list[Line]:
    repeated = rows["repeat"].n_unique() > 1
    cutoff = cut(rows)
    labels = [label(metric, cutoff) for metric in METRICS if metric.name in SHOWN]
    who = "case system repeat" if repeated else "case system"
    lines = [Line(f"{who} | {' '.join(labels)}")]
    for row in rows.iter_rows(named=True):
        names = [clean(row["question_id"]), clean(row["system"])]
        if repeated:
            names.append(str(row["repeat"]))
        numbers = [value(name, row[name]) for name in SHOWN]
        lines.append(Line(f"{' '.join(names)} | {' '.join(numbers)}"))
    return lines
