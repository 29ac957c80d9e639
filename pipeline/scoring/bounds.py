"""Least and greatest value of each metric over the resolutions of a question's labels.

What a resolution is stands in `pipeline.scoring.gold`. Metrics of the ranking depend on
which documents in dispute are relevant. Any set of them fits, except that one document has
to be relevant that would do for that (`needed`); a question is `unmet` while none of its
sure documents is such a one. Metrics of claims depend on the pairs, each claim by itself,
except that an answerable question expects some claim. So each extreme has a closed form.
"""

import numpy as np

from pipeline.scoring.arrays import Floats, Ints, least, ratio, totals
from pipeline.scoring.claims import Expected
from pipeline.scoring.retrieval import NEVER, Reach, precision, recall, reciprocal_rank

Bounds = tuple[Floats, Floats]
"""(responses,) least and (responses,) greatest value; equal where there is no dispute."""


def precision_bounds(reach: Reach, cutoff: int) -> Bounds:
    """Least: no document in dispute is relevant, or the one that has to be with fewest chunks.

    Greatest: all of them are. Of no meaning where no resolution makes the question answerable.
    """
    hits = totals(reach.chunks * reach.sure, reach.offsets)
    disputed = totals(reach.chunks * ~reach.sure, reach.offsets)
    fewest = _extreme(reach, reach.chunks)
    return precision(hits + fewest, cutoff), precision(hits + disputed, cutoff)


def recall_bounds(reach: Reach) -> Bounds:
    """Least: of the documents in dispute all that are not visible are relevant; greatest: all that are.

    Where one has to be relevant and none of these would do, one of the others is added.
    """
    seen = reach.first < NEVER
    relevant = totals(reach.sure, reach.offsets)
    reached = totals(reach.sure & seen, reach.offsets)
    gained = totals(~reach.sure & seen, reach.offsets)
    missed = totals(~reach.sure & ~seen, reach.offsets)
    unmet = _unmet(reach)
    must_gain = unmet & (totals(reach.needed & ~seen, reach.offsets) == 0)
    must_miss = unmet & (totals(reach.needed & seen, reach.offsets) == 0)
    return (
        recall(reached + must_gain, relevant + missed + must_gain),
        recall(reached + gained, relevant + gained + must_miss),
    )


def reciprocal_rank_bounds(reach: Reach) -> Bounds:
    """Least: no document in dispute is relevant, or of those that would do the one ranked last.

    Greatest: all of them are.
    """
    first = least(np.where(reach.sure, reach.first, NEVER), reach.offsets, NEVER)
    forced = -least(np.where(reach.needed, -reach.first, 0), reach.offsets, 0)
    last = np.where(_unmet(reach), forced, NEVER)
    best = least(reach.first, reach.offsets, NEVER)
    return reciprocal_rank(np.minimum(first, last)), reciprocal_rank(best)


def support_bounds(expected: Expected, answerable: Ints, claims: Ints) -> Bounds:
    """Least: no pair in dispute holds; greatest: all do.

    If an answerable question expects no claim for sure, one of them has to be expected in
    the least case too; it counts as supported if each claim is, whenever it is expected.
    """
    forced = (_unsupported(expected) == 0) & (_certain(expected) == 0) & (answerable > 0)
    forced &= totals(expected.possible, expected.offsets) > 0
    low = _certain(expected) + forced
    high = totals(expected.supportable, expected.offsets)
    return ratio(low, claims), ratio(high, claims)


def coverage_bounds(expected: Expected) -> Bounds:
    """Each claim in dispute is unexpected, or expected and supported, or expected and not.

    Least: the claims that have to be expected, and those that can be unsupported; greatest:
    those that have to be, and those that can be supported. If that is none, one of the
    others is expected, since an answerable question expects some claim.
    """
    supportable, must = expected.supportable, expected.must
    gained = totals(supportable, expected.offsets)
    high = ratio(gained, gained + totals(must & ~supportable, expected.offsets))
    kept, lost = _certain(expected), _unsupported(expected)
    low = np.where(kept + lost > 0, ratio(kept, kept + lost), 1.0)
    return low, high


def _unsupported(expected: Expected) -> Ints:
    """Claims that are expected and not supported in some resolution."""
    return totals(expected.unsupportable, expected.offsets)


def _certain(expected: Expected) -> Ints:
    """Claims that are expected and supported in every resolution."""
    return totals(expected.must & ~expected.unsupportable, expected.offsets)
