"""An acceptance policy: what a candidate has to meet, written before it is seen."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from typing import Annotated, Literal

from msgspec import Meta

from pipeline.contract.files import canonical
from pipeline.contract.veil import label

NONE = "none"
"""Name of the policy that measures and judges nothing."""

Severity = Literal["block", "warn"]
"""Whether a rule that is not met stops the candidate, or is only said."""

Verdict = Literal["accept", "reject", "unmeasurable"]

Name = Annotated[str, Meta(pattern=r"^\S(.{0,78}\S)?$")]
Count = Annotated[int, Meta(ge=0)]
Day = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]


@dataclass(frozen=True)
class Rule:
    """A bound on one metric over all questions, or over a slice of them.

    Attributes:
        name: what reports call it.
        metric: key of a metric; of a ranking at a cutoff as `ndcg@10`.
        bound: the worst that passes: the least of a metric of which more is better, else
            the greatest; as a fraction, of a change with its sign.
        reads: the candidate's `value`; its `delta`, the mean change over pairs; or the end
            of the delta's `interval` that is worse for this metric.
        aggregate: `strict` counts errors as the worst value; `macro` leaves them out, and
            `pooled` (sums over sums) too: with errors neither can pass.
        slice: `attribute=value` of questions; None: all.
        least: questions below which the rule is unmeasurable; 0: nothing to measure passes.
        baseline_errors: questions lost to errors of the baseline that a delta may leave out.
        severity: see `Severity`.
        follow_up: what to do when it is not met.
    """

    name: Name
    metric: str
    bound: float
    reads: Literal["value", "delta", "interval"] = "value"
    aggregate: Literal["strict", "macro", "pooled"] = "strict"
    slice: str | None = None
    least: Count = 1
    baseline_errors: Count = 0
    severity: Severity = "block"
    follow_up: str | None = None


@dataclass(frozen=True)
class Tolerance:
    """A question that may break a rule, for a reason and until a day (the day included)."""

    question: str
    reason: Annotated[str, Meta(min_length=1)]
    until: Day
    metric: str | None = None


@dataclass(frozen=True)
class QuestionRule:
    """What single questions have to show, each of them.

    Attributes:
        name: what reports call it.
        expects: `no_regression` in any metric; to `abstain` in every repeat, or to `answer`.
        slice: `attribute=value` of the questions meant.
        ids: the questions by name, beside or instead of a slice; neither: all questions.
        metrics: of a regression; empty: every metric that is compared, and leaks.
        tolerate: exceptions. None of them covers an error or a leak.
        least: questions below which the rule is unmeasurable; 0: none at all passes.
        baseline_errors: questions lost to errors of the baseline that may be left out.
        severity: see `Severity`.
        follow_up: what to do when it is not met.
    """

    name: Name
    expects: Literal["no_regression", "abstain", "answer"]
    slice: str | None = None
    ids: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    tolerate: tuple[Tolerance, ...] = ()
    least: Count = 1
    baseline_errors: Count = 0
    severity: Severity = "block"
    follow_up: str | None = None


@dataclass(frozen=True)
class Limit:
    """The greatest number that passes."""

    most: Count
    severity: Severity = "block"
    follow_up: str | None = None


@dataclass(frozen=True)
class Share:
    """The greatest share of a metric's questions that may have no value, 0 to 1."""

    metric: str
    most: Annotated[float, Meta(ge=0, le=1)]
    severity: Severity = "block"
    follow_up: str | None = None


@dataclass(frozen=True)
class Limits:
    """Limits on what the candidate does, over all questions; None: no limit.

    Attributes:
        failures: responses that failed.
        judge_failures: responses on which the judge failed.
        unsupported_claims: claims made less those supported, over all responses.
        unresolved: questions with labels in dispute.
        leaks: documents shown to somebody who may not read them; 0 unless it says otherwise.
        na: shares of questions without a value.
    """

    failures: Limit | None = None
    judge_failures: Limit | None = None
    unsupported_claims: Limit | None = None
    unresolved: Limit | None = None
    leaks: Limit | None = field(default_factory=lambda: Limit(0))
    na: tuple[Share, ...] = ()


@dataclass(frozen=True)
class Acceptance:
    """A policy by name; that named `none` has no rules and judges nothing."""

    policy: Name
    rules: tuple[Rule, ...] = ()
    questions: tuple[QuestionRule, ...] = ()
    limits: Limits = field(default_factory=Limits)

    @property
    def judges(self) -> bool:
        """Whether anything is demanded of a candidate."""
        return self.policy != NONE

    @property
    def hash(self) -> str:
        """SHA-256 over all of it, defaults filled in."""
        return sha256(canonical(asdict(self)).encode()).hexdigest()

    @property
    def intervals(self) -> tuple[tuple[str, str, str], ...]:
        """Metric, attribute and value ('', '': all questions) of each interval it reads."""
        read = [rule for rule in self.rules if rule.reads == "interval"]
        return tuple(dict.fromkeys((rule.metric, *scope(rule.slice)) for rule in read))


def renamed(policy: Acceptance, names: Mapping[str, str]) -> Acceptance:
    """The policy with other names for some metrics: what is the same under two of them."""

    def name(metric: str) -> str:
        return names.get(metric, metric)

    def tolerance(one: Tolerance) -> Tolerance:
        return replace(one, metric=None if one.metric is None else name(one.metric))

    return replace(
        policy,
        rules=tuple(replace(rule, metric=name(rule.metric)) for rule in policy.rules),
        questions=tuple(
            replace(
                rule,
                metrics=tuple(map(name, rule.metrics)),
                tolerate=tuple(map(tolerance, rule.tolerate)),
            )
            for rule in policy.questions
        ),
        limits=replace(
            policy.limits,
            na=tuple(replace(share, metric=name(share.metric)) for share in policy.limits.na),
        ),
    )


def scope(wanted: str | None) -> tuple[str, str]:
    """Attribute and value of a slice `attribute=value`; '', '' for all questions."""
    attribute, _, value = (wanted or "").partition("=")
    return attribute, value


def in_slice(wanted: str | None, attributes: Mapping[str, str]) -> bool:
    """Whether a question with these attributes, or with hashes of them, is in the slice."""
    attribute, value = scope(wanted)
    return wanted is None or attributes.get(attribute) in (value, label(value, "ids"))
