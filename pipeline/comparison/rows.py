"""One side of a comparison as rules read it: values by question, errors, leaks, disputes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from pipeline.contract.metrics import JUDGED, RANKED, REASONS, UNCUT, Metric, at_cutoff
from pipeline.contract.naming import cutoff_in, named
from pipeline.contract.results import Ranked
from pipeline.scoring.arrays import Bools
from pipeline.scoring.deltas import ERRORS
from pipeline.scoring.findings import OUTSIDE
from pipeline.scoring.seen import coded, see

ORDER = ["repeat", "question_id"]

Response = tuple[int, str]
"""Repeat and question id."""


@dataclass(frozen=True)
class Values:
    """One metric of one side, by question id.

    Attributes:
        macro: mean over the repeats that have a value, of questions with one.
        strict: as `macro`, with errors counted as the metric's worst value.
        errors: questions that failed, or that the judge failed on, in some repeat.
        population: questions that the metric is over, with a value or not.
        sums: numerator and denominator over the repeats that have a value; empty where the
            metric has none.
    """

    macro: Mapping[str, float]
    strict: Mapping[str, float]
    errors: frozenset[str]
    population: frozenset[str]
    sums: Mapping[str, tuple[int, int]]


class Rows:
    """One side of a comparison.

    Args:
        values: PerQuestion of one system, all questions in each of its repeats.
        judged: Judged of the same responses; empty: there are no verdicts.
        ranked: Ranked of the same responses; None, or empty: no cutoffs were asked for.
    """

    def __init__(
        self, values: pl.DataFrame, judged: pl.DataFrame, ranked: pl.DataFrame | None = None
    ) -> None:
        self.values, self.judged = values.sort(ORDER), judged.sort(ORDER)
        self._coded = coded(self.values), coded(self.judged)
        self._ranked = coded((Ranked.empty() if ranked is None else ranked).sort(ORDER))
        self._cutoffs = self._ranked["cutoff"].unique().sort().to_list()
        self._known: dict[str, Values] = {}

    def of(self, name: str) -> Values:
        """The values of a metric; nothing at all where this side was not scored in it."""
        if name not in self._known:
            metric = named(name)
            rows = self._coded[metric in JUDGED]
            if at_cutoff(name):
                k = cutoff_in(name) or min(self._cutoffs, default=0)
                metric = next(one for one in RANKED if one.name == name.partition("@")[0])
                rows = self._ranked.filter(cutoff=k)
            ids = rows["question_id"].unique().sort().to_list()
            self._known[name] = _values(rows, metric, ids)
        return self._known[name]

    def unmeasured(self, name: str) -> bool:
        """Whether a metric is one of rankings at a cutoff that nobody asked this side for."""
        if at_cutoff(name) is None:
            return False
        return not self._cutoffs if name == UNCUT else cutoff_in(name) not in self._cutoffs

    @cached_property
    def failed(self) -> frozenset[Response]:
        """Responses of which anything failed."""
        return self._with("failed")

    @cached_property
    def judge_failed(self) -> frozenset[Response]:
        """Responses on which the judge failed in anything."""
        return self._with("judge_failed")

    @cached_property
    def lost(self) -> frozenset[str]:
        """Questions with an error in some repeat."""
        return frozenset(question for _, question in self.failed | self.judge_failed)

    @cached_property
    def unresolved(self) -> frozenset[str]:
        """Questions with labels in dispute."""
        return frozenset(question for _, question in self._with("unresolved"))

    @cached_property
    def leaks(self) -> dict[str, frozenset[str]]:
        """Documents shown to a caller who may not read them, of each question with some."""
        found: dict[str, frozenset[str]] = {}
        leaking = self.values.filter(pl.col("leaks").list.len() > 0)
        for question, leaks in leaking.select("question_id", "leaks").iter_rows():
            found[question] = found.get(question, frozenset()) | frozenset(leaks)
        return found

    def _with(self, reason: str) -> frozenset[Response]:
        """Responses whose status, or the reason of any of whose values, is this one."""
        found: set[Response] = set(self.values.filter(status=reason).select(ORDER).iter_rows())
        for frame in (self.values, self.judged):
            any_of = pl.any_horizontal(pl.col("^.*_reason$").eq_missing(reason))
            found |= set(frame.filter(any_of).select(ORDER).iter_rows())
        return frozenset(found)


def unmeasured(metrics: Iterable[str], after: Rows, before: Rows | None = None) -> list[str]:
    """Say which of these metrics are at cutoffs that a side was not measured at.

    Args:
        metrics: keys of metrics.
        after: the candidate.
        before: the baseline, where it has to have them too.
    """
    sides = {"the candidate": after, **({"the baseline": before} if before else {})}
    said = []
    for name in metrics:
        if without := [who for who, rows in sides.items() if rows.unmeasured(name)]:
            label = named(name).label
            said.append(f"{label} was not measured for {' and '.join(without)} (conf: cutoffs)")
    return said


def _values(rows: pl.DataFrame, metric: Metric, ids: list[str]) -> Values:
    if not ids:
        return Values({}, {}, frozenset(), frozenset(), {})
    seen = see(rows, metric, len(ids), bounded=True)
    error, outside = (
        np.isin(seen.reason, [REASONS.index(reason) for reason in reasons])
        for reasons in (ERRORS, OUTSIDE)
    )
    sums: dict[str, tuple[int, int]] = {}
    if metric.numerator and metric.denominator:
        top, bottom = (
            np.where(seen.has, rows[name].fill_null(0).to_numpy().reshape(-1, len(ids)), 0)
            .sum(axis=0)
            .tolist()
            for name in (metric.numerator, metric.denominator)
        )
        sums = dict(zip(ids, zip(top, bottom, strict=True), strict=True))
    return Values(
        _kept(ids, *seen.macro()),
        _kept(ids, *seen.strict(metric.worst)),
        _named(ids, error.sum(axis=0) > 0),
        _named(ids, (~outside).sum(axis=0) > 0),
        sums,
    )


def _kept(ids: list[str], means: Any, defined: Bools) -> dict[str, float]:
    return {ids[at]: float(means[at]) for at in np.flatnonzero(defined)}


def _named(ids: list[str], which: Bools) -> frozenset[str]:
    return frozenset(ids[at] for at in np.flatnonzero(which))
