"""What single questions have to show: no regression, silence, or an answer."""

from datetime import date

import polars as pl

from pipeline.comparison.grounds import Grounds
from pipeline.comparison.outcomes import Measured
from pipeline.comparison.rows import unmeasured
from pipeline.contract.policy import QuestionRule, Tolerance
from pipeline.contract.words import counted
from pipeline.scoring.deltas import ERRORS
from pipeline.scoring.findings import WORSE

SILENT = ("abstention", "false_abstention", "deflection_tpr", "deflection_fpr")
"""Metrics that are 1 where the answer holds back. Each is over questions of its own."""

Broken = dict[str, list[str | None]]
"""By question: the metrics that break the rule; None: what no tolerance covers."""


def hold_questions(rule: QuestionRule, grounds: Grounds, *, today: date) -> Measured:
    """Hold one candidate to what single questions have to show.

    An error never passes: a question lost to one breaks the rule wherever the baseline, or
    the expected behaviour, gives something to lose; anywhere else it leaves it unmeasurable.
    """
    chosen = set(rule.ids) & grounds.attributes.keys()
    if rule.slice is not None or not rule.ids:
        chosen |= set(grounds.members(rule.slice))
    absent = sorted(set(rule.ids) - grounds.attributes.keys())
    if rule.expects == "no_regression":
        broken, hidden = _regressions(rule, grounds, chosen)
    else:
        broken, hidden = _silence(grounds, chosen, silent=rule.expects == "abstain")
    found, leaned = _untolerated(rule, broken, today)
    if absent:
        hidden = [*hidden, f"not among the questions: {', '.join(absent)}"]
    few = f"{counted(len(chosen), 'question')} to look at, {rule.least:,} needed"
    return Measured(
        len(found),
        len(chosen),
        bool(found),
        f"{BOUND[rule.expects]} ≤ 0",
        refused=[few] if len(chosen) < rule.least else (),
        hidden=hidden,
        notes=_ended(rule, found, today),
        questions=sorted(found),
        tolerated=leaned,
    )


BOUND = {"no_regression": "worse", "abstain": "not silent", "answer": "silent"}


def _regressions(
    rule: QuestionRule, grounds: Grounds, chosen: set[str]
) -> tuple[Broken, list[str]]:
    rows = grounds.deltas.filter(pl.col("question_id").is_in(sorted(chosen)))
    if rule.metrics:
        rows = rows.filter(pl.col("metric").is_in(rule.metrics))
    broken: Broken = {}
    for question, metric, reason in (
        rows.filter(WORSE).select("question_id", "metric", "after_reason").iter_rows()
    ):
        broken.setdefault(question, []).append(None if reason in ERRORS else metric)
    lost = _erred(rows, "after_reason")
    if not rule.metrics:
        lost |= grounds.after.lost & chosen
        for question, leaks in grounds.after.leaks.items():
            if question in chosen and leaks - grounds.before.leaks.get(question, frozenset()):
                broken.setdefault(question, []).append(None)
    hidden = unmeasured(rule.metrics, grounds.after, grounds.before)
    baseline = _erred(rows, "before_reason")
    if len(baseline) > rule.baseline_errors:
        hidden.append(f"{counted(len(baseline), 'question')} lost to errors of the baseline")
    if lost - broken.keys():
        hidden.append(f"{counted(len(lost - broken.keys()), 'question')} lost to errors")
    return broken, hidden


def _silence(grounds: Grounds, chosen: set[str], *, silent: bool) -> tuple[Broken, list[str]]:
    """Questions that do not hold back, or do, in some repeat; where two measures differ, both."""
    broken: Broken = {question: [None] for question in grounds.after.lost & chosen}
    known = set(broken)
    for metric in SILENT:
        for question, mean in grounds.after.of(metric).macro.items():
            if question in chosen:
                known.add(question)
                if mean != silent:
                    broken.setdefault(question, []).append(metric)
    unknown = len(chosen - known)
    return broken, [f"{counted(unknown, 'question')} n/a"] if unknown else []


def _untolerated(
    rule: QuestionRule, broken: Broken, today: date
) -> tuple[set[str], list[dict[str, str]]]:
    """Questions that break the rule after all, and the tolerances that the others lean on."""
    found: set[str] = set()
    leaned: list[dict[str, str]] = []
    for question, metrics in broken.items():
        by = [_tolerance(rule, question, metric, today) for metric in metrics]
        used = {(one.until, one.reason) for one in by if one is not None}
        if None in by:
            found.add(question)
        else:
            leaned += [
                {"question": question, "reason": reason, "until": until}
                for until, reason in sorted(used)
            ]
    return found, sorted(leaned, key=lambda one: one["question"])


def _tolerance(
    rule: QuestionRule, question: str, metric: str | None, today: date
) -> Tolerance | None:
    for one in rule.tolerate:
        meant = one.question == question and one.metric in (None, metric)
        if meant and metric is not None and today <= date.fromisoformat(one.until):
            return one
    return None


def _ended(rule: QuestionRule, found: set[str], today: date) -> list[str]:
    return [
        f"the tolerance of {one.question} ended on {one.until}"
        for one in rule.tolerate
        if one.question in found and today > date.fromisoformat(one.until)
    ]


def _erred(rows: pl.DataFrame, column: str) -> set[str]:
    return set(rows.filter(pl.col(column).is_in(ERRORS))["question_id"])
