"""Aggregates that are a harmonic mean of two others, not an average of single values."""

from collections.abc import Sequence

import polars as pl

from pipeline.contract.metrics import Metric

CELL = ["system", "attribute", "value"]
RULES = ("macro", "pooled", "strict", "low", "high")


def harmonized(aggregates: pl.DataFrame, metrics: Sequence[Metric]) -> pl.DataFrame:
    """Give each metric with a `harmonic` pair the harmonic means of that pair's averages.

    Args:
        aggregates: Aggregates, with rows of both metrics of each pair.
        metrics: those that it holds.

    Returns:
        Aggregates, row for row. Of such a metric macro, pooled, strict, low and high are
        2PR / (P + R) of the same rule's P and R, 0 where both are 0, null where one is null;
        `sd` is null; `n` still counts the questions whose own answer has a value.
    """
    for metric in metrics:
        if metric.harmonic is None:
            continue
        rows = aggregates.select(CELL)
        for side, name in zip("pr", metric.harmonic, strict=True):
            of = aggregates.filter(metric=name).select(
                *CELL, *(pl.col(rule).alias(f"{side}_{rule}") for rule in RULES)
            )
            rows = rows.join(of, on=CELL, how="left", maintain_order="left")
        mine = pl.col("metric") == metric.name
        means = rows.select(_mean(rule) for rule in RULES)
        aggregates = aggregates.with_columns(
            *(pl.when(mine).then(means[rule]).otherwise(rule).alias(rule) for rule in RULES),
            pl.when(~mine).then("sd").alias("sd"),
        )
    return aggregates


def _mean(rule: str) -> pl.Expr:
    p, r = pl.col(f"p_{rule}"), pl.col(f"r_{rule}")
    return pl.when(p + r > 0).then(2 * p * r / (p + r)).when(p + r == 0).then(0.0).alias(rule)
