"""How sure each difference is: intervals, p-values and their correction over the family.

The family is every candidate times metric times slice that has a p-value, metrics of rankings
at each of their cutoffs among them; Holm's correction is over all of it, so that many looks do
not find by chance what is not there. Judged@k has an interval and no p-value: it says how far
the labels reach, and a test of it would only make the others blunter.
"""

import dataclasses
from collections.abc import Iterable
from typing import Any

import polars as pl

from pipeline.contract.metrics import at_cutoff
from pipeline.contract.naming import in_order, named
from pipeline.contract.uncertainty import Uncertainty
from pipeline.scoring.difference import Difference
from pipeline.scoring.holm import holm
from pipeline.scoring.needed import needed
from pipeline.scoring.paired import differences

INTERVAL = "expanded percentile bootstrap over questions"
TEST = "paired sign flips"

Row = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Cut:
    """A slice of the questions and the metrics that are estimated on it; '' is all questions."""

    attribute: str
    value: str
    questions: pl.Series
    metrics: list[str]


def family(
    rows: pl.DataFrame,
    attributes: pl.DataFrame,
    uncertainty: Uncertainty,
    seed: int,
    also: Iterable[tuple[str, str, str]] = (),
) -> tuple[dict[str, Any], dict[str, list[Row]]]:
    """Estimate every difference of a comparison.

    Args:
        rows: Deltas of all candidates.
        attributes: (question_id, attributes) of the questions.
        uncertainty: level, resamples, and which metrics and slices are in the family.
        seed: of the draws.
        also: metric, attribute and value of what a policy reads beside these; '', '' is all
            questions.

    Returns:
        What was done, for the manifest, with attributes to slice by that no question has
        (`absent`), and metrics to test at cutoffs that were not measured (`unmeasured`, where
        there are some); and for each candidate a row for each slice and metric
        that the run has, in the order in which metrics are shown: `n` pairs, mean `delta`, `low`
        and `high` of the interval, `p` by sign flips, `p_holm` over the family, `needed`
        questions to find a difference of `uncertainty.difference`; null with a `reason`
        where there are too few pairs.
    """
    cuts = _cuts(rows, attributes, uncertainty, also)
    found = {
        str(candidate): [row for cut in cuts for row in _estimated(of, cut, uncertainty, seed)]
        for (candidate,), of in rows.sort("candidate").group_by("candidate", maintain_order=True)
    }
    flat = [row for candidate in found.values() for row in candidate]
    corrected = holm([row["p"] for row in flat])
    for row, p in zip(flat, corrected, strict=True):
        row["p_holm"] = p
    method = {
        "interval": INTERVAL,
        "level": uncertainty.level,
        "resamples": uncertainty.resamples,
        "seed": seed,
        "test": TEST,
        "correction": "Holm",
        "family": sum(p is not None for p in corrected),
        "difference": uncertainty.difference,
        "absent": _absent(attributes, uncertainty.slices),
    }
    unmeasured = [
        name
        for name in uncertainty.metrics or ()
        if at_cutoff(name) and not (rows["metric"] == name).any()
    ]
    return method | ({"unmeasured": unmeasured} if unmeasured else {}), found


def _absent(attributes: pl.DataFrame, slices: Iterable[str]) -> list[str]:
    """Attributes asked for that no question has: maybe a typing error."""
    known = set(_pairs(attributes)["key"])
    return [name for name in slices if name not in known]


def _pairs(attributes: pl.DataFrame) -> pl.DataFrame:
    """(question_id, key, value) of every attribute that a question has."""
    rows = attributes.explode("attributes", empty_as_null=False, keep_nulls=False)
    return rows.unnest("attributes")


def _cuts(
    rows: pl.DataFrame,
    attributes: pl.DataFrame,
    uncertainty: Uncertainty,
    also: Iterable[tuple[str, str, str]],
) -> list[Cut]:
    """All questions, each value of each wanted attribute in order, and what a policy reads."""
    pairs = _pairs(attributes)
    present = set(rows["metric"].unique())
    shown = [metric.name for metric in in_order(present)]
    wanted = uncertainty.metrics
    ours = [name for name in shown if wanted is None or name in wanted]
    slices = {("", ""): ours}
    for key, value in pairs.select("key", "value").unique().sort("key", "value").iter_rows():
        if key in uncertainty.slices:
            slices[key, value] = ours
    for metric, attribute, value in also:
        held = slices.get((attribute, value), [])
        slices[attribute, value] = [n for n in shown if n in held or n == metric]
    asked = rows["question_id"].unique()
    return [
        Cut(
            attribute,
            value,
            asked if not attribute else pairs.filter(key=attribute, value=value)["question_id"],
            metrics,
        )
        for (attribute, value), metrics in slices.items()
        if metrics
    ]


def _estimated(of: pl.DataFrame, cut: Cut, uncertainty: Uncertainty, seed: int) -> list[Row]:
    """The rows of one candidate and slice."""
    inside = of.filter(
        pl.col("question_id").is_in(cut.questions.implode()), pl.col("metric").is_in(cut.metrics)
    )
    if inside.is_empty():
        return []
    wide = inside.pivot("metric", index="question_id", values="delta").sort("question_id")
    columns = wide.select(
        pl.col(name) if name in wide.columns else pl.lit(None, pl.Float64).alias(name)
        for name in cut.metrics  # of a slice's answerable questions, none is unanswerable
    )
    sure = differences(
        columns.fill_null(0.0).to_numpy(),
        columns.select(pl.all().is_not_null()).to_numpy(),
        seed=seed,
        resamples=uncertainty.resamples,
        level=uncertainty.level,
    )
    return [
        {
            "metric": metric,
            "attribute": cut.attribute,
            "value": cut.value,
            **_row(found, uncertainty.difference),
            **({"p": None} if named(metric).of_labels else {}),
        }
        for metric, found in zip(cut.metrics, sure, strict=True)
    ]


def _row(found: Difference, difference: float) -> Row:
    return {
        "n": found.n,
        "delta": found.mean,
        "low": found.low,
        "high": found.high,
        "p": found.p,
        "needed": needed(found.sd, difference) if found.sd else None,
        "small": found.small,
        "reason": found.reason,
    }
