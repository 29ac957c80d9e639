"""Policies that are well formed and cannot mean anything, or not what they seem to."""

from collections.abc import Iterable
from datetime import date

from pipeline.contract.errors import ConfigError, nearest
from pipeline.contract.metrics import RANKED, SHOWN, UNANSWERABLE, UNCUT, Metric, at_cutoff
from pipeline.contract.naming import named
from pipeline.contract.policy import NONE, Acceptance, Limits, QuestionRule, Rule
from pipeline.contract.uncertainty import Uncertainty

WHERE = "conf: acceptance"
METRIC = {metric.name: metric for metric in SHOWN}
CUT = tuple(metric.name for metric in RANKED if metric.name != UNCUT)
"""Metrics of rankings that have a cutoff in their name."""

SUPPORT = ("support", UNANSWERABLE.name)
BESIDE = ("coverage", "false_abstention")
"""A system that falls silent can raise its support; these two show it."""

LIMITS = ("failures", "judge_failures", "unsupported_claims", "unresolved", "leaks")


def check_policy(policy: Acceptance) -> None:
    """Refuse names, scopes, bounds and combinations that no candidate could be held to.

    Raises:
        ConfigError: naming the first key that is not right.
    """
    limited = [name for name in LIMITS if getattr(policy.limits, name)]
    if policy.policy == NONE and (policy.rules or policy.questions or policy.limits != Limits()):
        expected = "a name of its own, since it has rules or limits"
        raise ConfigError(f"{WHERE}.policy", expected=expected, got=repr(NONE))
    if not (policy.rules or policy.questions or policy.limits.na or limited):
        raise ConfigError(f"{WHERE}.rules", expected="a rule or a limit", got="none")
    for at, rule in enumerate(policy.rules):
        _check_rule(rule, f"{WHERE}.rules[{at}]")
    for at, asked in enumerate(policy.questions):
        _check_questions(asked, f"{WHERE}.questions[{at}]")
    for at, share in enumerate(policy.limits.na):
        _known(share.metric, f"{WHERE}.limits.na[{at}].metric")
    _once((share.metric for share in policy.limits.na), f"{WHERE}.limits.na", "metric")
    shares = [f"na {share.metric}" for share in policy.limits.na]
    names = [rule.name for rule in policy.rules] + [rule.name for rule in policy.questions]
    _once([*limited, *shares, *names], WHERE, "name")
    _together(policy)


def _check_rule(rule: Rule, where: str) -> None:
    metric = _known(rule.metric, f"{where}.metric")
    _scope(rule.slice, f"{where}.slice")
    least = 0 if rule.reads == "value" else -1
    if not least <= rule.bound <= 1:
        expected = f"a number from {least} to 1, since it reads {rule.reads}"
        raise ConfigError(f"{where}.bound", expected=expected, got=str(rule.bound))
    if rule.aggregate == "pooled":
        summed = all(named(name).denominator for name in metric.harmonic or (metric.name,))
        if rule.reads == "interval" or not summed:
            raise ConfigError(
                f"{where}.aggregate",
                expected="strict or macro, "
                + ("as intervals are" if summed else f"since {metric.name} has no sums to pool"),
                got="pooled",
            )


def _check_questions(rule: QuestionRule, where: str) -> None:
    _scope(rule.slice, f"{where}.slice")
    regression = rule.expects == "no_regression"
    for name in rule.metrics:
        if _known(name, f"{where}.metrics").of_labels:
            expected = "metrics that a question can be worse in"
            got = f"{name!r}, which says how far the labels reach"
            raise ConfigError(f"{where}.metrics", expected=expected, got=got)
    _once(rule.metrics, f"{where}.metrics", "metric")
    _once(rule.ids, f"{where}.ids", "id")
    if not regression and (rule.metrics or rule.baseline_errors):
        key = "metrics" if rule.metrics else "baseline_errors"
        expected = f"none of these, since the rule expects to {rule.expects}"
        raise ConfigError(f"{where}.{key}", expected=expected, got=str(getattr(rule, key)))
    if not regression and not rule.ids and rule.slice is None:
        expected = f"the questions that it expects to {rule.expects}, as ids or slice"
        raise ConfigError(where, expected=expected, got="neither")
    missing = [name for name in BESIDE if name not in rule.metrics]
    if missing and set(SUPPORT) & set(rule.metrics):
        expected = f"{' and '.join(missing)} beside support, which silence can raise"
        raise ConfigError(f"{where}.metrics", expected=expected, got=", ".join(rule.metrics))
    for at, tolerance in enumerate(rule.tolerate):
        place = f"{where}.tolerate[{at}]"
        if tolerance.metric is not None:
            _known(tolerance.metric, f"{place}.metric")
        if not tolerance.reason.strip():
            raise ConfigError(f"{place}.reason", expected="why it is tolerated", got="nothing")
        try:
            date.fromisoformat(tolerance.until)
        except ValueError as error:
            expected = "a day as YYYY-MM-DD"
            raise ConfigError(f"{place}.until", expected=expected, got=tolerance.until) from error


def check_uncertainty(uncertainty: Uncertainty) -> None:
    """Refuse metrics that nobody knows: the family would be without them, and nobody told.

    Raises:
        ConfigError: naming the first that is not right.
    """
    for name in uncertainty.metrics or ():
        _known(name, "conf: uncertainty.metrics")


def _together(policy: Acceptance) -> None:
    """Support is never gated without coverage and false abstention, on the same questions."""
    for at, rule in enumerate(policy.rules):
        if rule.metric not in SUPPORT:
            continue
        beside = {
            other.metric
            for other in policy.rules
            if other.slice == rule.slice and other.severity in ("block", rule.severity)
        }
        missing = [name for name in BESIDE if name not in beside]
        if missing:
            scope = f" with slice {rule.slice}" if rule.slice else ""
            raise ConfigError(
                f"{WHERE}.rules[{at}].metric",
                expected=f"rules on {' and '.join(missing)} beside {rule.metric}{scope}",
                got="none",
                remedy="a system that falls silent can raise its support",
            )


def _known(name: str, where: str) -> Metric:
    found = METRIC.get(name) or at_cutoff(name)
    if found is None:
        raise ConfigError(where, expected=f"a metric{_hint(name)}", got=repr(name))
    return found


def _hint(name: str) -> str:
    """What may be meant by a metric that is none; of one at a cutoff, the name with that."""
    base, _, cutoff = name.partition("@")
    if base == UNCUT:
        return f"; {UNCUT} has no cutoff"
    if base in CUT:  # a cutoff that is none, or none at all
        return f" with its cutoff, such as {base}@10"
    if cutoff:
        return nearest(name, [f"{known}@{cutoff}" for known in CUT]) or f" ({', '.join(CUT)})"
    return nearest(name, [*METRIC, UNCUT]) or f" ({', '.join(METRIC)})"


def _scope(wanted: str | None, where: str) -> None:
    attribute, equals, _ = (wanted or "").partition("=")
    if wanted is not None and not (attribute and equals):
        raise ConfigError(where, expected="attribute=value", got=repr(wanted))


def _once(names: Iterable[str], where: str, noun: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ConfigError(where, expected=f"each {noun} once", got=f"{name!r} twice")
        seen.add(name)
