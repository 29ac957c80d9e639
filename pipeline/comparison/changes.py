"""A metric's averages, and its change from one side to the other, question by question."""

from pipeline.comparison.grounds import Grounds
from pipeline.comparison.rows import Rows
from pipeline.contract.metrics import Metric
from pipeline.contract.naming import named
from pipeline.contract.words import counted
from pipeline.scoring.means import moments


def average(aggregate: str, metric: Metric, rows: Rows, members: list[str]) -> float | None:
    """One side's average over these questions, as tables of aggregates give it."""
    if metric.harmonic:
        one, other = (average(aggregate, named(name), rows, members) for name in metric.harmonic)
        if one is None or other is None:
            return None
        return 2 * one * other / (one + other) if one + other else 0.0
    values = rows.of(metric.name)
    if aggregate == "pooled":
        sums = [values.sums[question] for question in members if question in values.sums]
        top, bottom = (sum(part) for part in zip(*sums, strict=True)) if sums else (0, 0)
        return top / bottom if bottom else None
    means = values.strict if aggregate == "strict" else values.macro
    kept = [means[question] for question in members if question in means]
    return moments(kept)[0] if kept else None


def changes(
    metric: Metric, members: list[str], grounds: Grounds, *, strict: bool
) -> dict[str, float]:
    """Change of each question that has both sides and no error of the baseline."""
    before, after = grounds.before.of(metric.name), grounds.after.of(metric.name)
    means = after.strict if strict else after.macro
    return {
        question: means[question] - before.macro[question]
        for question in members
        if question in before.macro
        and question in means
        and question not in before.errors
        and (strict or question not in after.errors)
    }


def unpaired(
    metric: Metric, members: list[str], grounds: Grounds, change: dict[str, float]
) -> list[str]:
    """Say how many questions of the metric have no pair, and no error that says why."""
    before, after = grounds.before.of(metric.name), grounds.after.of(metric.name)
    meant = (before.population | after.population).intersection(members)
    missing = len(meant - change.keys() - before.errors - after.errors)
    return [f"{counted(missing, 'question')} n/a on a side"] if missing else []


def worse(metric: Metric, change: dict[str, float]) -> list[str]:
    """Questions that got worse, the worst first."""
    sign = 1 if metric.better == "higher" else -1
    found = [(sign * one, question) for question, one in change.items() if sign * one < 0]
    return [question for _, question in sorted(found)]
