"""The verdict over rules and candidates."""

import json

from pipeline.comparison.acceptance import judge
from pipeline.comparison.outcomes import worst
from pipeline.contract.policy import Acceptance, Limit, Limits, Rule
from tests.comparison.judging import TODAY, grounds, held, new, old

PASS, FAIL = Rule("passes", "recall", 0.5), Rule("fails", "recall", 1.0)
OPEN = Rule("open", "recall", 0.5, least=9)
ON = grounds(old("a"), new("a", recall=0.5))


def test_one_broken_rule_rejects_whatever_the_others_say() -> None:
    assert held(PASS, OPEN, FAIL, on=ON)["verdict"] == "reject"
    assert held(PASS, OPEN, on=ON)["verdict"] == "unmeasurable"
    assert held(PASS, on=ON)["verdict"] == "accept"


def test_a_rule_that_warns_is_said_and_does_not_count() -> None:
    warn = Rule("warns", "recall", 1.0, severity="warn", follow_up="look")
    found = held(PASS, warn, on=ON)
    assert found["verdict"] == "accept"
    assert found["rules"][1]["outcome"] == "fail"
    assert found["rules"][1]["follow_up"] == "look"


def test_rules_come_in_the_order_of_the_policy_and_limits_last() -> None:
    found = held(FAIL, PASS, on=ON, limits=Limits(failures=Limit(0)))
    assert [row["name"] for row in found["rules"]] == ["fails", "passes", "failures", "leaks"]
    json.dumps(found, allow_nan=False)


def test_the_policy_none_judges_nothing() -> None:
    assert judge(Acceptance("none"), ON, today=TODAY) is None


def test_over_candidates_it_is_the_worst() -> None:
    assert worst(["accept", "unmeasurable", "reject"]) == "reject"
    assert worst(["accept", "unmeasurable"]) == "unmeasurable"
    assert worst(["accept"]) == "accept"
    assert worst([]) is None
