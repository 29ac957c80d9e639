"""What has to hold whatever the data are."""

from copy import deepcopy
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.contract.metrics import AGGREGATED, METRICS
from tests.scoring.cases import averaged, scored
from tests.scoring.worlds import Said, World, a_world

seeds = st.integers(0, 2**32)
few = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
MEANS = ("macro", "strict", "pooled", "low", "high", "sd")


@few
@given(seeds)
def test_no_metric_and_no_average_leaves_zero_to_one(seed: int) -> None:
    world = a_world(seed)
    for row in scored(world):
        for metric in METRICS:
            value, low, high = (row[f"{metric.name}{end}"] for end in ("", "_low", "_high"))
            assert all(number is None or 0 <= number <= 1 for number in (value, low, high))
            assert (value is None) == (row[f"{metric.name}_reason"] is not None)
            assert (low is None) == (high is None)
            assert low is None or (value is None and low <= high)
    for row in averaged(world).values():
        assert all(row[name] is None or 0 <= row[name] <= 1 for name in MEANS)


@few
@given(seeds)
def test_the_interval_of_an_average_holds_its_value(seed: int) -> None:
    for row in averaged(a_world(seed)).values():
        assert (row["low"] is None) == (row["high"] is None)
        assert row["low"] is None or row["low"] <= row["high"]
        if not row["na_unresolved"]:
            assert row["low"] == row["macro"] == row["high"]


@few
@given(seeds, st.sampled_from(["failed", "failed and lost", "judge_failed"]))
def test_turning_a_response_into_an_error_never_betters_a_strict_value(
    seed: int, error: str
) -> None:
    before = a_world(seed)
    after = deepcopy(before)
    response = Random(seed).choice(after.responses)
    fail(response, error)
    old, new = averaged(before), averaged(after)
    for key, row in new.items():
        metric = next(metric for metric in AGGREGATED if metric.name == key[3])
        was, now = old[key]["strict"], row["strict"]
        if was is None or now is None:
            assert was is None
        elif metric.better == "higher":
            assert now <= was
        else:
            assert now >= was


def fail(response: Said, error: str) -> None:
    """Make an error of a response; its ranking stays unless it is lost with the answer."""
    if error == "judge_failed":
        response.judged = False
        return
    response.failed, response.claims = True, None
    if error == "failed and lost":
        response.ranking = None


@few
@given(seeds, st.integers(2, 4))
def test_running_the_same_repeats_again_changes_no_mean(seed: int, times: int) -> None:
    before = a_world(seed)
    after = deepcopy(before)
    count = {said.system: 0 for said in before.responses}
    for said in before.responses:
        count[said.system] = max(count[said.system], said.repeat)
    for again in range(1, times):
        for said in before.responses:
            copy = deepcopy(said)
            copy.repeat += again * count[said.system]
            after.responses.append(copy)
    old, new = averaged(before), averaged(after)
    for key, row in new.items():
        assert {name: row[name] for name in (*MEANS, "n")} == {
            name: old[key][name] for name in (*MEANS, "n")
        }
        assert row["n_values"] == times * old[key]["n_values"]


@few
@given(seeds)
def test_the_order_of_rows_changes_nothing(seed: int) -> None:
    world = a_world(seed)
    shuffled = deepcopy(world)
    chance = Random(seed + 1)
    chance.shuffle(shuffled.questions)
    chance.shuffle(shuffled.responses)
    for question in shuffled.questions:
        question.relevant = mixed(chance, question.relevant)
        question.support = mixed(chance, question.support)
    assert scored(shuffled) == scored(world)
    assert averaged(shuffled) == averaged(world)


def mixed(chance: Random, items: dict[Any, Any]) -> dict[Any, Any]:
    return dict(chance.sample(sorted(items.items()), len(items)))


@few
@given(seeds)
def test_every_response_of_a_slice_has_a_value_or_is_counted_as_left_out(seed: int) -> None:
    world = a_world(seed)
    for (system, attribute, value, _), row in averaged(world).items():
        named = {
            question.name
            for question in world.questions
            if not attribute or question.attributes.get(attribute) == value
        }
        responses = [
            said for said in world.responses if said.system == system and said.question in named
        ]
        left_out = sum(count for name, count in row.items() if name.startswith("na_"))
        assert row["n_values"] + left_out == len(responses)


@few
@given(seeds)
def test_a_system_is_scored_the_same_whoever_else_is_scored(seed: int) -> None:
    world = a_world(seed)
    for system in {said.system for said in world.responses}:
        alone = deepcopy(world)
        alone.responses = [said for said in world.responses if said.system == system]
        assert scored(alone) == [row for row in scored(world) if row["system"] == system]


def test_a_world_without_responses_has_no_row() -> None:
    assert scored(World({"a": None}, ["a"], [], [])) == []
    assert averaged(World({"a": None}, ["a"], [], [])) == {}
