"""Two systems question by question: what each value was and what it became.

Sides are joined on the question's id, never on the position of a row. A question's value
is the mean over its defined repeats. Nothing here makes an error look good: a repeat that
failed leaves its pair without a delta, whatever the other repeats say.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import polars as pl

from pipeline.contract.metrics import (
    CAUSES,
    COMPARED,
    REASONS,
    SHOWN,
    UNANSWERABLE,
    Metric,
    at,
)
from pipeline.contract.results import Deltas
from pipeline.contract.tables import check

ERRORS = ("failed", "judge_failed")
"""Reasons that are the system's or the judge's doing, not the labels'."""

RANKS = range(len(REASONS))

LARGEST = 1_000_000
"""Bound on the denominators of values; two fractions below it never share a double."""


def deltas(
    values: pl.DataFrame,
    baseline: str,
    *,
    metrics: Sequence[Metric] = COMPARED,
    causes: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Set every other system against the baseline, question by question, metric by metric.

    Args:
        values: PerQuestion, or Judged; each system has all its repeats of the same questions.
        baseline: a system of `values`.
        metrics: of those that `values` holds.
        causes: what `causes_of` gives; None: those of `values`.

    Returns:
        Deltas in order of its key, one row for each candidate, question and metric. The
        `support` of unanswerable questions stands under `support_unanswerable`, as in the
        aggregates. `direction` is `unpaired` where a side is n/a or one of its repeats
        failed; both reasons are kept, and a failed repeat gives its reason even where the
        other repeats have a value. Values are compared as the exact fractions they are.

    Raises:
        ValueError: `baseline` is not in `values`, or systems answer different questions.
    """
    systems = values["system"].unique().sort().to_list()
    if baseline not in systems:
        raise ValueError(f"baseline: expected one of {systems}, got {baseline!r}")
    sides = pl.concat([_sides(values, metric) for metric in metrics])
    causes = causes_of(values) if causes is None else causes
    left = sides.filter(pl.col("system") == baseline).rename(
        {"system": "baseline", "value": "before", "reason": "before_reason"}
    )
    frames = [Deltas.empty()]
    for candidate in systems:
        if candidate == baseline:
            continue
        right = sides.filter(pl.col("system") == candidate).rename(
            {"system": "candidate", "value": "after", "reason": "after_reason"}
        )
        pairs = left.join(right, on=["question_id", "metric"])
        if not len(pairs) == len(left) == len(right):
            raise ValueError(f"{candidate}: expected the questions of {baseline}, got others")
        pairs = pairs.join(
            causes, left_on=["candidate", "question_id"], right_on=["system", "question_id"]
        )
        frames.append(check(Deltas, _directed(pairs)))
    return pl.concat(frames).sort(Deltas.key)


def deltas_at(
    ranked: pl.DataFrame,
    baseline: str,
    metrics: Mapping[int, Sequence[Metric]],
    causes: pl.DataFrame,
) -> list[pl.DataFrame]:
    """Set the rankings of every other system against the baseline's, cutoff by cutoff.

    Args:
        ranked: Ranked; each system has the cutoffs of `metrics`.
        baseline: a system of `ranked`.
        metrics: of `RANKED`, by cutoff; under 0 those that are the same at every cutoff.
        causes: what `causes_of` gives.

    Returns:
        Deltas of each cutoff, whose metrics are called `ndcg@10` and so on.
    """
    found = []
    for k, of in metrics.items():
        least = pl.col("cutoff").min().over("system")
        rows = ranked.filter(pl.col("cutoff") == (k or least))
        names = {metric.name: at(metric, k).name for metric in of}
        part = deltas(rows, baseline, metrics=of, causes=causes)
        found.append(part.with_columns(pl.col("metric").replace(names)))
    return found


def causes_of(values: pl.DataFrame) -> pl.DataFrame:
    """PerQuestion -> (system, question_id, causes): over the repeats, in the order of `CAUSES`."""
    return (
        values.select("system", "question_id", "causes")
        .explode("causes", empty_as_null=True)
        .group_by("system", "question_id")
        .agg(pl.col("causes").drop_nulls().cast(pl.Enum(CAUSES)).unique().sort().cast(pl.String))
    )


def _sides(values: pl.DataFrame, metric: Metric) -> pl.DataFrame:
    """One row for each system and question: value and reason over its repeats."""
    name = "support" if metric is UNANSWERABLE else metric.name
    if name == "support":
        values = _housed(values, metric)
    rank = pl.col(f"{name}_reason").replace_strict(REASONS, RANKS, return_dtype=pl.UInt8)
    of_error = rank.is_in([REASONS.index(reason) for reason in ERRORS])
    side = values.group_by("system", "question_id").agg(
        least=pl.col(name).min(),
        greatest=pl.col(name).max(),
        values=pl.col(name).drop_nulls(),
        rank=rank.min(),
        error=rank.filter(of_error).min(),
    )
    undefined = pl.when(pl.col("least").is_null()).then("rank")
    reason = pl.coalesce("error", undefined).replace_strict(RANKS, REASONS, return_dtype=pl.String)
    return side.select(
        "system", "question_id", metric=pl.lit(metric.name), value=_means(side), reason=reason
    )


def _housed(values: pl.DataFrame, metric: Metric) -> pl.DataFrame:
    """Keep the support of one population, as the aggregates do.

    Where it is in dispute whether a question is answerable, so is which of the two its
    support belongs to.
    """
    unanswerable = pl.col("population") == "unanswerable"
    between = pl.col("population") == "unresolved"
    return values.filter(unanswerable if metric is UNANSWERABLE else ~unanswerable).with_columns(
        support=pl.when(~between).then("support"),
        support_reason=pl.when(between).then(pl.lit("unresolved")).otherwise("support_reason"),
    )


def _means(side: pl.DataFrame) -> pl.Series:
    """Exact mean of each row's `values`, fractions between `least` and `greatest`; null of none.

    A rounded sum would not do: three repeats of 0.2 add up to 0.6000000000000001, and a
    candidate with three repeats would differ from a baseline with one.
    """
    varied = side["least"] != side["greatest"]
    exact: dict[float, Fraction] = {}
    means = []
    for values in side.filter(varied)["values"].to_list():
        for value in values:
            if value not in exact:
                exact[value] = Fraction(value).limit_denominator(LARGEST)
        means.append(float(sum(exact[value] for value in values) / len(values)))
    return side["least"].scatter(varied.arg_true(), means)


def _directed(pairs: pl.DataFrame) -> pl.DataFrame:
    """Add `delta` and `direction` to pairs of sides."""
    lower = [metric.name for metric in SHOWN if metric.better == "lower"]
    gain = pl.when(pl.col("metric").is_in(lower)).then(-pl.col("delta")).otherwise("delta")
    error = pl.any_horizontal(
        pl.col(side).is_in(ERRORS).fill_null(False) for side in ("before_reason", "after_reason")
    )
    return pairs.with_columns(
        delta=pl.when(~error).then(pl.col("after") - pl.col("before"))
    ).with_columns(
        direction=pl.when(pl.col("delta").is_null())
        .then(pl.lit("unpaired"))
        .when(gain > 0)
        .then(pl.lit("better"))
        .when(gain < 0)
        .then(pl.lit("worse"))
        .otherwise(pl.lit("same"))
    )
