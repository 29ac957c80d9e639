"""What the answers of each side took: time, tokens and money, as far as it was recorded."""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import polars as pl

from pipeline.contract.sides import Side
from pipeline.contract.tables import Questions, Usage, read


@dataclass(frozen=True)
class Spent:
    """One quantity: for each side its value in words and of how many answers; any at all?"""

    what: str
    sides: list[str]
    recorded: list[str]
    any: bool


def _median(column: pl.Series) -> float:
    return float(column.quantile(0.5, "higher") or 0)


def _most(column: pl.Series) -> float:
    return float(column.quantile(0.95, "higher") or 0)


def _longest(column: pl.Series) -> float:
    return max(map(float, column))


def _sum(column: pl.Series) -> float:
    return math.fsum(column)


def _mean(column: pl.Series) -> float:
    return math.fsum(column) / len(column)


MEASURES: tuple[tuple[str, str, Callable[[pl.Series], float], str], ...] = (
    ("latency, median", "latency_s", _median, "{:,.2f} s"),
    ("latency, 95th percentile", "latency_s", _most, "{:,.2f} s"),
    ("latency, longest", "latency_s", _longest, "{:,.2f} s"),
    ("input tokens, sum", "input_tokens", _sum, "{:,.0f}"),
    ("output tokens, sum", "output_tokens", _sum, "{:,.0f}"),
    ("cost, sum", "cost_usd", _sum, "{:,.4f} USD"),
    ("attempts per answer, mean", "attempts", _mean, "{:,.2f}"),
)
"""What is shown, from which column, how it is summed up, and how it is written."""


def usage(sides: Sequence[Side], asked: Collection[str]) -> list[Spent]:
    """Sum up `answer/usage` of each side; a value that nobody recorded is n/a, never 0.

    A percentile is the least recorded value that so many do not exceed.

    Args:
        sides: all sides of the comparison.
        asked: ids of the questions that are compared.
    """
    tables = [_of(side, asked) for side in sides]
    rows = []
    for what, column, measure, shown in MEASURES:
        values = [table[column].drop_nulls() for table in tables]
        rows.append(
            Spent(
                what,
                [shown.format(measure(one)) if len(one) else "n/a" for one in values],
                [
                    "not recorded" if one.is_empty() else f"{len(one):,} of {len(table):,}"
                    for one, table in zip(values, tables, strict=True)
                ],
                any(len(one) for one in values),
            )
        )
    return rows


def _of(side: Side, asked: Collection[str]) -> pl.DataFrame:
    """A side's own rows of Usage for the questions of these ids."""
    questions = read(side.folder / "freeze", Questions, ["question", "question_id"])
    codes = questions.filter(pl.col("question_id").is_in(list(asked)))["question"]
    rows = read(side.folder / "answer", Usage).filter(system=side.system)
    return rows.filter(pl.col("question").is_in(codes.implode()))
