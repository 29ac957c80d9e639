"""Least and greatest value of each metric over the resolutions of a question's labels.

What a resolution is stands in `pipeline.scoring.resolutions`. Metrics of the ranking depend on
which documents in dispute are relevant. Any set of them fits, except that one document has
to be relevant that would do for that (`needed`); a question is `unmet` while none of its
sure documents is such a one. Metrics of claims depend on the pairs, each claim by itself,
except that an answerable question expects some claim. So each extreme has a closed form.
"""

import numpy as np

from pipeline.scoring.arrays import Bools, Floats, Ints, ratio
from pipeline.scoring.expected import Expected
from pipeline.scoring.retrieval import NEVER, Reach, precision, recall, reciprocal_rank

Bounds = tuple[Floats, Floats]
"""(responses,) least and (responses,) greatest value; equal where there is no dispute."""


def precision_bounds(reach: Reach, cutoff: Ints) -> Bounds:
    """Least: no document in dispute is relevant, or the one that has to be with fewest chunks.

    Greatest: all of them are. Of no meaning where no resolution makes the question answerable.
    """
    hits = reach.lists.sum(reach.least * reach.sure)
    needed = reach.lists.least(np.where(reach.needed, reach.least, NEVER), 0)
    fewest = np.where(_unmet(reach), needed, 0)
    return precision(hits + fewest, cutoff), precision(reach.lists.sum(reach.chunks), cutoff)


def recall_bounds(reach: Reach) -> Bounds:
    """Least: the documents in dispute that are not visible are relevant; greatest: those that are.

    Where one has to be relevant and none of these would do, one of the others is added.
    """
    seen = reach.seen
    relevant = reach.lists.sum(reach.sure)
    reached = reach.lists.sum(reach.sure & seen)
    gained = reach.lists.sum(~reach.sure & seen)
    missed = reach.lists.sum(~reach.sure & ~seen)
    unmet = _unmet(reach)
    must_gain = unmet & (reach.lists.sum(reach.needed & ~seen) == 0)
    must_miss = unmet & (reach.lists.sum(reach.needed & seen) == 0)
    return (
        recall(reached + must_gain, relevant + missed + must_gain),
        recall(reached + gained, relevant + gained + must_miss),
    )


def reciprocal_rank_bounds(reach: Reach) -> Bounds:
    """Least: no document in dispute is relevant, or of those that would do the one ranked last.

    Greatest: all of them are.
    """
    first = reach.lists.least(np.where(reach.sure, reach.last, NEVER), NEVER)
    forced = -reach.lists.least(np.where(reach.needed, -reach.last, 0), 0)
    last = np.where(_unmet(reach), forced, NEVER)
    best = reach.lists.least(reach.first, NEVER)
    return reciprocal_rank(np.minimum(first, last)), reciprocal_rank(best)


def support_bounds(expected: Expected, answerable: Bools, claims: Ints) -> Bounds:
    """Least: no pair in dispute holds; greatest: all do.

    If an answerable question expects no claim for sure, one of them has to be expected in
    the least case too; it counts as supported if each claim is, whenever it is expected.
    """
    forced = (_unsupported(expected) == 0) & (_certain(expected) == 0) & answerable
    forced &= expected.lists.lengths > 0
    low = _certain(expected) + forced
    high = expected.lists.sum(expected.supportable)
    return ratio(low, claims), ratio(high, claims)


def coverage_bounds(expected: Expected) -> Bounds:
    """Each claim in dispute is unexpected, or expected and supported, or expected and not.

    Least: the claims that have to be expected, and those that can be unsupported; greatest:
    those that have to be, and those that can be supported. If that is none, one of the
    others is expected, since an answerable question expects some claim.
    """
    supportable, must = expected.supportable, expected.must
    gained = expected.lists.sum(supportable)
    high = ratio(gained, gained + expected.lists.sum(must & ~supportable))
    kept, lost = _certain(expected), _unsupported(expected)
    low = np.where(kept + lost > 0, ratio(kept, kept + lost), 1.0)
    return low, high


def _unmet(reach: Reach) -> Bools:
    """Whether no sure document would do as the relevant one that there has to be."""
    unmet: Bools = reach.lists.sum(reach.sure & reach.needed) == 0
    return unmet


def _unsupported(expected: Expected) -> Ints:
    """Claims that are expected and not supported in some resolution."""
    return expected.lists.sum(expected.unsupportable)


def _certain(expected: Expected) -> Ints:
    """Claims that are expected and supported in every resolution."""
    return expected.lists.sum(expected.must & ~expected.unsupportable)
