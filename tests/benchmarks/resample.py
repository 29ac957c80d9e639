"""How fast differences get their uncertainty: `python tests/benchmarks/resample.py`.

8 metrics, 10,000 resamples and as many sign flips, beside SciPy's `bootstrap` (percentile)
and `permutation_test` (samples) on one metric and a part of the resamples, scaled up. Values
that all differ, the hardest case, and shares of a few values, as most metrics give.
"""

import resource
import sys
import time

import numpy as np
from scipy import stats

from pipeline.scoring.arrays import Floats
from pipeline.scoring.paired import RESAMPLES, differences

METRICS, TRIES = 8, 3
MARKS = {2_366: 0.3, 200_000: 40.0}
PART = {2_366: 1_000, 200_000: 20}


def main() -> int:
    """Measure and print a line each; 1 if ours misses a mark."""
    missed = False
    random = np.random.default_rng(7)
    for n, mark in MARKS.items():
        kinds = {
            "all different": np.clip(random.normal(0.02, 0.3, (n, METRICS)), -1, 1),
            "few values": random.choice([-1, -0.5, 0, 0.25, 0.5, 1], (n, METRICS)),
        }
        for kind, deltas in kinds.items():
            there = np.ones(deltas.shape, np.bool_)
            times = []
            for _ in range(TRIES if n < 10_000 else 1):
                began = time.perf_counter()
                differences(deltas, there, seed=7)
                times.append(time.perf_counter() - began)
            ours, theirs = min(times), scipy(deltas[:, 0], PART[n])
            met = ours < mark
            missed |= not met
            print(
                f"{n:7,} questions, {kind:13} {ours:7.3f} s  mark {mark:>4}"
                f"{'' if met else ' MISSED'}  SciPy {theirs:7.1f} s: {theirs / ours:.0f} times",
                flush=True,
            )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the process, SciPy's share too: {peak:,.0f} MiB")
    return int(missed)


def scipy(deltas: Floats, part: int) -> float:
    """Seconds that SciPy would take for all metrics and resamples."""
    began = time.perf_counter()
    stats.bootstrap((deltas,), np.mean, n_resamples=part, batch=20, method="percentile", rng=7)
    stats.permutation_test(
        (deltas,),
        np.mean,
        permutation_type="samples",
        n_resamples=part,
        batch=20,
        vectorized=True,
        rng=7,
    )
    return (time.perf_counter() - began) * METRICS * RESAMPLES / part


if __name__ == "__main__":
    sys.exit(main())
