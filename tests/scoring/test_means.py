from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.scoring.means import extreme, moments, over_repeats

shares = st.integers(1, 40).flatmap(lambda n: st.integers(0, n).map(lambda k: k / n))


@given(st.lists(shares, min_size=1, max_size=30))
def test_the_mean_is_the_double_nearest_to_the_true_mean(values: list[float]) -> None:
    assert moments(values)[0] == float(sum(map(Fraction, values)) / len(values))


@given(shares, st.integers(1, 50))
def test_equal_values_have_themselves_as_mean_and_no_deviation(value: float, n: int) -> None:
    assert moments([value] * n) == (value, 0.0)


def test_the_deviation_is_the_populations() -> None:
    # mean 1/2; squares 1/4, 1/4, 0, 0; their mean 1/8
    assert moments([0.0, 1.0, 0.5, 0.5]) == (0.5, (1 / 8) ** 0.5)


def test_values_that_lie_as_far_above_the_mean_as_below_add_up() -> None:
    # mean 1/2, all squares 1/16
    assert moments([0.25, 0.75, 0.75, 0.25]) == (0.5, 0.25)


def test_a_question_is_averaged_over_the_repeats_that_count() -> None:
    values = np.array([[1.0, 0.5, 0.9, 0.25], [0.0, 9.0, 0.9, 0.75], [0.5, 0.0, 0.9, 9.0]])
    counted = np.array(
        [[True, True, False, True], [True, False, False, True], [True, True, False, False]]
    )
    means, defined = over_repeats(values, counted)
    assert defined.tolist() == [True, True, False, True]
    assert means[defined].tolist() == [0.5, 0.25, 0.5]
    assert means[2] == 0.0


def test_values_that_are_not_numbers_do_not_count() -> None:
    values = np.array([[np.nan, 0.5], [0.25, np.nan]])
    means, defined = over_repeats(values, ~np.isnan(values))
    assert (means.tolist(), defined.tolist()) == ([0.25, 0.5], [True, True])


@pytest.mark.parametrize("times", [1, 2, 3, 7])
def test_running_repeats_again_moves_no_bit(times: int) -> None:
    draw = np.random.default_rng(1)
    values = draw.integers(0, 8, (3, 400)) / draw.integers(8, 12, (3, 400))
    everything = np.ones((3 * times, 400), np.bool_)
    again = over_repeats(np.tile(values, (times, 1)), everything)[0]
    assert again.tolist() == over_repeats(values, everything[:3])[0].tolist()
    first, last = values.min(axis=0), values.max(axis=0)
    assert all(a <= b for row in zip(first, again, last, strict=True) for a, b in pairwise(row))


@pytest.mark.parametrize(
    ("fixed", "free", "least", "greatest"),
    [
        ([], [], None, None),
        ([0.5], [], 0.5, 0.5),
        ([], [0.25, 0.75], 0.25, 0.75),  # one of them alone
        ([0.5, 0.5], [0.5], 0.5, 0.5),
        ([0.5], [0.25, 0.75], (0.5 + 0.25) / 2, (0.5 + 0.75) / 2),
        # 0 and 1/4 pull 1 down to 5/12; 1/2 would pull up again
        ([1.0], [0.5, 0.25, 0.0], (1 + 0 + 0.25) / 3, 1.0),
        ([0.0], [0.5, 0.75, 1.0], 0.0, (0 + 1 + 0.75) / 3),
    ],
)
def test_the_extreme_mean_takes_in_what_moves_it_further(
    fixed: list[float], free: list[float], least: float | None, greatest: float | None
) -> None:
    assert extreme(fixed, free, greatest=False) == least
    assert extreme(fixed, free, greatest=True) == greatest
