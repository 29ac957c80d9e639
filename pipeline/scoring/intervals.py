"""How far a mean over questions may be off, because these questions were asked and not others."""

from collections.abc import Sequence

import numpy as np

from pipeline.contract.metrics import COMPARED, RANKED, Metric
from pipeline.scoring.aggregates import Averages
from pipeline.scoring.arrays import Floats, Ints

RESAMPLES = 2_000
LEVEL = 0.95
DRAWS = 1 << 20
"""Draws in one block: what bounds the memory, whatever the number of questions."""

Ends = tuple[float | None, float | None]


def interval(means: Floats, *, seed: int) -> Ends:
    """Percentile bootstrap interval, 95 %, of the mean over questions.

    Questions are drawn with replacement 2,000 times; the ends are the 2.5th and the 97.5th
    percentile of the resamples' means. Repeats are no questions: average over them first.

    Args:
        means: (n,) one value in [0, 1] for each question, not NaN; order is of no meaning.
        seed: of the draws. The same values and seed give the same ends, on any number of
            threads.

    Returns:
        Least and greatest, from the smallest to the largest of `means`; None, None for
        fewer than two questions. Equal values give a point, however few they are.

    It is no better than the questions are a sample of those that matter, and it is too
    narrow for few of them (below about 20) and for rates near 0 or 1: where all questions
    have the value 1, it is [1, 1]. Two intervals that overlap do not say that two systems
    are alike; for that, question by question, there are the deltas.

    Source: Efron 1979, Annals of Statistics 7(1); Efron & Tibshirani 1993, An Introduction
    to the Bootstrap, chapter 13.
    """
    return percentiles(*np.unique(means, return_counts=True), seed)


def percentiles(values: Floats, counts: Ints, seed: int) -> Ends:
    """As `interval`, of values in order and how often each is there."""
    if counts.sum() < 2:
        return None, None
    if len(values) == 1:
        return float(values[0]), float(values[0])
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(_resampled(values, counts, seed), [tail, 1 - tail])
    return max(float(low), float(values[0])), min(float(high), float(values[-1]))


def _resampled(values: Floats, counts: Ints, seed: int) -> Floats:
    """The means of the resamples. No matrix product: its last bit depends on threads.

    Drawing how often each value comes is drawing questions, and much faster where few
    values are shared by many questions, as shares of k are.
    """
    random, n = np.random.default_rng(seed), int(counts.sum())
    few = len(values) * 8 <= n
    everyone = values if few else np.repeat(values, counts)
    rows = max(1, DRAWS // len(everyone))
    found = []
    for start in range(0, RESAMPLES, rows):
        size = min(rows, RESAMPLES - start)
        if few:
            drawn = random.multinomial(n, counts / n, size) * values
        else:
            drawn = everyone[random.integers(0, n, (size, n))]
        found.append(drawn.sum(axis=1) / n)
    return np.concatenate(found)


def intervals(
    averages: Averages, *, seed: int, metrics: Sequence[Metric] = COMPARED
) -> dict[tuple[str, str], Ends]:
    """The interval of each macro mean over all questions, by system and metric.

    A harmonic mean of two averages has none: it is no mean over questions.

    Args:
        averages: what they are means of.
        seed: of the draws.
        metrics: of those that are averaged.
    """
    found: dict[tuple[str, str], Ends] = {}
    for system in averages.systems():
        for metric in metrics:
            if metric.harmonic:
                found[system, metric.name] = None, None
                continue
            tally = averages.tally(system, metric)
            values = np.array(sorted(tally), np.float64)
            counts = np.array([tally[value] for value in values.tolist()], np.int64)
            found[system, metric.name] = percentiles(values, counts, seed)
    return found


def intervals_at(
    averages: Averages, names: dict[str, str], *, seed: int
) -> dict[tuple[str, str], Ends]:
    """As `intervals`, of the averages of rankings at one cutoff, under their names there."""
    metrics = [metric for metric in RANKED if metric.name in names]
    found = intervals(averages, seed=seed, metrics=metrics)
    return {(system, names[metric]): ends for (system, metric), ends in found.items()}
