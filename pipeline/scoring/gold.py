"""What the labels say of each question once the rubric's policy has been applied.

Sure is what holds in every resolution of what is in dispute (`pipeline.scoring.resolutions`);
what holds in none is left out.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.scoring.arrays import Bools, Ints, Lists, Ragged, locate, starts
from pipeline.scoring.resolutions import Policy, Votes, resolve

POPULATIONS = ("not_labelled", "answerable", "unanswerable", "unresolved")
NOT_LABELLED, ANSWERABLE, UNANSWERABLE, UNRESOLVED = range(4)


@dataclass(frozen=True)
class Gold:
    """Labels that hold in some resolution; those marked sure hold in every one.

    Attributes:
        population: (questions,) index into `POPULATIONS`; `unresolved` where some
            resolutions only make the question answerable.
        open: (questions,) whether any label is still in dispute.
        docs: relevant documents of each question, ascending.
        doc_sure: (documents in docs,) whether it is relevant in every resolution.
        doc_needed: (documents in docs,) whether it would do as the one relevant document
            that an answerable question has to have.
        claims: the expected claims of each question.
        claim_some: (claims,) whether some document supports it; if none, it is not expected.
        claim_sure: (claims,) whether some document surely supports it.
        pairs: supporting documents of each claim, ascending.
        pair_sure: (documents in pairs,) whether it supports the claim in every resolution.
        pair_doc: (documents in pairs,) its position in `docs.values`.
        expected: (questions,) claims that are expected in every resolution.
    """

    population: Ints
    open: Bools
    docs: Ragged
    doc_sure: Bools
    doc_needed: Bools
    claims: Lists
    claim_some: Bools
    claim_sure: Bools
    pairs: Ragged
    pair_sure: Bools
    pair_doc: Ints
    expected: Ints


def settle(
    labelled: Bools,
    relevance: dict[str, Any],
    support: dict[str, Any],
    claims: Ints,
    policy: Policy,
) -> Gold:
    """Apply the policy to the votes and work out what follows.

    Args:
        labelled: (questions,) whether anybody labelled the question.
        relevance: columns question, doc, yes, votes in order of (question, doc).
        support: columns question, claim, doc, yes, votes in order of (claim, doc); empty
            where the set carries no claim labels.
        claims: (claims,) the question of each expected claim, ascending.
        policy: what becomes of labels in dispute.

    Raises:
        ValueError: a supporting document is not among those called relevant.
    """
    size = len(labelled)
    docs = Votes(relevance["question"], relevance["yes"], relevance["votes"])
    pairs = Votes(support["question"], support["yes"], support["votes"])
    called = _ragged(relevance["question"], relevance["doc"], size)
    pair_doc = locate(called, support["question"], support["doc"])
    if (pair_doc < 0).any():
        raise ValueError("support: expected documents that are in relevance, got others")
    held = resolve(docs, pairs, pair_doc, size, policy)
    some, sure = docs.count(held.doc_some, size), docs.count(held.doc_sure, size)
    population = np.select(
        [~labelled, sure > 0, some > 0], [NOT_LABELLED, ANSWERABLE, UNRESOLVED], UNANSWERABLE
    )
    in_dispute = pairs.count(held.pair_some & ~held.pair_sure, size) + some - sure
    backed = np.zeros(len(called.values), np.bool_)
    backed[pair_doc[held.pair_some]] = True
    needed = backed | (np.bincount(pairs.question, minlength=size) == 0)[docs.question]

    claim, doc = support["claim"][held.pair_some], support["doc"][held.pair_some]
    pair_sure = held.pair_sure[held.pair_some]
    claim_some, claim_sure = np.zeros((2, len(claims)), np.bool_)
    claim_some[claim], claim_sure[claim[pair_sure]] = True, True
    return Gold(
        population,
        in_dispute > 0,
        _ragged(docs.question[held.doc_some], relevance["doc"][held.doc_some], size),
        held.doc_sure[held.doc_some],
        needed[held.doc_some],
        Lists(starts(np.bincount(claims, minlength=size))),
        claim_some,
        claim_sure,
        _ragged(claim, doc, len(claims)),
        pair_sure,
        (np.cumsum(held.doc_some) - 1)[pair_doc[held.pair_some]],
        _expected(claims, claim_some, claim_sure, population == ANSWERABLE),
    )


def _expected(claims: Ints, some: Bools, sure: Bools, answerable: Bools) -> Ints:
    """Claims of each question that are expected in every resolution.

    Those with a supporting document that is sure; and where no claim has one, but the
    question is answerable and has a single claim, that claim.
    """
    size = len(answerable)
    count = np.bincount(claims[sure], minlength=size)
    single = np.bincount(claims[some], minlength=size) == 1
    return np.where((count == 0) & answerable & single, 1, count)


def _ragged(group: Ints, values: Ints, size: int) -> Ragged:
    offsets = starts(np.bincount(group, minlength=size))
    return Ragged(offsets, values.astype(np.int32), np.ones(size, np.bool_))
