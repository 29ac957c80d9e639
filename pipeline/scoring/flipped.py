"""Sign flips: what would come out if it were chance which side is the baseline."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from pipeline.scoring.arrays import Floats
from pipeline.scoring.pairs import Pairs
from pipeline.scoring.resampled import FEW, blocks
from pipeline.scoring.whole import distinct, ordered


def p_values(pairs: Sequence[Pairs], *, resamples: int, seed: int) -> list[float]:
    """Two-sided p-value of each difference, by swapping the sides of whole clusters.

    If the systems were alike, each cluster's sides could as well be the other way round.
    The value is the share of such swaps with a difference at least as far from 0 as the one
    that was found. Clusters that are the same on both sides change nothing and are left out.
    Where all swaps of the others are no more than `resamples`, each is made once and the
    value is exact; else it is (b + 1) / (resamples + 1) for b of the random swaps.

    Args:
        pairs: a difference each.
        resamples: how many swaps to draw, >= 1; no value is below 1 / (resamples + 1).
        seed: >= 0, of the draws.

    Returns:
        Values in (0, 1], the same whichever side is the baseline, and whatever the order.

    Source: Fisher 1935, The Design of Experiments, section 21; Phipson & Smyth 2010,
    Statistical Applications in Genetics and Molecular Biology 9(1), for the + 1.
    """
    moving = [_moving(each.odd) for each in pairs]
    sums = _flipped(moving, resamples, seed)
    return [
        _share(each, flips, exact=2 ** len(rows) <= resamples)
        for each, rows, flips in zip(pairs, moving, sums, strict=True)
    ]


def _moving(odd: Floats) -> Floats:
    """Rows that are not all 0, each with its first sign made +: only the size matters."""
    rows = odd[(odd != 0).any(axis=1)]
    first = rows[np.arange(len(rows)), (rows != 0).argmax(axis=1)]
    return ordered(rows * np.sign(first)[:, None])


def _share(pairs: Pairs, sums: Floats, *, exact: bool) -> float:
    found = np.abs(pairs.flipped(pairs.odd.sum(axis=0)[None]))
    # a swap that leaves a side with nothing to divide by counts as one
    as_far = int(np.count_nonzero(~(np.abs(pairs.flipped(sums)) < found - pairs.slack)))
    return as_far / len(sums) if exact else (as_far + 1) / (len(sums) + 1)


def _flipped(sources: Sequence[Floats], resamples: int, seed: int) -> list[Floats]:
    """Sums of the rows of each source with their signs flipped, (flips, columns) each."""
    found: dict[int, Floats] = {}
    alike = defaultdict(list)
    for at, rows in enumerate(sources):
        values, counts = distinct(rows)
        if 2 ** len(rows) <= resamples:
            kept = np.arange(2 ** len(rows))[:, None] >> np.arange(len(rows)) & 1
            found[at] = (2.0 * kept - 1) @ rows
        elif len(values) * FEW <= len(rows):
            # of c equal rows some keep their sign: how many is a binomial number
            kept_of = [
                random.binomial(counts, 0.5, (size, len(counts))) @ values
                for random, size in blocks(seed, resamples, len(values))
            ]
            found[at] = 2 * np.concatenate(kept_of) - rows.sum(axis=0)
        else:
            alike[len(rows)].append(at)
    for places in alike.values():
        table = np.hstack([sources[at] for at in places])
        sums = 2 * _kept(table, resamples, seed) - table.sum(axis=0)
        ends = np.cumsum([sources[at].shape[1] for at in places])[:-1]
        found |= dict(zip(places, np.split(sums, ends, axis=1), strict=True))
    return [found[at] for at in range(len(sources))]


def _kept(table: Floats, resamples: int, seed: int) -> Floats:
    """Sums of those rows that keep their sign, one random bit for each."""
    found = []
    for random, size in blocks(seed, resamples, len(table)):
        bits = random.integers(0, 256, (size, -(-len(table) // 8)), np.uint8)
        kept = np.unpackbits(bits, axis=1, count=len(table))
        found.append(kept.astype(np.float64) @ table)
    return np.concatenate(found)
