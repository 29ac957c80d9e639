"""How much of the difference between two systems may be chance, paired by question.

A question is one draw, whatever its repeats: average over them first (`over_repeats`), or
take the deltas of `deltas`, which did. A question without a value on both sides is left out
of that metric alone.

The interval is a percentile bootstrap with two additions. Its tails are those of Student's
t, since the plain one is too narrow (Hesterberg). And beside the n questions, a sixth of
one is drawn that fell from 1 to 0 and a sixth of one that rose from 0 to 1: what n
questions did not show may still be there (as Agresti & Min do for yes and no).

The p-value is from sign flips (`flipped`). As the two are made in different ways, one may
call a difference near the border by chance where the other does not; p decides.
"""

import math
from collections.abc import Sequence

import numpy as np

from pipeline.scoring.arrays import Bools, Floats, Ints
from pipeline.scoring.difference import Asked, Difference, answered
from pipeline.scoring.pairs import Means, Pooled, Sides

RESAMPLES = 10_000
LEVEL = 0.95
UNDIVIDED = "a side has nothing to divide by"


def differences(
    deltas: Floats,
    defined: Bools,
    *,
    seed: int,
    clusters: Ints | None = None,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> list[Difference]:
    """Differences of means, one for each metric.

    How often 95 % intervals hold the truth, measured on made-up deltas of hits, halves,
    ranks and gains with 60 to 90 % of zeros, 2,000 experiments each: 94.8 to 96.5 % on 50
    questions, where Student's t gives 88.5 to 95.7 and the plain percentile 91.5 to 95.9;
    `tests/benchmarks/coverage.py` prints the table. On 50 questions of which 5 are likely
    to differ it still does; on fewer, no interval can: those are marked `small`.

    Args:
        deltas: (questions, metrics) candidate minus baseline, in [-1, 1]; of no meaning
            where not defined. Rows come in any order: the result does not depend on it.
        defined: (questions, metrics) whether the metric has a value on both sides.
        seed: >= 0. The same deltas and seed give the same result to the last bit, on any
            number of threads and in the company of any other metrics; exchanged systems
            give the same with all signs changed.
        clusters: (questions,) what is drawn together, such as a number for the document
            that a question is about; None: each question by itself.
        resamples: of the bootstrap, and of the sign flips; p is at least 1 / (resamples + 1).
        level: share of such intervals that are to hold the truth, in (0, 1).

    Returns:
        In the order of the metrics. Of 0 or 1 questions, or one cluster, there is no
        interval. Where all deltas are equal, a bootstrap would show a point; the interval
        is then what comes out if a share 1 - ((1 - level) / 2)^(1 / clusters) of all
        questions did the worst or the best, which none of these did.

    Raises:
        ValueError: a defined delta is not in [-1, 1], or the level is not in (0, 1).

    Source: Efron & Tibshirani 1993, An Introduction to the Bootstrap, chapter 13;
    Hesterberg 2015, The American Statistician 69(4); Agresti & Min 2005, Statistics in
    Medicine 24(5).
    """
    asked = []
    for column, there in zip(deltas.T, defined.T, strict=True):
        values = column[there]
        if not (np.abs(values) <= 1).all():
            raise ValueError("deltas: expected numbers from -1 to 1 where they are defined")
        of = None if clusters is None else clusters[there]
        groups, reason = _groups(len(values), of)
        asked.append(
            Asked(
                n=len(values),
                clusters=groups,
                mean=math.fsum(values) / len(values) if len(values) else None,
                pairs=None if reason else Means.of(values, of),
                reason=reason,
            )
        )
    return answered(asked, seed=seed, resamples=resamples, level=level)


def pooled_differences(
    before: Sequence[Sides],
    after: Sequence[Sides],
    defined: Bools,
    *,
    seed: int,
    clusters: Ints | None = None,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> list[Difference]:
    """Differences of pooled ratios, sum of numerators over sum of denominators.

    Args:
        before: the baseline's numerators and denominators, (questions,) each, for each
            metric; 0 <= numerator <= denominator. Of repeats, their sum or their mean.
        after: the candidate's.
        defined: (questions, metrics) whether the metric has a value on both sides.
        seed: as in `differences`, and so are the others.
        clusters: (questions,) what is drawn together.
        resamples: of the bootstrap, and of the sign flips. One in which a side has nothing
            to divide by is left out of the interval.
        level: share of such intervals that are to hold the truth, in (0, 1).

    Returns:
        In the order of the metrics. No mean where a side's denominators are all 0.

    Raises:
        ValueError: a defined ratio is not in [0, 1], or the level is not in (0, 1).
    """
    asked = []
    for old, new, there in zip(before, after, defined.T, strict=True):
        sides = [(top[there], bottom[there]) for top, bottom in (old, new)]
        if not all(((top >= 0) & (top <= bottom)).all() for top, bottom in sides):
            raise ValueError("expected numerators from 0 to their denominators")
        of = None if clusters is None else clusters[there]
        n = int(np.count_nonzero(there))
        groups, reason = _groups(n, of)
        if n and not all(bottom.any() for _, bottom in sides):
            mean, reason = None, UNDIVIDED
        elif n:
            ratios = [math.fsum(top) / math.fsum(bottom) for top, bottom in sides]
            mean = ratios[1] - ratios[0]
        else:
            mean = None
        pairs = None if reason else Pooled.of(sides[0], sides[1], of)
        asked.append(Asked(n, groups, mean, pairs, reason))
    return answered(asked, seed=seed, resamples=resamples, level=level)


def _groups(n: int, clusters: Ints | None) -> tuple[int, str | None]:
    """How many clusters there are, and why they are too few."""
    if n == 0:
        return 0, "no question is defined on both sides"
    if n == 1:
        return 1, "one question only"
    groups = n if clusters is None else len(np.unique(clusters))
    return groups, "one cluster only" if groups == 1 else None
