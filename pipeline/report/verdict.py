"""The verdict in words, and the rules of acceptance that it rests on."""

from dataclasses import dataclass
from typing import Any

from pipeline.contract.spelling import clean
from pipeline.contract.veil import Content, words
from pipeline.contract.words import counted

WORDS = {
    "accept": "Accept",
    "reject": "Reject",
    "unmeasurable": "Cannot be decided",
    None: "Measured only",
}
OUTCOME = {"pass": "met", "fail": "broken", "unmeasurable": "could not be measured"}
ORDER = ("fail", "unmeasurable", "pass")


@dataclass(frozen=True)
class Rule:
    """One rule of the policy, how the candidate stands to it, and exceptions leaned on.

    `follow_up` says what is to be done; empty where the rule is met, or says nothing.
    """

    name: str
    blocks: bool
    outcome: str
    says: str
    measured: str
    bound: str
    n: int | None
    why: str
    follow_up: str
    questions: list[str]
    tolerated: list[str]


@dataclass(frozen=True)
class Verdict:
    """One candidate's verdict: `kind` for its colour, a word, and the sentence behind it.

    `late`: the policy was first seen after the candidate's scores.
    """

    kind: str
    word: str
    why: str
    rules: list[Rule]
    late: bool


def verdict(found: dict[str, Any], content: Content, *, late: bool) -> Verdict:
    """Read the verdict on one candidate from its entry in the comparison.

    What a policy says of its rules is meant to be read, and is shown whole; the reason of a
    tolerance tells of one question, and may hold words of it.

    Args:
        found: the entry.
        content: how much of the texts may be shown.
        late: whether the policy was first seen after the candidate's scores.
    """
    acceptance = found.get("acceptance") or {}
    outcome = acceptance.get("verdict")
    rules = sorted(
        (_rule(rule, content) for rule in acceptance.get("rules") or ()),
        key=lambda rule: (ORDER.index(rule.outcome), not rule.blocks),
    )
    return Verdict(outcome or "none", WORDS[outcome], _why(outcome, rules), rules, late)


def _rule(rule: dict[str, Any], content: Content) -> Rule:
    measured = rule["measured"]
    return Rule(
        clean(rule["name"]),
        rule["severity"] == "block",
        rule["outcome"],
        OUTCOME[rule["outcome"]],
        "n/a" if measured is None else f"{measured:.4g}",
        clean(rule["bound"] or ""),
        rule["n"],
        clean(rule["why"] or ""),
        clean(rule.get("follow_up") or "") if rule["outcome"] != "pass" else "",
        [clean(question) for question in rule.get("questions") or ()],
        [_tolerated(one, content) for one in rule.get("tolerated") or ()],
    )


def _tolerated(one: dict[str, Any], content: Content) -> str:
    reason = words(one["reason"], content)
    said = f"{one['question']} until {one['until']}"
    return clean(said if reason is None else f"{said}: {reason}")


def _said(rule: Rule) -> str:
    """A rule that stops the candidate: what was measured against what bound, or why nothing."""
    if rule.outcome == "unmeasurable":
        return f"{rule.name}: {rule.why or rule.says}"
    return f"{rule.name}: {rule.measured}, bound {rule.bound}"


def _why(outcome: str | None, rules: list[Rule]) -> str:
    """Why it came out so, in one sentence."""
    if outcome is None:
        return "No acceptance policy was set, so nothing was accepted or rejected."
    stopping = [rule for rule in rules if rule.blocks and rule.outcome != "pass"]
    if outcome == "accept":
        warned = [rule for rule in rules if rule.outcome != "pass"]
        also = f"; {counted(len(warned), 'warning')}" if warned else ""
        return f"All blocking rules of the policy are met{also}."
    names = "; ".join(map(_said, stopping[:3]))
    more = f"; and {len(stopping) - 3} more" if len(stopping) > 3 else ""
    return f"{names}{more}." if names else "See the rules below."
