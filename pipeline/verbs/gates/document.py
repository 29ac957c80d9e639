"""What `gate` needs of a comparison's document."""

from typing import Any, Literal

import msgspec

from pipeline.comparison.outcomes import Outcome
from pipeline.contract.metrics import judge_moves
from pipeline.contract.policy import Severity, Verdict
from pipeline.contract.validity import standing, unlabelled
from pipeline.contract.words import counted


class Tolerated(msgspec.Struct):
    """An exception that a rule leaned on."""

    question: str
    reason: str
    until: str


class Rule(msgspec.Struct):
    """What became of one rule, as `pipeline.comparison.outcomes.stated` writes it."""

    name: str
    severity: Severity
    outcome: Outcome
    measured: int | float | None
    bound: str
    n: int | None
    why: str
    follow_up: str | None
    questions: list[str]
    tolerated: list[Tolerated] = []


class Held(msgspec.Struct):
    """A candidate's verdict with its rules."""

    verdict: Verdict
    rules: list[Rule]


class Worse(msgspec.Struct):
    """A question that got worse."""

    question_id: str


class Candidate(msgspec.Struct):
    """What `gate` needs of a candidate."""

    regressions: list[Worse]
    acceptance: Held | None


class Baseline(msgspec.Struct):
    """What `gate` needs of the baseline."""

    name: str


class Demand(msgspec.Struct):
    """A rule of the policy, or one of its limits; of a share the name is its metric.

    A rule on questions `expects` something, in `metrics`; in none: in all of them.
    """

    severity: Severity
    name: str = ""
    metric: str = ""
    expects: str = ""
    metrics: list[str] = []

    @property
    def leans(self) -> bool:
        """Whether it reads something that follows from what a judge ruled."""
        if self.expects == "no_regression" and self.metrics:
            return any(map(judge_moves, self.metrics))
        return bool(self.expects) or (bool(self.metric) and judge_moves(self.metric))


class Policy(msgspec.Struct):
    """What `gate` needs of the policy."""

    policy: str
    hash: str | None = None
    first_seen: str | None = None
    after_scores: bool = False
    rules: list[Demand] = []
    questions: list[Demand] = []
    limits: dict[str, Demand | list[Demand] | None] = {}

    def leaning(self) -> list[str]:
        """Names of rules that lean on the judge, in the order of the policy."""
        found = [one.name for one in (*self.rules, *self.questions) if one.leans]
        for name, limit in self.limits.items():
            found += [f"na {one.metric}" for one in several(limit) if one.leans]
            found += [name] if name == "unsupported_claims" and limit else []
        return found

    def demanded(self) -> set[tuple[str, Severity]]:
        """Name and severity of every row that a candidate under this policy has."""
        found = {(one.name, one.severity) for one in (*self.rules, *self.questions)}
        for name, limit in self.limits.items():
            if isinstance(limit, Demand):
                found.add((name, limit.severity))
            found |= {(f"na {one.metric}", one.severity) for one in several(limit)}
        return found


class Rate(msgspec.Struct):
    """Items of one kind of ruling that people have labelled too."""

    common: int


class Checked(msgspec.Struct):
    """What `gate` needs of a side's rulings."""

    metrics: dict[str, Rate] = {}


class Judge(msgspec.Struct):
    """What `gate` needs of a model that judged."""

    judge: str
    labels: int
    annotators: int
    sides: dict[str, Checked] = {}


class Made(msgspec.Struct):
    """What tells whether a comparison was made under a policy."""

    schema_version: Literal[2]
    acceptance: dict[str, Any] | None


class Comparison(msgspec.Struct):
    """What `gate` needs of a comparison under a policy."""

    schema_version: Literal[2]
    baseline: Baseline
    candidates: dict[str, Candidate]
    acceptance: Policy
    verdict: Verdict | None
    judge: Judge | None = None

    def unchecked(self) -> str | None:
        """Say that rules lean on a judge that nobody checked; None: none does; not cleaned."""
        names, judge = self.acceptance.leaning(), self.judge
        if judge is None or not names:
            return None
        missing = unlabelled(msgspec.to_builtins(judge), judge.sides)
        if judge.labels and not missing:
            return None
        said = standing(judge.judge, judge.labels, judge.annotators, missing)
        verb = "leans" if len(names) == 1 else "lean"
        return f"judge {said}; {counted(len(names), 'rule')} {verb} on it: {', '.join(names)}"

    def held(self) -> list[tuple[str, Candidate, Held]]:
        """Candidates with their verdicts, in order of name."""
        return [
            (name, one, one.acceptance)
            for name, one in sorted(self.candidates.items())
            if one.acceptance is not None
        ]


def several(limit: Demand | list[Demand] | None) -> list[Demand]:
    """The limits on shares, of which there are several by one name; none of another limit."""
    return limit if isinstance(limit, list) else []
