"""What was expected: which claims of the question the answer makes, misses or lacks support for."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pipeline.scoring.arrays import Bools, Ints, Lists, starts, within
from pipeline.scoring.claims import Stated
from pipeline.scoring.gold import Gold
from pipeline.scoring.marked import Marked
from pipeline.scoring.retrieval import Reach


@dataclass(frozen=True)
class Expected:
    """The claims that each response's question expects; lists for each response.

    Attributes:
        lists: the expected claims of each response's question; what follows is in them.
        possible: expected in some resolution.
        must: expected in every resolution, for a supporting document that is sure.
        supportable: expected and supported in some resolution.
        unsupportable: expected and not supported in some resolution.
        stray: stated, with a citation that is wrong whenever the claim is expected.
        stated: whether the answer makes it.
    """

    lists: Lists
    possible: Bools
    must: Bools
    supportable: Bools
    unsupportable: Bools
    stray: Bools
    stated: Bools


def expected(gold: Gold, question: Ints, made: Stated, places: Marked | None) -> Expected:
    """Look for the expected claims of each response's question among those it makes.

    Args:
        gold: the labels.
        question: (responses,) the question of each response.
        made: the claims of each response, from `stated`.
        places: where in the documents the labels lie; None: no label says.
    """
    lists = Lists(starts(gold.claims.lengths[question]))
    claim = within(gold.claims.offsets[question], lists)
    possible = gold.claim_some[claim]
    one = np.flatnonzero(made.claim >= 0)
    owner = made.lists.owner[one]
    place = lists.offsets[owner] + made.claim[one] - gold.claims.offsets[question[owner]]

    def spread(which: Bools) -> Bools:
        found = np.zeros(len(claim), np.bool_)
        found[place] = which[one]
        return found

    supportable, certain = spread(made.supportable), spread(made.certain)
    # one citation may be wrong and yet the claim be expected, for another document or place
    others = gold.pairs.lengths > 1
    if places is not None:
        others |= gold.pairs.sum(places.pairs.several) > 0
    loose = ~certain & others[claim]
    return Expected(
        lists,
        possible,
        gold.claim_sure[claim],
        supportable,
        possible & (~supportable | loose),
        spread(made.stray),
        spread(made.claim >= 0),
    )


def seen(reach: Reach) -> Callable[[Ints, Ints], Bools]:
    """For `unused`, where no label says where in a document the evidence lies."""
    return lambda _, place: reach.seen[place]


def unused(
    gold: Gold,
    question: Ints,
    reach: Reach,
    made: Expected,
    shown: Callable[[Ints, Ints], Bools],
) -> tuple[Bools, Bools]:
    """Find expected claims that an answer leaves out though evidence for them is visible.

    Args:
        gold: the labels.
        question: (responses,) the question of each response.
        reach: how far the labelled documents came.
        made: the claims expected.
        shown: for positions in `Gold.pairs` and in `Reach.lists` of a claim's document:
            whether evidence for the claim is visible there.

    Returns:
        (responses,) whether there is such a claim whose document is sure, and (responses,)
        whether every pair of claim and document is such a case.
    """
    claim = within(gold.claims.offsets[question], made.lists)
    by_claim = Lists(starts(gold.pairs.lengths[claim]))
    lists = Lists(by_claim.offsets[made.lists.offsets])
    pair = within(gold.pairs.offsets[claim], by_claim)
    shift = reach.lists.offsets[:-1] - gold.docs.offsets[question]
    visible = shown(pair, gold.pair_doc[pair] + shift[lists.owner])
    left_out = visible & ~made.stated[by_claim.owner]
    return (
        lists.sum(left_out & gold.pair_sure[pair]) > 0,
        (lists.sum(~left_out) == 0) & (lists.lengths > 0),
    )
