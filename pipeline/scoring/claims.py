"""What was claimed: which claims hold, and the metrics of them."""

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
)
from pipeline.scoring.gold import Gold
from pipeline.scoring.marked import Marked


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


@dataclass(frozen=True)
class Cited:
    """What the claims of some responses cite, claim after claim.

    Attributes:
        counts: (claims,) how many citations each claim has.
        docs: (citations,) documents cited; -1: not in the corpus.
        chunks: (citations,) the chunk that is cited, -1: the document as a whole; None: no
            citation names a chunk.
    """

    counts: Ints
    docs: Ints
    chunks: Ints | None


def stated(
    gold: Gold, claims: Ragged, cited: Cited, context: tuple[Ints, Ints], places: Marked | None
) -> Stated:
    """Hold every citation against the labels of its claim and the visible context.

    A single citation outside them sinks a claim, whatever the others are. Where a chunk is
    cited, that very chunk has to be visible and, if labels say where in the document the
    support for the claim lies, to overlap it.

    Args:
        gold: the labels.
        claims: the expected claim that each claim of a response is, -1 for none.
        cited: what each claim cites.
        context: (k, responses) visible documents and visible chunks, from `visible`.
        places: where in the documents the labels lie; None: no label says.
    """
    lists, citations = Lists(starts(cited.counts)), cited.docs
    owner = claims.owner[lists.owner]
    seen = np.zeros(len(citations), np.bool_)
    for docs in context[0]:
        seen |= docs[owner] == citations
    pair = locate(gold.pairs, claims.values[lists.owner], citations)
    labelled, sure = pair >= 0, marked(gold.pair_sure, pair)
    if cited.chunks is not None:
        at = np.flatnonzero(cited.chunks >= 0)
        chunk = cited.chunks[at]
        seen[at] = (context[1][:, owner[at]] == chunk).any(axis=0)
        if places is not None:
            at, chunk = at[labelled[at]], chunk[labelled[at]]
            readings, hit = places.pairs.touched(pair[at], places.cuts, chunk, places.overlap)
            labelled[at] = readings.sum(hit) > 0
            sure[at] &= readings.sum(hit) == readings.lengths
    known, cites = marked(gold.claim_some, claims.values), cited.counts > 0
    return Stated(
        claims,
        np.where(known, claims.values, -1),
        cites & (lists.sum(seen & sure) == cited.counts),
        cites & (lists.sum(seen & labelled) == cited.counts),
        ~cites | (lists.sum((citations < 0) | (seen & ~labelled)) > 0),
        lists.sum((citations >= 0) & ~seen) > 0,
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
