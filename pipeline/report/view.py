"""What the templates are given: the whole comparison in words, numbers to draw, and rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import polars as pl

from pipeline.contract.naming import in_order
from pipeline.contract.sides import Side
from pipeline.contract.spelling import clean
from pipeline.contract.veil import Content
from pipeline.report.averages import Mean, means
from pipeline.report.facts import aggregates, cutoff_of, leaks
from pipeline.report.found import Finding, improvements, one_sided, regressions, tally
from pipeline.report.grid import attributes_of
from pipeline.report.slices import Attribute, slices
from pipeline.report.verdict import Verdict, verdict


@dataclass(frozen=True)
class Candidate:
    """One candidate against the baseline, as the page shows it.

    Attributes:
        at: its place among the candidates, from 0.
        counts: questions worse, better, mixed, same, with no pair, and asked.
        tally: of how many regressions each cause is told, most first.
        differs: names of the settings that differ from the baseline's.
        leaks: by question, documents that it shows to somebody who may not read them.
    """

    at: int
    name: str
    verdict: Verdict
    counts: dict[str, int]
    worse: list[Finding]
    tally: list[tuple[str, int]]
    better: list[Finding]
    one_sided: list[Finding]
    means: list[Mean]
    slices: list[Attribute]
    differs: list[str]
    controlled: bool
    context: dict[str, Any]
    leaks: list[tuple[str, list[str]]]
    rows: pl.DataFrame
    found: dict[str, Any]


def known(content: str) -> Content:
    """The content level of that name.

    Raises:
        ValueError: there is none.
    """
    for level in get_args(Content):
        if level == content:
            return level  # type: ignore[no-any-return]
    raise ValueError(f"content: expected one of {get_args(Content)}, got {content!r}")


def candidate(
    at: int,
    sides: tuple[Side, Side],
    rows: pl.DataFrame,
    found: dict[str, Any],
    questions: list[dict[str, Any]],
    method: dict[str, Any] | None,
    content: Content,
    *,
    late: bool,
) -> Candidate:
    """Set one candidate.

    Args:
        at: its place among the candidates.
        sides: baseline and candidate.
        rows: its Deltas.
        found: its entry in the comparison.
        questions: rows of Questions that are compared.
        method: how intervals and p-values were made; None: there are none.
        content: how much of the texts may be shown.
        late: whether the policy was first seen after its scores.
    """
    k = cutoff_of(sides, questions)
    averaged = means(found, (aggregates(sides[0], questions), aggregates(sides[1], questions)), k)
    names = [mean.metric for mean in averaged if mean.n]
    worse = regressions(found, k)
    return Candidate(
        at=at,
        name=clean(sides[1].name),
        verdict=verdict(found, content, late=late),
        counts=found["questions"],
        worse=worse,
        tally=tally(worse),
        better=improvements(found, k),
        one_sided=one_sided(found, k),
        means=averaged,
        slices=slices(rows, attributes_of(questions), names, found, method, content),
        differs=[clean(name) for name in found["differs"]],
        controlled=found["controlled"],
        context=found["context"],
        leaks=leaks(sides[1], questions),
        rows=rows,
        found=found,
    )


def metrics_of(
    candidates: Sequence[Candidate], sides: Sequence[Side], questions: list[dict[str, Any]]
) -> list[str]:
    """Keys of the metrics on the page, in the order in which they are shown."""
    used = {mean.metric for one in candidates for mean in one.means}
    if not candidates:
        overall = aggregates(sides[0], questions)
        used = set(overall.filter(pl.col("n") > 0)["metric"])
    return [metric.name for metric in in_order(used)]
