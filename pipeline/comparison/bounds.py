"""Bounds on means: a candidate's value, its change, or the worse end of the change's interval.

An error of the candidate never turns a rule that is broken into one that passes. `strict`
counts it as the worst value; what leaves errors out (macro, pooled, intervals) cannot pass
while there is one. An error of the baseline leaves its pair out, and more of them than the
rule allows leave nothing to read.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pipeline.comparison.changes import average, changes, unpaired, worse
from pipeline.comparison.grounds import Grounds
from pipeline.comparison.outcomes import Measured
from pipeline.comparison.rows import unmeasured
from pipeline.contract.metrics import Metric
from pipeline.contract.naming import named
from pipeline.contract.policy import Rule, scope
from pipeline.contract.words import counted
from pipeline.scoring.means import extreme, moments

EDGE = 1e-9
"""0.3 - 0.4 is below -0.1 by the last bit of a double; no bound is meant that finely."""


def hold(rule: Rule, grounds: Grounds) -> Measured:
    """Hold one candidate to one bound."""
    before = None if rule.reads == "value" else grounds.before
    if missing := unmeasured([rule.metric], grounds.after, before):
        return Measured(None, 0, False, worded(rule), refused=missing)
    read = {"value": _value, "delta": _delta, "interval": _interval}[rule.reads]
    found = read(rule, named(rule.metric), grounds.members(rule.slice), grounds)
    if found.n < rule.least:
        few = f"{counted(found.n, 'question')} to measure, {rule.least:,} needed"
        return replace(found, refused=[*found.refused, few])
    if found.value is None and not found.refused:
        if found.n:
            return replace(found, refused=["there is no number"])
        return replace(found, notes=[*found.notes, "nothing to measure, which is allowed"])
    return found


def beyond(metric: Metric, number: float | None, bound: float) -> bool:
    """Whether a number is worse than the bound allows."""
    if number is None:
        return False
    return number < bound - EDGE if metric.better == "higher" else number > bound + EDGE


def worded(rule: Rule) -> str:
    """The bound in words: `≥ 0.6`, `delta ≥ -0.02`, `interval's low ≥ -0.05`."""
    metric = named(rule.metric)
    what = {"value": "", "delta": "delta ", "interval": f"interval's {_end(metric)} "}
    return f"{what[rule.reads]}{'≥' if metric.better == 'higher' else '≤'} {rule.bound:g}"


def _value(rule: Rule, metric: Metric, members: list[str], grounds: Grounds) -> Measured:
    after = grounds.after.of(metric.name)
    number = average(rule.aggregate, metric, grounds.after, members)
    lost = {
        question
        for name in metric.harmonic or (metric.name,)
        for question in grounds.after.of(name).errors.intersection(members)
    }
    kept = after.strict if rule.aggregate == "strict" else after.macro
    measured = [question for question in members if question in kept]
    found = Measured(
        number,
        len(measured),
        beyond(metric, number, rule.bound),
        worded(rule),
        hidden=_too_few(rule, measured, after.macro),
    )
    return _left_out(rule, len(lost), found)


def _delta(rule: Rule, metric: Metric, members: list[str], grounds: Grounds) -> Measured:
    after = grounds.after.of(metric.name)
    strict = rule.aggregate == "strict"
    change = changes(metric, members, grounds, strict=strict)
    if rule.aggregate == "pooled":
        old, new = (
            average("pooled", metric, rows, list(change))
            for rows in (grounds.before, grounds.after)
        )
        number = None if old is None or new is None else new - old
    else:
        number = moments(list(change.values()))[0] if change else None
    found = Measured(
        number,
        len(change),
        beyond(metric, number, rule.bound),
        worded(rule),
        refused=_baseline(rule, metric, members, grounds),
        hidden=[
            *(_without_errors(rule, metric, change, after.errors) if strict else ()),
            *_too_few(rule, list(change), after.macro),
        ],
        notes=unpaired(metric, members, grounds, change),
        questions=worse(metric, change),
    )
    return _left_out(rule, len(after.errors.intersection(members)), found)


def _interval(rule: Rule, metric: Metric, members: list[str], grounds: Grounds) -> Measured:
    change = changes(metric, members, grounds, strict=False)
    row = _row(rule, grounds) or {"n": len(change), "reason": "no interval was computed"}
    number, n = row.get(_end(metric)), row["n"] or 0
    refused = _baseline(rule, metric, members, grounds)
    if number is None and (n or rule.least):
        refused.append(row.get("reason") or "there is no interval")
    found = Measured(
        number,
        n,
        beyond(metric, number, rule.bound),
        worded(rule),
        refused=refused,
        notes=unpaired(metric, members, grounds, change),
        questions=worse(metric, change),
    )
    lost = grounds.after.of(metric.name).errors.intersection(members)
    return _left_out(replace(rule, aggregate="macro"), len(lost), found)


def _row(rule: Rule, grounds: Grounds) -> dict[str, Any] | None:
    place = (rule.metric, *scope(rule.slice))
    for row in grounds.uncertainty:
        if (row["metric"], row["attribute"], row["value"]) == place:
            return dict(row)
    return None


def _end(metric: Metric) -> str:
    return "low" if metric.better == "higher" else "high"


def _without_errors(
    rule: Rule, metric: Metric, change: dict[str, float], errors: frozenset[str]
) -> list[str]:
    """What a strict change says only because of errors.

    Where the baseline was bad, the worst value is no loss: it would dilute the losses at
    other questions. So no choice of errors to leave out may break the bound either.
    """
    fixed = [one for question, one in change.items() if question not in errors]
    free = [one for question, one in change.items() if question in errors]
    least = extreme(fixed, free, greatest=metric.better == "lower")
    if free and beyond(metric, least, rule.bound):
        return ["it passes only because errors are among its questions"]
    return []


def _too_few(rule: Rule, measured: list[str], defined: Mapping[str, float]) -> list[str]:
    """Say that a rule has its least number of questions only because errors are among them.

    An answer without claims has no support; had it failed, it would count, as the worst.
    """
    left = sum(question in defined for question in measured)
    if left < rule.least <= len(measured):
        return [f"{counted(left, 'question')} without errors to measure, {rule.least:,} needed"]
    return []


def _left_out(rule: Rule, lost: int, found: Measured) -> Measured:
    """Say what the candidate's errors do to a rule."""
    if not lost:
        return found
    if rule.aggregate == "strict":
        note = f"{counted(lost, 'question')} lost to errors, counted as the worst"
        return replace(found, notes=[note, *found.notes])
    why = f"{counted(lost, 'question')} lost to errors, which {rule.aggregate} leaves out"
    if rule.aggregate == "pooled":
        return replace(found, value=None, refused=[*found.refused, why])
    return replace(found, hidden=[*found.hidden, why])


def _baseline(rule: Rule, metric: Metric, members: list[str], grounds: Grounds) -> list[str]:
    lost = len(grounds.before.of(metric.name).errors.intersection(members))
    if lost <= rule.baseline_errors:
        return []
    return [f"{counted(lost, 'question')} lost to errors of the baseline"]
