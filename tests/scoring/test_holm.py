import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.scoring.holm import holm

P_VALUES = st.floats(0, 1) | st.sampled_from([0.01, 0.02, 0.5])


def test_the_smallest_counts_for_all_and_the_greatest_for_itself() -> None:
    # in order 0.01, 0.03, 0.04 times 3, 2, 1: 0.03, 0.06, and 0.04, which is made 0.06
    assert holm([0.03, 0.01, 0.04]) == [0.06, 0.03, 0.06]


def test_no_value_gets_greater_than_one() -> None:
    assert holm([0.6, 0.9]) == [1.0, 1.0]


def test_equal_values_stay_equal() -> None:
    # 0.02 * 3, and 0.02 * 2 is made no smaller
    assert holm([0.02, 0.5, 0.02]) == [0.06, 0.5, 0.06]


def test_what_was_not_compared_is_not_in_the_family() -> None:
    assert holm([None, 0.02, None, 0.04]) == [None, 0.04, None, 0.04]
    assert holm([None]) == [None]
    assert holm([]) == []


@given(st.lists(P_VALUES | st.none(), max_size=12))
def test_it_is_the_step_down_rule(values: list[float | None]) -> None:
    # p is called at alpha when each of the j smaller ones passes alpha / (m - j): the least
    # such alpha, written out, is the maximum over those up to p
    family = sorted(p for p in values if p is not None)
    m = len(family)
    for p, got in zip(values, holm(values), strict=True):
        if p is None:
            assert got is None
        else:
            steps = [q * (m - j) for j, q in enumerate(family) if j <= family.index(p)]
            assert got == min(1, max(steps))


@given(st.lists(P_VALUES, min_size=1, max_size=12).flatmap(st.permutations))
def test_the_order_of_the_family_does_not_matter(values: list[float]) -> None:
    adjusted = dict(zip(sorted(values), holm(sorted(values)), strict=True))
    assert holm(values) == [adjusted[p] for p in values]


def test_statsmodels_says_the_same() -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    random = np.random.default_rng(1)
    for size in (1, 2, 5, 40):
        for _ in range(5):
            values = np.round(random.random(size) ** 3, 2)
            theirs = multitest.multipletests(values, method="holm")[1]
            assert holm(values.tolist()) == pytest.approx(theirs.tolist(), rel=1e-12)
