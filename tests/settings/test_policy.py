"""Policies that are refused, each by the key that has to be mended."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.contract.errors import ConfigError
from pipeline.contract.policy import Limit, Limits, Rule
from pipeline.settings import acceptance
from pipeline.stages.compose import composed

CONF = Path(__file__).parents[2] / "conf"
RULE = {"name": "r", "metric": "recall", "bound": 0.5}
SINGLE = {"name": "q", "expects": "no_regression"}
LEAVE = {"question": "a", "reason": "known", "until": "2026-12-31"}


def policy(**given: Any) -> dict[str, Any]:
    return {"acceptance": {"policy": "mine", **given}}


def single(**given: Any) -> dict[str, Any]:
    return policy(questions=[{**SINGLE, **given}])


def test_what_is_left_out_has_its_default_and_leaks_are_not_tolerated() -> None:
    found = acceptance(policy(rules=[RULE], limits={"failures": {"most": 3}}))
    assert found.rules == (Rule("r", "recall", 0.5, "value", "strict", None, 1, 0, "block", None),)
    assert found.limits == Limits(failures=Limit(3), leaks=Limit(0))


def test_a_policy_spelled_out_has_the_hash_of_the_short_one() -> None:
    long = policy(rules=[{**RULE, "reads": "value", "least": 1, "slice": None}], questions=[])
    assert acceptance(long).hash == acceptance(policy(rules=[RULE])).hash
    other = acceptance(policy(rules=[{**RULE, "bound": 0.51}]))
    assert other.hash != acceptance(long).hash


def test_a_policy_of_another_name_judges_by_leaks_alone() -> None:
    assert acceptance(policy()).judges
    assert not acceptance({"acceptance": {"policy": "none"}}).judges


def test_it_names_the_intervals_that_it_reads() -> None:
    read = {**RULE, "reads": "interval"}
    rules = [read, {**read, "name": "s", "slice": "tag=x"}, {**RULE, "name": "t"}]
    assert acceptance(policy(rules=rules)).intervals == (
        ("recall", "", ""), ("recall", "tag", "x"),
    )  # fmt: skip


def test_the_policy_for_retrieval_asks_for_nothing_that_an_answer_has() -> None:
    found = acceptance(composed(CONF, ["acceptance=retrieval"]))
    named = [rule.metric for rule in found.rules]
    named += [metric for single in found.questions for metric in single.metrics]
    assert set(named) == {"precision", "recall", "reciprocal_rank"}
    assert all(single.metrics for single in found.questions)  # none: every metric compared
    assert found.limits.judge_failures is None


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (policy(rules=[{**RULE, "metric": "recal"}]),
         r"rules\[0\]\.metric: expected a metric \(did you mean 'recall'\?\), got 'recal'"),
        (policy(rules=[RULE, {**RULE, "name": "s", "bond": 1}]),
         r"rules\[1\]\.bond: expected a known key \(did you mean 'bound'\?\)"),
        (policy(rules=[{"name": "r", "metric": "recall"}]),
         r"rules\[0\]\.bound: expected a value, got no such key"),
        (policy(rules=[{**RULE, "aggregate": "mean"}]),
         r"rules\[0\]\.aggregate: expected one of strict, macro, pooled"),
        (policy(rules=[{**RULE, "bound": 1.5}]),
         r"rules\[0\]\.bound: expected a number from 0 to 1, since it reads value, got 1.5"),
        (policy(rules=[{**RULE, "bound": -2, "reads": "delta"}]),
         r"rules\[0\]\.bound: expected a number from -1 to 1, since it reads delta"),
        (policy(rules=[{**RULE, "bound": float("nan")}]), r"bound: expected a number from 0 to 1"),
        (policy(rules=[{**RULE, "metric": "reciprocal_rank", "aggregate": "pooled"}]),
         "aggregate: expected strict or macro, since reciprocal_rank has no sums to pool"),
        (policy(rules=[{**RULE, "aggregate": "pooled", "reads": "interval"}]),
         "aggregate: expected strict or macro, as intervals are"),
        (policy(rules=[{**RULE, "slice": "critical"}]), r"slice: expected attribute=value"),
        (policy(rules=[{**RULE, "severity": "stop"}]), "severity: expected one of block, warn"),
        (policy(rules=[{**RULE, "least": -1}]), "least: expected a whole number, 0 or more"),
        (policy(rules=[RULE, RULE]), "acceptance: expected each name once, got 'r' twice"),
        (policy(rules=[RULE], questions=[{**SINGLE, "name": "r"}]), "expected each name once"),
        (policy(rules=[{**RULE, "name": "leaks"}]), "expected each name once, got 'leaks' twice"),
        (policy(rules={"r": RULE}), "rules: expected a list"),
        (policy(rules=["recall"]), r"rules\[0\]: expected a mapping"),
        (policy(limits={"leaks": None}), "rules: expected a rule or a limit, got none"),
        (policy(limits={"failures": 0}), r"limits\.failures: expected a mapping"),
        (policy(limits={"failures": {"most": -1}}), r"limits\.failures\.most: expected a whole"),
        (policy(limits={"na": [{"metric": "x", "most": 0}]}), r"limits\.na\[0\]\.metric: expected"),
        (policy(limits={"na": [{"metric": "recall", "most": 2}]}), r"na\[0\]\.most: expected"),
        ({"acceptance": {"policy": "none", "rules": [RULE]}},
         r"acceptance\.policy: expected a name of its own"),
        ({"acceptance": {"policy": "none", "limits": {"failures": {"most": 0}}}},
         r"acceptance\.policy: expected a name of its own"),
        (policy(rules=[{**RULE, "metric": "ndgc@10"}]),
         r"rules\[0\]\.metric: expected a metric \(did you mean 'ndcg@10'\?\), got 'ndgc@10'"),
        (policy(rules=[{**RULE, "metric": "recal@5"}]), r"did you mean 'recall@5'\?"),
        (policy(rules=[{**RULE, "metric": "ndcg"}]),
         "expected a metric with its cutoff, such as ndcg@10, got 'ndcg'"),
        (policy(rules=[{**RULE, "metric": "ndcg@0"}]), "with its cutoff, such as ndcg@10"),
        (policy(rules=[{**RULE, "metric": "ndcg@123456"}]), "with its cutoff, such as ndcg@10"),
        (policy(rules=[{**RULE, "metric": "ap@5"}]), "expected a metric; ap has no cutoff"),
        (policy(rules=[{**RULE, "metric": "ndcg@5", "aggregate": "pooled"}]),
         "aggregate: expected strict or macro, since ndcg@5 has no sums to pool"),
        (single(metrics=["judged@10"]),
         "metrics: expected metrics that a question can be worse in, got 'judged@10', which says"),
        (single(metrics=["recal"]), r"questions\[0\]\.metrics: expected a metric"),
        (single(metrics=["support"]), "metrics: expected coverage and false_abstention beside"),
        (single(expects="abstain"), r"expected the questions that it expects to abstain"),
        (single(expects="answer", ids=["a"], metrics=["recall"]), "metrics: expected none"),
        (single(expects="answer", ids=["a"], baseline_errors=1), "baseline_errors: expected none"),
        (single(ids=["a", "a"]), "ids: expected each id once, got 'a' twice"),
        (single(tolerate=[{**LEAVE, "until": "2026-02-30"}]),
         r"tolerate\[0\]\.until: expected a day as YYYY-MM-DD, got 2026-02-30"),
        (single(tolerate=[{**LEAVE, "until": "soon"}]), r"tolerate\[0\]\.until"),
        (single(tolerate=[{**LEAVE, "reason": " "}]), r"tolerate\[0\]\.reason: expected why"),
        (single(tolerate=[{"question": "a", "until": "2026-12-31"}]),
         r"tolerate\[0\]\.reason: expected a value"),
    ],
)  # fmt: skip
def test_what_means_nothing_is_refused_by_its_key(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        acceptance(params)


@pytest.mark.parametrize("metric", ["ndcg@10", "recall@1", "ap", "judged@5"])
def test_a_rule_may_be_on_a_ranking_at_a_cutoff(metric: str) -> None:
    (rule,) = acceptance(policy(rules=[{**RULE, "metric": metric}])).rules
    assert rule.metric == metric


@pytest.mark.parametrize("metric", ["support", "support_unanswerable"])
def test_support_is_never_gated_without_what_shows_silence(metric: str) -> None:
    support = {**RULE, "metric": metric, "slice": "tag=x"}
    beside = [
        {**RULE, "name": name, "metric": name, "slice": "tag=x"}
        for name in ("coverage", "false_abstention")
    ]
    acceptance(policy(rules=[support, *beside]))
    message = "rules on false_abstention beside .* with slice tag=x"
    with pytest.raises(ConfigError, match=message):
        acceptance(policy(rules=[support, beside[0]]))
    for changed in ({"slice": None}, {"severity": "warn"}):  # elsewhere, or not in the way
        with pytest.raises(ConfigError, match=message):
            acceptance(policy(rules=[support, beside[0], {**beside[1], **changed}]))
