"""What was claimed: which claims hold, which are expected, and the metrics of them."""

from dataclasses import dataclass

import numpy as np

from pipeline.scoring.arrays import (
    Bools,
    Floats,
    Ints,
    Lists,
    Ragged,
    locate,
    marked,
    ratio,
    starts,
    within,
)
from pipeline.scoring.gold import Gold
from pipeline.scoring.retrieval import Reach


@dataclass(frozen=True)
class Stated:
    """The claims that answers make; lists for each response.

    Attributes:
        lists: the claims of each response; what follows is in them.
        claim: the expected claim that it is, -1 where no label knows it.
        certain: supported in every resolution: it cites something, and all it cites is
            visible and surely labelled for it.
        supportable: supported in some resolution.
        stray: it cites nothing, or a document that is unknown, or visible and labelled
            for it in no resolution.
        unseen: it cites a document of the corpus that is not visible.
    """

    lists: Lists
    claim: Ints
    certain: Bools
    supportable: Bools
    stray: Bools
    unseen: Bools


def stated(gold: Gold, claims: Ragged, cited: Ints, citations: Ints, context: Ints) -> Stated:
    """Hold every citation against the labels of its claim and the visible context.

    A single citation outside them sinks a claim, whatever the others are.

    Args:
        gold: the labels.
        claims: the expected claim that each claim of a response is, -1 for none.
        cited: (claims,) how many documents each claim cites.
        citations: (citations,) documents cited, claim after claim; -1: not in the corpus.
        context: (cutoff, responses) visible documents, from `visible`.
    """
    lists = Lists(starts(cited))
    owner = claims.owner[lists.owner]
    seen = np.zeros(len(citations), np.bool_)
    for shown in context:
        seen |= shown[owner] == citations
    pair = locate(gold.pairs, claims.values[lists.owner], citations)
    labelled, sure = pair >= 0, marked(gold.pair_sure, pair)
    known, cites = marked(gold.claim_some, claims.values), cited > 0
    return Stated(
        claims,
        np.where(known, claims.values, -1),
        cites & (lists.sum(seen & sure) == cited),
        cites & (lists.sum(seen & labelled) == cited),
        ~cites | (lists.sum((citations < 0) | (seen & ~labelled)) > 0),
        lists.sum((citations >= 0) & ~seen) > 0,
    )


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


def expected(gold: Gold, question: Ints, made: Stated) -> Expected:
    """Look for the expected claims of each response's question among those it makes.

    Args:
        gold: the labels.
        question: (responses,) the question of each response.
        made: the claims of each response, from `stated`.
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
    # one citation may be wrong and yet the claim be expected, for another document
    loose = ~certain & (gold.pairs.lengths[claim] > 1)
    return Expected(
        lists,
        possible,
        gold.claim_sure[claim],
        supportable,
        possible & (~supportable | loose),
        spread(made.stray),
        spread(made.claim >= 0),
    )


def support(supported: Ints, claims: Ints) -> Floats:
    """Share of the claims made that are supported.

    Args:
        supported: (responses,) claims with citations, all of them visible and labelled for
            that very claim.
        claims: (responses,) claims made.

    Returns:
        (responses,) in [0, 1]; 0.0, and of no meaning, where no claim was made.
    """
    return ratio(supported, claims)


def coverage(supported: Ints, expected: Ints) -> Floats:
    """Share of the expected claims that the answer makes and supports.

    Args:
        supported: (responses,) as for `support`; each is an expected claim.
        expected: (responses,) claims that the question expects.

    Returns:
        (responses,) in [0, 1]; 0.0, and of no meaning, where none is expected.
    """
    return ratio(supported, expected)


def abstention(claims: Ints) -> Floats:
    """Whether no claim was made: 1.0 or 0.0.

    Right on an unanswerable question (`abstention`), wrong on an answerable one
    (`false_abstention`).

    Args:
        claims: (responses,) claims made.
    """
    return np.where(claims == 0, 1.0, 0.0)


def unused(gold: Gold, question: Ints, reach: Reach, made: Expected) -> tuple[Bools, Bools]:
    """Find expected claims that an answer leaves out though a document for them is visible.

    Returns:
        (responses,) whether there is such a claim whose document is sure, and (responses,)
        whether every pair of claim and document is such a case.
    """
    claim = within(gold.claims.offsets[question], made.lists)
    by_claim = Lists(starts(gold.pairs.lengths[claim]))
    lists = Lists(by_claim.offsets[made.lists.offsets])
    pair = within(gold.pairs.offsets[claim], by_claim)
    shift = reach.lists.offsets[:-1] - gold.docs.offsets[question]
    visible = reach.chunks[gold.pair_doc[pair] + shift[lists.owner]] > 0
    left_out = visible & ~made.stated[by_claim.owner]
    return (
        lists.sum(left_out & gold.pair_sure[pair]) > 0,
        (lists.sum(~left_out) == 0) & (lists.lengths > 0),
    )
