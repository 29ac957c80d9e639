"""Differences with what may be chance in them: hand-counted cases and invariants."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from pipeline.scoring.arrays import Floats, Ints
from pipeline.scoring.difference import EQUAL, Difference
from pipeline.scoring.means import over_repeats
from pipeline.scoring.paired import differences, pooled_differences
from pipeline.scoring.pairs import Means
from pipeline.scoring.resampled import resampled

SHARES = st.sampled_from([-1, -2 / 3, -0.5, -1 / 3, 0, 0, 0, 1 / 3, 0.5, 2 / 3, 1])
DELTAS = st.lists(SHARES | st.floats(-1, 1), min_size=2, max_size=40)


def of(deltas: Floats | Sequence[float], clusters: Ints | None = None, seed: int = 7) -> Difference:
    column = np.asarray(deltas, float)[:, None]
    there = np.ones(column.shape, np.bool_)
    return differences(column, there, seed=seed, clusters=clusters, resamples=500)[0]


def mirrored(found: Difference) -> tuple[float, ...]:
    assert found.mean is not None
    assert found.low is not None
    assert found.high is not None
    assert found.se is not None
    assert found.p is not None
    return -found.mean, found.se, -found.high, -found.low, found.p


def plain(found: Difference) -> tuple[float | None, ...]:
    return found.mean, found.se, found.low, found.high, found.p


def test_mean_and_standard_error_are_those_of_the_deltas() -> None:
    # 1, 0, 0, 0.5: mean 3/8; squares off it 25 + 9 + 9 + 1 = 44/64, over 3, over 4
    found = of([1, 0, 0, 0.5])
    assert (found.n, found.clusters, found.mean) == (4, 4, 0.375)
    assert found.se == pytest.approx(math.sqrt(44 / 64 / 3 / 4))
    assert found.sd == pytest.approx(math.sqrt(44 / 64 / 3))


def test_no_question_has_no_difference() -> None:
    found = differences(np.zeros((3, 1)), np.zeros((3, 1), np.bool_), seed=7)[0]
    assert (found.n, found.mean, found.p, found.small) == (0, None, None, True)
    assert found.reason == "no question is defined on both sides"


def test_one_question_or_cluster_has_a_difference_without_an_interval() -> None:
    for found in (of([0.5]), of([0.5, 0.5], np.array([4, 4]))):
        assert (found.mean, found.se, found.low, found.high, found.p) == (0.5, *[None] * 4)
        assert found.reason in ("one question only", "one cluster only")
        assert found.sd is None


def test_equal_deltas_leave_open_what_none_of_these_questions_did() -> None:
    # 20 alike: a share r of others is missed by all 20 with a chance of (1 - r)^20 = 0.025
    share = 1 - 0.025 ** (1 / 20)
    none, half = of([0] * 20), of([0.5] * 20)
    assert (none.mean, none.se, none.p, none.reason) == (0, 0, 1, EQUAL)
    assert (none.low, none.high) == pytest.approx((-share, share))
    assert (half.low, half.high) == pytest.approx((0.5 - 1.5 * share, 0.5 + 0.5 * share))
    assert none.small


def test_fewer_than_ten_questions_that_differ_are_small() -> None:
    assert of([1] * 9 + [0] * 200).small
    assert not of([1] * 10 + [0] * 200).small
    assert of([0.1 * k for k in range(9)]).small


def test_each_metric_has_the_questions_that_it_is_defined_for() -> None:
    deltas = np.random.default_rng(1).random((30, 2))
    there = np.ones((30, 2), np.bool_)
    there[::3, 1] = False
    deltas[::3, 1] = np.nan
    both = differences(deltas, there, seed=7, resamples=500)
    assert both == [of(deltas[:, 0]), of(deltas[there[:, 1], 1])]


@settings(deadline=None, max_examples=30)
@given(DELTAS, st.integers(0, 99))
def test_exchanged_systems_change_every_sign_and_nothing_else(
    deltas: list[float], seed: int
) -> None:
    assert plain(of(np.negative(deltas), seed=seed)) == mirrored(of(deltas, seed=seed))


@settings(deadline=None, max_examples=30)
@given(DELTAS.flatmap(lambda d: st.tuples(st.just(d), st.permutations(d))))
def test_the_order_of_the_questions_does_not_matter(both: tuple[list[float], ...]) -> None:
    assert of(both[0]) == of(both[1])


@settings(deadline=None, max_examples=30)
@given(DELTAS)
def test_the_interval_holds_the_mean_and_stays_within_what_is_possible(
    deltas: list[float],
) -> None:
    found = of(deltas)
    assert found.mean is not None
    assert found.low is not None
    assert found.high is not None
    assert -1 <= found.low <= found.mean <= found.high <= 1
    assert found.p is not None
    assert 0 < found.p <= 1


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=9))
def test_a_repeat_twice_over_changes_nothing(values: list[float]) -> None:
    once = np.array([values, values[::-1]])
    twice = np.concatenate([once, once])
    means = [over_repeats(side, np.ones(side.shape, np.bool_))[0] for side in (once, twice)]
    assert of(means[0]) == of(means[1])


def test_clusters_of_one_are_questions() -> None:
    deltas = np.random.default_rng(2).choice([-0.5, 0, 0, 1], 40)
    assert plain(of(deltas, np.arange(40)[::-1])) == plain(of(deltas))


def test_questions_of_one_document_that_move_together_say_less() -> None:
    deltas = np.repeat(np.random.default_rng(2).choice([-0.5, 0, 0.5, 1], 25), 8)
    apart, together = of(deltas), of(deltas, np.repeat(np.arange(25), 8))
    assert (together.n, together.clusters, together.mean) == (200, 25, apart.mean)
    assert apart.se is not None
    assert together.se is not None
    # 8 equal ones are one: sqrt(8) times, but for 199 / 24 in place of 200 / 25
    assert together.se == pytest.approx(apart.se * math.sqrt(8 * 199 / 200 * 25 / 24))


@pytest.mark.parametrize("n", [60, 3_000])
def test_the_company_of_other_metrics_does_not_show(n: int) -> None:
    deltas = np.random.default_rng(1).normal(0, 0.3, (n, 3)).clip(-1, 1)
    deltas[:, 2] = np.round(deltas[:, 2])
    alone = [of(deltas[:, metric]) for metric in range(3)]
    assert differences(deltas, np.ones(deltas.shape, np.bool_), seed=7, resamples=500) == alone


def test_pooled_ratios_weigh_questions_by_their_denominators() -> None:
    # 1/1 and 1/4 against 1/1 and 3/4: 2/5 and 4/5
    sides = [(np.array([1.0, 1]), np.array([1.0, 4])), (np.array([1.0, 3]), np.array([1.0, 4]))]
    there = np.ones((2, 1), np.bool_)
    found = pooled_differences(sides[:1], sides[1:], there, seed=7, resamples=500)[0]
    assert found.mean == pytest.approx(0.4)
    back = pooled_differences(sides[1:], sides[:1], there, seed=7, resamples=500)[0]
    assert plain(back) == mirrored(found)


def test_pooled_over_equal_denominators_is_the_mean() -> None:
    random = np.random.default_rng(4)
    tops = random.integers(0, 6, (2, 80)).astype(float)
    fives = np.full(80, 5.0)
    there = np.ones((80, 1), np.bool_)
    found = pooled_differences(
        [(tops[0], fives)], [(tops[1], fives)], there, seed=7, resamples=5_000
    )[0]
    mean = differences(((tops[1] - tops[0]) / 5)[:, None], there, seed=7, resamples=5_000)[0]
    assert found.mean == pytest.approx(mean.mean)
    assert found.se == pytest.approx(mean.se)
    assert found.p == pytest.approx(mean.p, abs=0.04)
    # ends differ by what draws do: 0.06 standard errors and as much again, a grid of 1/400
    assert found.low == pytest.approx(mean.low, abs=0.3 * (mean.se or 0) + 1 / 400)
    assert found.high == pytest.approx(mean.high, abs=0.3 * (mean.se or 0) + 1 / 400)


def test_a_side_without_denominators_has_no_ratio() -> None:
    nothing, something = (np.zeros(3), np.zeros(3)), (np.ones(3), np.ones(3))
    there = np.ones((3, 1), np.bool_)
    found = pooled_differences([nothing], [something], there, seed=7)[0]
    assert (found.n, found.mean, found.reason) == (3, None, "a side has nothing to divide by")


def test_what_no_share_can_be_is_our_own_bug() -> None:
    with pytest.raises(ValueError, match="deltas"):
        of([0.5, 1.5])
    with pytest.raises(ValueError, match="deltas"):
        of([0.5, math.nan])
    with pytest.raises(ValueError, match="level"):
        differences(np.zeros((2, 1)), np.ones((2, 1), np.bool_), seed=7, level=95)
    there = np.ones((1, 1), np.bool_)
    sides = [(np.array([2.0]), np.array([1.0]))]
    with pytest.raises(ValueError, match="numerators"):
        pooled_differences(sides, sides, there, seed=7)


def test_the_sums_of_resamples_are_whole_numbers_that_no_order_of_adding_changes() -> None:
    # so a product of matrices is the same to the last bit, however threads share it out
    deltas = np.random.default_rng(9).normal(0, 0.3, 500).clip(-1, 1)
    rows = Means.of(deltas, None).rows
    assert_array_equal(rows, np.rint(rows))
    assert len(rows) * np.abs(rows).max() <= 2**53
    source = rows, np.zeros((2, 2))
    sums = resampled([source], resamples=50, seed=7)[0]
    assert_array_equal(sums, resampled([source], resamples=50, seed=7)[0])
    assert_array_equal(sums, np.rint(sums))
