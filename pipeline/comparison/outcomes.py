"""What became of one rule of a policy, as it stands in a comparison."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pipeline.contract.policy import Severity, Verdict

Outcome = Literal["pass", "fail", "unmeasurable"]

WORST: tuple[Verdict, ...] = ("reject", "unmeasurable", "accept")
"""Verdicts, the worst first."""


class Demand(Protocol):
    """What every rule and limit of a policy has."""

    @property
    def severity(self) -> Severity:
        """Whether it blocks."""

    @property
    def follow_up(self) -> str | None:
        """What to do when it is not met."""


@dataclass(frozen=True)
class Measured:
    """What a rule read off the results.

    Attributes:
        value: the number held against the bound; None: there is none.
        n: questions, or responses, that it is over.
        breaks: whether it is beyond the bound.
        bound: the bound in words.
        refused: why it says nothing whatever the number is.
        hidden: why it may not pass though the number does: what an error, or a thing that is
            not known, could hide.
        notes: what else is to be known.
        questions: ids of those that break it.
        tolerated: exceptions that it leaned on.
    """

    value: float | None
    n: int
    breaks: bool
    bound: str
    refused: Sequence[str] = ()
    hidden: Sequence[str] = ()
    notes: Sequence[str] = ()
    questions: Sequence[str] = ()
    tolerated: Sequence[dict[str, Any]] = field(default_factory=tuple)


def stated(name: str, rule: Demand, measured: Measured) -> dict[str, Any]:
    """One rule's row of a comparison; what broke it is named only where it failed."""
    outcome = _outcome(measured)
    why = [*measured.refused, *(measured.hidden if outcome != "fail" else ()), *measured.notes]
    return {
        "name": name,
        "severity": rule.severity,
        "outcome": outcome,
        "measured": measured.value,
        "bound": measured.bound,
        "n": measured.n,
        "why": "; ".join(why),
        "follow_up": rule.follow_up,
        "questions": list(measured.questions) if outcome == "fail" else [],
        "tolerated": list(measured.tolerated),
    }


def _outcome(measured: Measured) -> Outcome:
    if measured.refused:
        return "unmeasurable"
    if measured.breaks:
        return "fail"
    return "unmeasurable" if measured.hidden else "pass"


def verdict(rules: Iterable[dict[str, Any]]) -> Verdict:
    """What rows of `stated` come to: those that only warn do not count."""
    outcomes = {rule["outcome"] for rule in rules if rule["severity"] == "block"}
    if "fail" in outcomes:
        return "reject"
    return "unmeasurable" if "unmeasurable" in outcomes else "accept"


def worst(verdicts: Iterable[Verdict]) -> Verdict | None:
    """The verdict over all candidates; None without any."""
    return min(verdicts, key=WORST.index, default=None)
