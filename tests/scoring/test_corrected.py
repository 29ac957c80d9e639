"""Rates corrected by labels: by hand, at the edges, and how often they hold the truth."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.scoring.corrected import rogan_gladen
from pipeline.scoring.powered import powered_mean, powered_rate
from pipeline.scoring.proportions import Counts, wilson

counts = st.integers(0, 60)
people = st.builds(Counts, counts, counts, counts, counts)


def test_rogan_gladen_by_hand() -> None:
    # TPR 45/50 = 0.9, TNR 40/50 = 0.8, rate 0.45: (0.45 + 0.8 - 1) / (0.9 + 0.8 - 1) = 0.357143
    found = rogan_gladen(450, 1000, Counts(45, 5, 10, 40))
    assert found.value == pytest.approx(0.25 / 0.7)
    # Lang & Reiczigel by hand: z = 1.96, n' = 1003.84, rate' = 451.92 / 1003.84 = 0.450191,
    # TPR' = 46/52 = 0.884615, TNR' = 41/52 = 0.788462, gain' = 0.673077,
    # middle = 0.238653 / 0.673077 = 0.354570, shift = 7.68 * (0.354570 * 0.0019629
    # - 0.645430 * 0.0032077) = -0.010554, variance = 0.00024657 + 0.00024678 + 0.00133625,
    # half = 1.96 * 0.042773 / 0.673077 = 0.124556
    assert found.low == pytest.approx(0.35457 - 0.01055 - 0.12456, abs=2e-4)
    assert found.high == pytest.approx(0.35457 - 0.01055 + 0.12456, abs=2e-4)


def test_a_rate_below_what_errors_alone_make_is_clipped_to_zero() -> None:
    # TNR 0.8 alone makes 20 % yes; a rate of 10 % would be negative
    found = rogan_gladen(100, 1000, Counts(45, 5, 10, 40))
    assert (found.value, found.low) == (0.0, 0.0)


@pytest.mark.parametrize(
    "labels",
    [Counts(5, 5, 5, 5), Counts(0, 9, 9, 0), Counts(0, 0, 5, 5), Counts(5, 5, 0, 0)],
    ids=["chance", "perverse", "no yes", "no no"],
)
def test_a_judge_that_tells_nothing_corrects_nothing(labels: Counts) -> None:
    found = rogan_gladen(50, 100, labels)
    assert (found.value, found.low, found.high) == (None, 0.0, 1.0)


def test_powered_by_hand() -> None:
    # people 50/100, judge 55/100 on the same, 0.45 on 1000 others. Covariance
    # 45/100 - 0.55 * 0.5 = 0.175, times 100/99 = 0.176768; variance of all the judge's yes:
    # 505/1100 = 0.459091, 0.248326 * 1100/1099 = 0.248552;
    # weight = 0.176768 / 0.248552 / 1.1 = 0.646541; 0.5 + 0.646541 * (0.45 - 0.55) = 0.435346
    found = powered_rate(450, 1000, Counts(45, 5, 10, 40))
    assert found.value == pytest.approx(0.435346, abs=1e-6)


def test_without_other_items_the_powered_rate_is_peoples() -> None:
    assert powered_rate(0, 0, Counts(30, 10, 5, 55)).value == 0.4
    assert powered_rate(5, 10, Counts(0, 0, 0, 0)).value is None


@given(people, st.integers(0, 500), st.integers(0, 500))
def test_the_powered_mean_of_yes_and_no_is_the_powered_rate(
    labels: Counts, yes: int, no: int
) -> None:
    cells = (labels.yes_yes, labels.yes_no, labels.no_yes, labels.no_no)
    judge = np.repeat([1.0, 0.0, 1.0, 0.0], cells)
    said = np.repeat([1.0, 1.0, 0.0, 0.0], cells)
    mean = powered_mean(np.repeat([1.0, 0.0], (yes, no)), judge, said)
    if mean is None:
        assert len(said) < 2
        return
    assert mean.value is not None
    rate = powered_rate(yes, yes + no, labels).value
    assert rate == pytest.approx(min(1.0, max(0.0, mean.value)), abs=1e-9)


@given(people, st.integers(0, 500), st.integers(0, 500))
def test_values_lie_in_their_interval_and_both_in_0_to_1(labels: Counts, yes: int, no: int) -> None:
    for found in (rogan_gladen(yes, yes + no, labels), powered_rate(yes, yes + no, labels)):
        assert 0.0 <= found.low <= found.high <= 1.0
        assert found.value is None or found.low <= found.value <= found.high


@given(st.integers(0, 300), st.integers(0, 300))
def test_wilson_solves_its_own_equation(hits: int, misses: int) -> None:
    # the ends are where |share - p| = z * sqrt(p (1 - p) / n)
    n = hits + misses
    found = wilson(hits, n)
    if found.value is None:
        assert n == 0
        return
    for end in (found.low, found.high):
        assert (found.value - end) ** 2 == pytest.approx(
            1.959964**2 * end * (1 - end) / n, abs=1e-6
        )


def test_wilson_equals_scipy() -> None:
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    for hits, n in ((0, 7), (3, 10), (98, 100), (5, 5)):
        rival = stats.binomtest(hits, n).proportion_ci(method="wilson")
        found = wilson(hits, n)
        assert (found.low, found.high) == pytest.approx((rival.low, rival.high), abs=1e-12)


GRID = list(
    product(
        (0.1, 0.3, 0.5, 0.8, 0.95),  # the truth
        ((0.9, 0.8), (0.7, 0.95), (0.95, 0.9), (0.8, 0.8)),  # TPR, TNR
        (100, 200),  # labelled items
        (500, 2000),  # judged items without labels
    )
)
WORLDS = 1_500


def covered(
    truth: float, rates: tuple[float, float], labelled: int, judged: int
) -> dict[str, float]:
    """How often three intervals hold the truth, over worlds drawn anew."""
    tpr, tnr = rates
    cells = [truth * tpr, truth * (1 - tpr), (1 - truth) * (1 - tnr), (1 - truth) * tnr]
    random = np.random.default_rng(7)
    yes = random.binomial(judged, cells[0] + cells[2], WORLDS)
    tables = random.multinomial(labelled, cells, WORLDS)
    hits = {"raw": 0, "rogan_gladen": 0, "powered": 0}
    for said, table in zip(yes.tolist(), tables.tolist(), strict=True):
        found = {
            "raw": wilson(said, judged),
            "rogan_gladen": rogan_gladen(said, judged, Counts(*table)),
            "powered": powered_rate(said, judged, Counts(*table)),
        }
        for name, interval in found.items():
            hits[name] += interval.low <= truth <= interval.high
    return {name: n / WORLDS for name, n in hits.items()}


def test_the_corrected_intervals_hold_the_truth_and_the_raw_rates_does_not() -> None:
    # 80 worlds of 1,500 draws each; the standard error of one share is 0.006, of a mean 0.0006
    found = [covered(*world) for world in GRID]
    shares = {name: np.array([one[name] for one in found]) for name in found[0]}
    for name in ("powered", "rogan_gladen"):
        assert 0.945 <= shares[name].mean() <= 0.965, name
        assert np.quantile(shares[name], 0.05) >= 0.93, name
        assert np.quantile(shares[name], 0.95) <= 0.97 + 0.006, name
    assert shares["powered"].min() >= 0.93
    assert shares["powered"].max() <= 0.97 + 0.006
    assert shares["raw"].mean() < 0.3
    assert np.quantile(shares["raw"], 0.5) < 0.05


def test_the_powered_mean_of_grades_holds_the_truth() -> None:
    # grades 1 to 4; the judge adds noise and a bias of half a grade, on a scale of its own
    random, hits, n = np.random.default_rng(3), 0, 2_000
    for _ in range(n):
        truth = random.choice([1.0, 2.0, 3.0, 4.0], 600, p=[0.1, 0.1, 0.3, 0.5])
        judge = np.clip(truth + random.normal(0.5, 1.0, 600), 1, 5) / 5
        found = powered_mean(judge[100:], judge[:100], truth[:100])
        assert found is not None
        hits += found.low <= 3.2 <= found.high
    assert 0.93 <= hits / n <= 0.97
