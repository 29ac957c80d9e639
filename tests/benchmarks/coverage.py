"""How often intervals hold the truth: `python -m tests.benchmarks.coverage`.

2,000 experiments a line, at 95 %, beside the intervals one might have taken instead; then
false alarms in families of comparisons. Takes some minutes. 1 if ours misses a mark.
"""

import sys

import numpy as np

from pipeline.scoring.arrays import Floats
from pipeline.scoring.holm import holm
from pipeline.scoring.student import student
from tests.scoring.simulated import WORLDS, coverage, intervals_of

EXPERIMENTS, RESAMPLES = 2_000, 4_000
MARK = (0.935, 0.965)
FAMILIES, METRICS, ALARMS = 2_000, 8, 0.055


def main() -> int:
    """Print a line for each world, number of questions and of repeats."""
    missed = 0
    print(
        f"{'world':20}{'n':>5}{'repeats':>8}{'ours':>7}{'small':>7}{'t':>7}{'perc.':>7}{'naive':>7}"
    )
    for n in (50, 200, 1_000):
        for repeats in (1, 3):
            for seed, (name, world) in enumerate(WORLDS.items()):
                drawn = world.deltas(n, repeats, EXPERIMENTS, seed)
                means = drawn.mean(axis=0)
                found = intervals_of(means, resamples=RESAMPLES)
                ours = coverage(found, world.truth)
                small = np.mean([each.small for each in found])
                # deltas of repeats taken for deltas of questions of their own
                apart = drawn.reshape(-1, EXPERIMENTS)
                others = (student_t(means), percentile(means), student_t(apart))
                rest = "".join(f"{held(ends, world.truth):7.1%}" for ends in others)
                low, high = MARK
                met = low <= ours <= high
                missed += not met
                print(
                    f"{name:20}{n:5}{repeats:8}{ours:7.1%}{small:7.0%}{rest}"
                    f"{'' if met else ' MISSED'}",
                    flush=True,
                )
    alarms = false_alarms()
    print(
        f"false alarms in families of {METRICS}, Holm: {alarms[1]:.1%} (without: {alarms[0]:.1%})"
    )
    missed += alarms[1] > ALARMS
    return int(missed > 0)


def held(ends: tuple[Floats, Floats], truth: float) -> float:
    """Share of the intervals that hold the truth."""
    return float(np.mean((ends[0] <= truth) & (truth <= ends[1])))


def student_t(deltas: Floats) -> tuple[Floats, Floats]:
    """Student's t interval of each column."""
    n, mean = len(deltas), deltas.mean(axis=0)
    half = student(0.95, n - 1) * deltas.std(axis=0, ddof=1) / np.sqrt(n)
    return mean - half, mean + half


def percentile(deltas: Floats) -> tuple[Floats, Floats]:
    """Plain percentile bootstrap of each column."""
    n = len(deltas)
    counts = np.random.default_rng(3).multinomial(n, np.full(n, 1 / n), RESAMPLES)
    low, high = np.quantile(counts @ deltas / n, [0.025, 0.975], axis=0)
    return low, high


def false_alarms(n: int = 50) -> tuple[float, float]:
    """Share of families with an alarm at 5 % where nothing differs: without Holm, and with."""
    world, alone, corrected = WORLDS["nothing but chance"], 0, 0
    deltas = world.deltas(n, 1, FAMILIES * METRICS, seed=5)[0]
    found = [each.p for each in intervals_of(deltas, resamples=RESAMPLES)]
    for start in range(0, len(found), METRICS):
        family = found[start : start + METRICS]
        alone += min(p for p in family if p is not None) <= 0.05
        corrected += min(p for p in holm(family) if p is not None) <= 0.05
    return alone / FAMILIES, corrected / FAMILIES


if __name__ == "__main__":
    sys.exit(main())
