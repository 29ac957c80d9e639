"""What was claimed: which claims hold, which are expected, and the metrics of them."""

from dataclasses import dataclass

import numpy as np

from pipeline.scoring.arrays import (
    Bools,
    Floats,
    Ints,
    Ragged,
    locate,
    ratio,
    starts,
    totals,
    within,
)
from pipeline.scoring.gold import Gold
from pipeline.scoring.retrieval import Reach


@dataclass(frozen=True)
class Stated:
    """The claims that answers make; lists for each response.

    Attributes:
        offsets: (responses + 1,) of the lists below.
        claim: the expected claim that it is, -1 where no label knows it.
        certain: supported in every resolution: it cites something, and all it cites is
            visible and surely labelled for it.
        supportable: supported in some resolution.
        stray: it cites nothing, or a document that is unknown, or visible and labelled
            for it in no resolution.
        unseen: it cites a document of the corpus that is not visible.
    """

    offsets: Ints
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
    offsets = starts(cited)
    owner = np.repeat(claims.owners, cited)
    seen = np.zeros(len(citations), np.bool_)
    for shown in context:
        seen |= shown[owner] == citations
    pair = locate(gold.pair_keys, np.repeat(claims.values, cited), citations)
    labelled = pair >= 0
    sure = labelled.copy()
    sure[labelled] = gold.pair_sure[pair[labelled]]
    cites = cited > 0
    known = claims.values >= 0
    known[known] = gold.pairs.lengths[claims.values[known]] > 0
    return Stated(
        claims.offsets,
        np.where(known, claims.values, -1),
        cites & (totals(seen & sure, offsets) == cited),
        cites & (totals(seen & labelled, offsets) == cited),
        ~cites | (totals((citations < 0) | (seen & ~labelled), offsets) > 0),
        totals((citations >= 0) & ~seen, offsets) > 0,
    )


@dataclass(frozen=True)
class Expected:
    """The claims that each response's question expects; lists for each response.

    Attributes:
        offsets: (responses + 1,) of the lists below.
        possible: expected in some resolution.
        must: expected in every resolution, for a supporting document that is sure.
        supportable: expected and supported in some resolution.
        unsupportable: expected and not supported in some resolution.
        stray: stated, with a citation that is wrong whenever the claim is expected.
        stated: whether the answer makes it.
    """

    offsets: Ints
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
    lengths = np.diff(gold.claims)[question]
    claim = within(gold.claims[question], lengths)
    offsets = starts(lengths)
    pairs = gold.pairs.lengths[claim]
    sure = totals(gold.pair_sure, gold.pairs.offsets)[claim]
    one = np.flatnonzero(made.claim >= 0)
    owner = np.repeat(np.arange(len(question)), np.diff(made.offsets))[one]
    place = offsets[owner] + made.claim[one] - gold.claims[question[owner]]

    def marked(which: Bools) -> Bools:
        found = np.zeros(len(claim), np.bool_)
        found[place] = which[one]
        return found

    supportable, certain = marked(made.supportable), marked(made.certain)
    # one citation may be wrong and yet the claim be expected, for another document
    loose = ~certain & (pairs > 1)
    return Expected(
        offsets,
        pairs > 0,
        sure > 0,
        supportable,
        (pairs > 0) & (~supportable | loose),
        marked(made.stray),
        marked(np.ones(len(made.claim), np.bool_)),
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
    claims = np.diff(gold.claims)[question]
    claim = within(gold.claims[question], claims)
    lengths = gold.pairs.lengths[claim]
    pair = within(gold.pairs.offsets[claim], lengths)
    owner = np.repeat(np.repeat(np.arange(len(question)), claims), lengths)
    doc = reach.offsets[owner] + gold.pair_doc[pair] - gold.docs.offsets[question[owner]]
    left_out = np.repeat(~made.stated, lengths) & (reach.chunks[doc] > 0)
    offsets = starts(lengths)[made.offsets]
    pairs = np.diff(offsets)
    return (
        totals(left_out & gold.pair_sure[pair], offsets) > 0,
        (totals(left_out, offsets) == pairs) & (pairs > 0),
    )
