"""Hold one candidate to a policy: every rule with what it measured, and the verdict."""

from datetime import date
from typing import Any

from pipeline.comparison.bounds import hold
from pipeline.comparison.grounds import Grounds
from pipeline.comparison.limits import hold_limits
from pipeline.comparison.outcomes import stated, verdict
from pipeline.comparison.single import hold_questions
from pipeline.contract.policy import Acceptance


def judge(policy: Acceptance, grounds: Grounds, *, today: date) -> dict[str, Any] | None:
    """Judge one candidate.

    Args:
        policy: as `check_policy` of the settings let it pass.
        grounds: what is known of the baseline and the candidate.
        today: the day on which tolerances are looked at.

    Returns:
        `verdict`, and `rules` in order of the policy, each with `name`, `severity`,
        `outcome`, `measured` (null: nothing), `bound` in words, `n`, `why`, `follow_up`,
        `questions` that break it and `tolerated` that it leaned on; None under the policy
        `none`. Turning a value of the candidate into an error turns no `fail` into a
        `pass`, so that no reject becomes accept.
    """
    if not policy.judges:
        return None
    rules = [stated(rule.name, rule, hold(rule, grounds)) for rule in policy.rules]
    rules += [
        stated(rule.name, rule, hold_questions(rule, grounds, today=today))
        for rule in policy.questions
    ]
    rules += hold_limits(policy.limits, grounds.after)
    return {"verdict": verdict(rules), "rules": rules}
