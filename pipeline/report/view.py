"""What the templates are given: the whole comparison in words, numbers to draw, and rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import polars as pl

from pipeline.contract.metrics import SHOWN
from pipeline.contract.results import Aggregates, PerQuestion
from pipeline.contract.sides import Side
from pipeline.contract.spelling import clean
from pipeline.contract.tables import Questions, read
from pipeline.contract.veil import Content
from pipeline.contract.words import Cut, cut
from pipeline.report.averages import Mean, means
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
        slice_metrics: labels of the columns of `slices`.
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


def compared(side: Side, deltas: pl.DataFrame) -> list[dict[str, Any]]:
    """Rows of Questions that are compared, as they stand in the questions' file."""
    questions = read(side.folder / "freeze", Questions).sort("line", "question_id")
    if deltas.is_empty():
        return questions.to_dicts()
    return questions.join(deltas, on="question_id", how="semi", maintain_order="left").to_dicts()


def cutoff_of(sides: Sequence[Side]) -> Cut:
    """The cutoff of all sides, or k where they or their questions differ in it."""
    return cut(pl.concat([_values(side).select("cutoff") for side in sides]))


def candidate(
    at: int,
    sides: tuple[Side, Side],
    rows: pl.DataFrame,
    found: dict[str, Any],
    questions: list[dict[str, Any]],
    content: Content,
) -> Candidate:
    """Set one candidate.

    Args:
        at: its place among the candidates.
        sides: baseline and candidate.
        rows: its Deltas.
        found: its entry in the comparison.
        questions: rows of Questions that are compared.
        content: how much of the texts may be shown.
    """
    k = cutoff_of(sides)
    averaged = means(found, (_aggregates(sides[0]), _aggregates(sides[1])), k)
    names = [mean.metric for mean in averaged if mean.n]
    worse = regressions(found, k)
    return Candidate(
        at=at,
        name=clean(sides[1].name),
        verdict=verdict(found),
        counts=found["questions"],
        worse=worse,
        tally=tally(worse),
        better=improvements(found, k),
        one_sided=one_sided(found, k),
        means=averaged,
        slices=slices(rows, attributes_of(questions), names, found, content),
        differs=[clean(name) for name in found["differs"]],
        controlled=found["controlled"],
        context=found["context"],
        leaks=leaks(sides[1]),
        rows=rows,
        found=found,
    )


def leaks(side: Side) -> list[tuple[str, list[str]]]:
    """Documents that a side shows to somebody who may not read them, by question."""
    shown = _values(side).filter(pl.col("leaks").list.len() > 0)
    by: dict[str, set[str]] = {}
    for question, docs in shown.select("question_id", "leaks").iter_rows():
        by.setdefault(question, set()).update(docs)
    return [(clean(name), sorted(map(clean, docs))) for name, docs in sorted(by.items())]


def populations(side: Side, questions: list[dict[str, Any]]) -> dict[str, int]:
    """How many of the compared questions are answerable, unanswerable and so on."""
    ids = [row["question_id"] for row in questions]
    values = _values(side).filter(pl.col("question_id").is_in(ids))
    counted = values.group_by("population").agg(pl.col("question_id").n_unique())
    return dict(sorted(counted.iter_rows()))


def repeats(side: Side) -> int:
    """How often each question was asked."""
    return _values(side)["repeat"].n_unique()


def metrics_of(candidates: Sequence[Candidate], sides: Sequence[Side]) -> list[str]:
    """Keys of the metrics on the page, in the order in which they are shown."""
    used = {mean.metric for one in candidates for mean in one.means}
    if not candidates:
        overall = _aggregates(sides[0])
        used = set(overall.filter(pl.col("n") > 0)["metric"])
    return [metric.name for metric in SHOWN if metric.name in used]


def _values(side: Side) -> pl.DataFrame:
    return read(side.folder / "score", PerQuestion).filter(system=side.system)


def _aggregates(side: Side) -> pl.DataFrame:
    return read(side.folder / "score", Aggregates).filter(system=side.system, attribute="")
