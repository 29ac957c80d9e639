"""Intervals hold the truth as often as they say, and few families raise false alarms.

Bounds are 95 % and three standard errors of a share of so many experiments, and what the
method itself is off by on 50 questions (`tests/benchmarks/coverage.py` measures it).
"""

import numpy as np
import pytest

from pipeline.scoring.holm import holm
from tests.scoring.simulated import WORLDS, coverage, intervals_of

EXPERIMENTS, OFF = 300, 0.015
SLACK = 3 * (0.95 * 0.05 / EXPERIMENTS) ** 0.5
CASES = [
    *((name, 50, 1) for name in ("hits", "halves", "ranks", "mostly gains", "gains alone")),
    *((name, 50, 3) for name in ("hits", "mostly gains")),
    *((name, 200, 1) for name in ("ranks", "gains alone")),
]


@pytest.mark.parametrize(("name", "n", "repeats"), CASES)
def test_intervals_hold_the_truth_as_often_as_they_say(name: str, n: int, repeats: int) -> None:
    world = WORLDS[name]
    means = world.deltas(n, repeats, EXPERIMENTS, seed=3).mean(axis=0)
    held = coverage(intervals_of(means, resamples=1_000), world.truth)
    assert abs(held - 0.95) <= SLACK + OFF


def test_repeats_taken_for_questions_are_too_sure() -> None:
    # gains are the same in each repeat: three of a question tell no more than one
    world = WORLDS["mostly gains"]
    drawn = world.deltas(80, 3, EXPERIMENTS, seed=3)
    ours = coverage(intervals_of(drawn.mean(axis=0)), world.truth)
    naive = coverage(intervals_of(drawn.reshape(-1, EXPERIMENTS)), world.truth)
    assert abs(ours - 0.95) <= SLACK + OFF
    assert naive < 0.87


def test_documents_whose_questions_move_together_are_drawn_together() -> None:
    # 60 documents with 5 questions each, all of which change alike
    world = WORLDS["halves"]
    drawn = np.repeat(world.deltas(60, 1, EXPERIMENTS, seed=4)[0], 5, axis=0)
    document = np.repeat(np.arange(60), 5)
    ours = coverage(intervals_of(drawn, clusters=document), world.truth)
    naive = coverage(intervals_of(drawn), world.truth)
    assert abs(ours - 0.95) <= SLACK + OFF
    assert naive < 0.85


def test_few_families_without_a_difference_raise_an_alarm() -> None:
    # 300 families of 6 metrics; a share of 5 % is off by up to 3 * 1.3 %
    deltas = WORLDS["nothing but chance"].deltas(50, 1, EXPERIMENTS * 6, seed=5)[0]
    p = np.reshape([each.p for each in intervals_of(deltas)], (EXPERIMENTS, 6))
    alarms = np.mean([min(q for q in holm(row.tolist()) if q is not None) <= 0.05 for row in p])
    assert alarms <= 0.05 + SLACK
    # each by itself at 5 % would raise one in 1 - 0.95^6 = 26 % of families
    assert np.mean(p.min(axis=1) <= 0.05) > 0.15
