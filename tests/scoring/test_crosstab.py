"""Agreement and rank correlation out of tables: by hand, against rivals, resampled."""

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.scoring.crosstab import crosstab, ends, kappa, spearman, tau_b
from pipeline.scoring.strata import allocate, draw

grades = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=2, max_size=40)


def table_of(pairs: list[tuple[int, int]]) -> Any:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    return crosstab(first, second, [1, 2, 3, 4], [1, 2, 3, 4])


def test_kappa_by_hand() -> None:
    # agreement 35/50 = 0.7, by chance (25 * 30 + 25 * 20) / 2500 = 0.5: 0.2 / 0.5
    assert kappa(np.array([[20, 5], [10, 15]])) == pytest.approx(0.4)


def test_kappa_has_no_value_where_all_say_the_same() -> None:
    assert np.isnan(kappa(np.array([[9, 0], [0, 0]])))
    assert np.isnan(kappa(np.zeros((2, 2), np.int64)))


def test_tau_b_by_hand() -> None:
    # (1,1) (2,3) (3,2): pairs +, +, - of 3, nothing tied: 1/3
    assert tau_b(table_of([(1, 1), (2, 3), (3, 2)])) == pytest.approx(1 / 3)
    # (1,1) (1,2) (2,3): one tie in the first: 2 / sqrt(2 * 3)
    assert tau_b(table_of([(1, 1), (1, 2), (2, 3)])) == pytest.approx(2 / 6**0.5)


def test_spearman_by_hand() -> None:
    # ranks 1 2 3 against 1 3 2: 1 - 6 * (0 + 1 + 1) / (3 * 8) = 0.5
    assert spearman(table_of([(1, 1), (2, 3), (3, 2)])) == pytest.approx(0.5)


@given(grades)
@settings(deadline=None)
def test_rank_correlations_equal_scipys(pairs: list[tuple[int, int]]) -> None:
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rho = stats.spearmanr(*zip(*pairs, strict=True)).statistic
        tau = stats.kendalltau(*zip(*pairs, strict=True)).statistic
    assert spearman(table_of(pairs)) == pytest.approx(rho, nan_ok=True, abs=1e-9)
    assert tau_b(table_of(pairs)) == pytest.approx(tau, nan_ok=True, abs=1e-9)


@given(grades)
@settings(deadline=None, max_examples=50)
def test_kappa_equals_scikit_learns(pairs: list[tuple[int, int]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    found = kappa(table_of(pairs))
    if not np.isnan(found):
        first, second = zip(*pairs, strict=True)
        assert found == pytest.approx(metrics.cohen_kappa_score(first, second), abs=1e-9)


@given(st.lists(grades, min_size=1, max_size=5))
def test_a_stack_of_tables_gives_what_each_gives(lists: list[list[tuple[int, int]]]) -> None:
    tables = [table_of(pairs) for pairs in lists]
    for statistic in (kappa, spearman, tau_b):
        np.testing.assert_allclose(
            statistic(np.stack(tables)), [statistic(one) for one in tables], atol=1e-12
        )


def test_the_interval_of_kappa_is_the_resampled_one() -> None:
    # 200 items, kappa 0.4; its standard error is sqrt(0.7 * 0.3 / 200) / 0.5 = 0.065
    found = ends(np.array([[80, 20], [40, 60]]), kappa, seed=7)
    assert found is not None
    assert found == pytest.approx((0.4 - 1.96 * 0.065, 0.4 + 1.96 * 0.065), abs=0.02)
    assert ends(np.array([[80, 20], [40, 60]]), kappa, seed=7) == found
    assert ends(np.array([[1, 0], [0, 0]]), kappa, seed=7) is None
    assert ends(np.array([[9, 0], [0, 0]]), kappa, seed=7) is None


sizes = st.dictionaries(st.text(max_size=3), st.integers(1, 50), min_size=1, max_size=8)


@given(sizes, st.data())
def test_each_stratum_gives_one_and_about_its_share(
    strata: dict[str, int], data: st.DataObject
) -> None:
    total = sum(strata.values())
    n = data.draw(st.integers(len(strata), total + 5))
    taken = allocate(strata, n)
    assert sum(taken.values()) == min(n, total)
    for stratum, size in strata.items():
        assert 1 <= taken[stratum] <= size
        assert taken[stratum] <= n * size / total + 1


def test_fewer_items_than_strata_are_refused() -> None:
    with pytest.raises(ValueError, match="2 items for 3 strata"):
        allocate({"a": 5, "b": 5, "c": 5}, 2)


@given(st.lists(st.sampled_from("abc"), min_size=3, max_size=60), st.integers(0, 99))
def test_a_sample_holds_each_item_at_most_once_and_is_the_same_again(
    strata: list[str], seed: int
) -> None:
    n = max(3, len(strata) // 2)
    found = draw(strata, n, seed=seed)
    assert len(set(found)) == len(found) == min(n, len(strata))
    assert {strata[at] for at in found} == set(strata)
    assert draw(strata, n, seed=seed) == found
