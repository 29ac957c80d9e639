"""No error of a candidate ever helps it: a reject stays one, and a rule broken never passes."""

from collections import Counter
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.contract.results import Judged
from tests.comparison.chances import (
    a_policy,
    judged_by,
    two_systems,
    values_of,
    with_error,
    with_failure,
)

seeds = st.integers(0, 2**32)
some = settings(max_examples=30, deadline=None)


def no_better(before: dict[str, Any], after: dict[str, Any]) -> None:
    for old, new in zip(before["rules"], after["rules"], strict=True):
        assert old["outcome"] == "pass" or new["outcome"] != "pass", (old, new)
    assert (before["verdict"], after["verdict"]) != ("reject", "accept")


@some
@given(seeds)
def test_an_error_in_place_of_a_value_never_turns_reject_into_accept(seed: int) -> None:
    chance, world = Random(seed), two_systems(seed)
    policy = a_policy(chance, world)
    values = values_of(world, chance)
    before = judged_by(policy, values, world)
    for _ in range(3):
        values = with_error(values, chance)
        after = judged_by(policy, values, world)
        no_better(before, after)
        before = after


@some
@given(seeds)
def test_a_response_that_fails_never_turns_reject_into_accept(seed: int) -> None:
    chance, world = Random(seed), two_systems(seed)
    policy = a_policy(chance, world)
    before = judged_by(policy, (values_of(world, chance)[0], Judged.empty()), world)
    for _ in range(3):
        world = with_failure(world, chance)
        after = judged_by(policy, (values_of(world, chance)[0], Judged.empty()), world)
        no_better(before, after)
        before = after


def test_the_worlds_and_policies_come_to_every_outcome() -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for seed in range(60):
        chance, world = Random(seed), two_systems(seed)
        policy = a_policy(chance, world)
        found = judged_by(policy, values_of(world, chance), world)
        kinds = [rule.reads for rule in policy.rules] + [one.expects for one in policy.questions]
        for kind, row in zip(kinds, found["rules"], strict=False):
            seen[kind, row["outcome"]] += 1
        seen["", found["verdict"]] += 1
    for kind in ("value", "delta", "interval", "no_regression", "abstain", "answer"):
        assert seen[kind, "fail"], kind
        assert seen[kind, "pass"] or seen[kind, "unmeasurable"], kind
    assert all(seen["", verdict] for verdict in ("accept", "reject", "unmeasurable"))
