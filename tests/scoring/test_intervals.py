"""The bootstrap interval of a mean: what it has to be, and SciPy's beside it."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pipeline.scoring.aggregates import Averages
from pipeline.scoring.arrays import Floats
from pipeline.scoring.intervals import RESAMPLES, Ends, interval, intervals
from pipeline.scoring.values import score
from tests.scoring.test_fixture import fixture
from tests.scoring.worlds import tables

FRACTIONS = st.lists(st.floats(0, 1), min_size=2, max_size=40)
SHARES = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=24, max_size=80)
SEEDS = st.integers(0, 2**32)


def ends(values: list[float] | Floats, seed: int = 7) -> tuple[float, float]:
    low, high = interval(np.asarray(values, float), seed=seed)
    assert low is not None
    assert high is not None
    return low, high


@pytest.mark.parametrize("values", [[], [0.5]])
def test_fewer_than_two_questions_have_no_interval(values: list[float]) -> None:
    assert interval(np.array(values, float), seed=7) == (None, None)


def test_two_questions_give_the_interval_that_can_be_counted_by_hand() -> None:
    # both draws 0: 1/4 of the resamples; both 1: 1/4. So the 2.5th percentile is 0, the
    # 97.5th is 1
    assert ends([0, 1]) == (0, 1)


@pytest.mark.parametrize("n", [2, 3, 500])
def test_equal_values_give_a_point_to_the_last_bit(n: int) -> None:
    assert ends([0.1] * n) == (0.1, 0.1)


@settings(deadline=None)
@given(FRACTIONS | SHARES, SEEDS)
def test_it_holds_the_mean_and_lies_within_the_values(values: list[float], seed: int) -> None:
    low, high = ends(values, seed)
    slack = 1e-12
    assert min(values) <= low <= np.mean(values) + slack
    assert np.mean(values) - slack <= high <= max(values)


@settings(deadline=None)
@given((FRACTIONS | SHARES).flatmap(lambda v: st.tuples(st.just(v), st.permutations(v))), SEEDS)
def test_the_order_of_the_questions_does_not_matter(
    both: tuple[list[float], list[float]], seed: int
) -> None:
    assert ends(both[0], seed) == ends(both[1], seed)


@settings(deadline=None, max_examples=30)
@given(FRACTIONS | SHARES, SEEDS)
def test_the_same_seed_gives_the_same_ends(values: list[float], seed: int) -> None:
    assert ends(values, seed) == ends(values, seed)


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(1).random(300)
    whole = ends(values)
    monkeypatch.setattr("pipeline.scoring.intervals.DRAWS", 1_000)
    assert ends(values) == whole


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(0).random(40),
        np.random.default_rng(1).beta(0.3, 2, 150),
        np.random.default_rng(2).integers(0, 6, 400) / 5,
        np.repeat([0.0, 1.0], [380, 20]),
    ],
    ids=["uniform", "skewed", "shares", "rare"],
)
def test_scipy_gives_the_same_within_what_draws_differ_by(values: Floats) -> None:
    # The end is a quantile of 2,000 draws of a roughly normal mean: at 2.5 % its standard
    # error is sqrt(0.025 * 0.975 / 2000) / phi(1.96) = 0.06 standard errors of the mean.
    # SciPy's has as much again with 2,000, so 5 of sqrt(2) * 0.06; a grid adds its step.
    scipy = stats.bootstrap(
        (values,), np.mean, n_resamples=RESAMPLES, method="percentile", rng=3
    ).confidence_interval
    spread = np.std(values) / np.sqrt(len(values))
    step = 1 / len(values) if len(np.unique(values)) < 10 else 0
    assert ends(values) == pytest.approx(tuple(scipy), abs=5 * 1.42 * 0.06 * spread + step)


@pytest.mark.parametrize("kind", ["few values", "all different"])
def test_both_ways_of_drawing_cover_as_often_as_they_should(kind: str) -> None:
    # 400 samples of 60 questions: near 95 % of the intervals hold the true mean of 0.5; the
    # share's own standard error is 1.1 %, the bootstrap at n = 60 is about 1 % short
    random = np.random.default_rng(5)
    hit = 0
    for seed in range(400):
        sample = random.integers(0, 2, 60) / 1 if kind == "few values" else random.random(60)
        low, high = ends(sample, seed)
        hit += low <= 0.5 <= high
    assert 0.90 <= hit / 400 <= 0.98


def test_repeats_are_averaged_first_and_the_other_population_is_left_out() -> None:
    made = tables(fixture())
    scored = score(made, cutoff=2, policy="interval", with_claims=True)

    def found(values: pl.DataFrame) -> dict[tuple[str, str], Ends]:
        averages = Averages(bounded=True)
        averages.add(values, made.questions["attributes"])
        return intervals(averages, seed=7)

    once = found(scored)
    # A's recall: 1, 1/2, 1 over three answerable questions; the fourth has none
    assert once["A", "recall"] == ends([1, 0.5, 1])
    assert once["A", "abstention"] == (None, None)  # one question
    doubled = scored.vstack(scored.with_columns(repeat=scored["repeat"] + 1))
    assert found(doubled.sort("system", "repeat", "question_id")) == once
