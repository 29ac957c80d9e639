"""Sign flips: counted by hand, enumerated, and SciPy's beside them."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pipeline.scoring.arrays import Floats
from pipeline.scoring.flipped import p_values
from pipeline.scoring.pairs import Means, Pooled

SHARES = st.sampled_from([-1, -2 / 3, -0.5, -1 / 3, 0, 1 / 3, 0.5, 2 / 3, 1])


def p_of(deltas: Floats | Sequence[float], resamples: int = 10_000, seed: int = 7) -> float:
    pairs = Means.of(np.asarray(deltas, float), None)
    return p_values([pairs], resamples=resamples, seed=seed)[0]


def test_three_gains_are_as_far_off_in_two_of_eight_swaps() -> None:
    assert p_of([1, 1, 1]) == 2 / 8


def test_questions_that_are_the_same_on_both_sides_change_nothing() -> None:
    assert p_of([1, 1, 1] + [0] * 500) == 2 / 8


def test_where_nothing_differs_the_value_is_one() -> None:
    assert p_of([0, 0, 0]) == 1


def test_swaps_that_come_to_the_same_sum_count_although_doubles_do_not_add_up() -> None:
    # |sum| of (1/3, 1/3, 2/3) is 4/3 in 2 of 8 swaps, and of (1/3, 1/3, -2/3) 0: all 8
    assert p_of([1 / 3, 1 / 3, 2 / 3]) == 2 / 8
    assert p_of([1 / 3, 1 / 3, -2 / 3]) == 1
    assert p_of([0.1, 0.2, -0.3]) == 1


@settings(deadline=None, max_examples=50)
@given(st.lists(SHARES, min_size=1, max_size=8))
def test_few_are_enumerated(deltas: list[float]) -> None:
    sixths = [round(delta * 6) for delta in deltas]
    sums = [sum(map(int.__mul__, signs, sixths)) for signs in product((1, -1), repeat=len(sixths))]
    assert p_of(deltas) == sum(abs(each) >= abs(sum(sixths)) for each in sums) / len(sums)


@pytest.mark.parametrize("n", [9, 12])
def test_scipy_enumerates_the_same(n: int) -> None:
    deltas = np.random.default_rng(n).normal(0.2, 0.4, n).clip(-1, 1)
    theirs = stats.permutation_test(
        (deltas,), np.mean, permutation_type="samples", vectorized=True, n_resamples=10_000
    )
    assert p_of(deltas) == pytest.approx(theirs.pvalue, abs=1e-12)


@pytest.mark.parametrize("kind", ["all different", "few values"])
def test_scipy_draws_the_same_within_what_draws_differ_by(kind: str) -> None:
    random = np.random.default_rng(3)
    deltas = random.normal(0.02, 0.3, 300).clip(-1, 1)
    if kind == "few values":
        deltas = random.choice([-1.0, 0, 1], 500, p=[0.2, 0.55, 0.25])
    theirs = stats.permutation_test(
        (deltas,),
        np.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=10_000,
        batch=1_000,
        rng=5,
    ).pvalue
    # each is a share of 10,000; 4.5 standard errors of their difference
    assert abs(p_of(deltas) - theirs) < 4.5 * np.sqrt(2 * theirs * (1 - theirs) / 10_000)


def test_the_smallest_value_is_not_zero() -> None:
    assert p_of([1.0] * 60, resamples=999) == 1 / 1_000
    assert p_of(np.linspace(0.5, 1, 60), resamples=999) == 1 / 1_000


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats(-1, 1) | SHARES, min_size=1, max_size=30), st.integers(0, 99), st.data())
def test_neither_the_side_nor_the_order_matters(
    deltas: list[float], seed: int, data: st.DataObject
) -> None:
    p = p_of(deltas, 99, seed)
    assert 0 < p <= 1
    assert p_of([-delta for delta in deltas], 99, seed) == p
    assert p_of(data.draw(st.permutations(deltas)), 99, seed) == p


def test_clusters_are_swapped_as_a_whole() -> None:
    # two documents, both with gains alone: 2 of 4 swaps are as far off, not 2 of 16
    pairs = Means.of(np.array([1, 1, 0.5, 0.5]), np.array([3, 3, 8, 8]))
    assert p_values([pairs], resamples=100, seed=7) == [2 / 4]


def test_pooled_sides_are_swapped_with_their_denominators() -> None:
    # baseline 1/2 and 1/4, candidate 2/2 and 3/3: 5/5 - 2/6 = 2/3. Swapping the second alone:
    # (2 + 1)/(2 + 4) - (1 + 3)/(2 + 3) = -0.3. Both swapped is as far off: 2 of 4
    before = np.array([1.0, 1.0]), np.array([2.0, 4.0])
    after = np.array([2.0, 3.0]), np.array([2.0, 3.0])
    assert p_values([Pooled.of(before, after, None)], resamples=100, seed=7) == [2 / 4]
    assert p_values([Pooled.of(after, before, None)], resamples=100, seed=7) == [2 / 4]
