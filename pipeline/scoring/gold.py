"""What the labels say of each question once the rubric's policy has been applied.

Labels that people settled, or on which all agree, hold. Where annotators disagree a label
is in dispute. A *resolution* of a question says yes or no to each label in dispute, so that
the labels fit together: a document that supports a claim is relevant, and where the question
has labelled pairs of claim and document, some document is relevant exactly when some pair
holds. (Documents the caller may not read are in none of this. If all supporting documents
have gone with them, the relevant ones stay and no claim is expected.)

Sure is what holds in every resolution; what holds in none is left out. A value that is the
same in every resolution counts as settled, whatever its labels are.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from pipeline.scoring.arrays import Bools, Ints, Ragged, keys, locate, starts

POPULATIONS = ("not_labelled", "answerable", "unanswerable", "unresolved")
NOT_LABELLED, ANSWERABLE, UNANSWERABLE, UNRESOLVED = range(4)

Policy = Literal["interval", "exclude", "majority"]


@dataclass(frozen=True)
class Votes:
    """Labels of one kind, in order: how many of `votes` said yes, at least one."""

    question: Ints
    yes: Ints
    votes: Ints

    def count(self, which: Bools, questions: int) -> Ints:
        """How many of the marked labels each question has."""
        return np.bincount(self.question[which], minlength=questions)


@dataclass(frozen=True)
class Gold:
    """Labels that hold in some resolution; those marked sure hold in every one.

    Attributes:
        population: (questions,) index into `POPULATIONS`.
        open: (questions,) whether any label is still in dispute.
        docs: relevant documents of each question, ascending.
        doc_sure: (documents in docs,) whether it is relevant in every resolution.
        doc_needed: (documents in docs,) whether it would do as the one relevant document
            that an answerable question has to have.
        claims: (questions + 1,) offsets of the expected claims of each question.
        pairs: supporting documents of each claim, ascending; none: it is not expected.
        pair_sure: (documents in pairs,) whether it supports the claim in every resolution.
        pair_doc: (documents in pairs,) its position in `docs.values`.
        pair_keys: (documents in pairs,) claim and document as one key, ascending.
        expected: (questions,) claims that are expected in every resolution.
    """

    population: Ints
    open: Bools
    docs: Ragged
    doc_sure: Bools
    doc_needed: Bools
    claims: Ints
    pairs: Ragged
    pair_sure: Bools
    pair_doc: Ints
    pair_keys: Ints
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
        policy: `majority` settles a label by more than half of its votes and leaves a tie
            in dispute; where its verdicts do not fit together, all of the question stays
            in dispute. `interval` and `exclude` settle nothing.

    Raises:
        ValueError: a supporting document is not among those called relevant.
    """
    docs = Votes(relevance["question"], relevance["yes"], relevance["votes"])
    pairs = Votes(support["question"], support["yes"], support["votes"])
    doc_keys = keys(relevance["question"], relevance["doc"])
    pair_doc = locate(doc_keys, support["question"], support["doc"])
    if (pair_doc < 0).any():
        raise ValueError("support: expected documents that are in relevance, got others")
    size = len(labelled)
    held = _verdicts(docs, pairs, pair_doc, size, policy)
    doc_kept, doc_sure, pair_kept, pair_sure = _conclude(docs, pairs, pair_doc, size, *held)
    bound = pairs.count(np.ones(len(pair_doc), np.bool_), size) > 0
    backed = np.bincount(pair_doc[pair_kept], minlength=len(doc_keys)) > 0
    doc_needed = backed | ~bound[docs.question]

    some, all_ = docs.count(doc_kept, size) > 0, docs.count(doc_sure, size) > 0
    population = np.select(
        [~labelled, all_, some], [NOT_LABELLED, ANSWERABLE, UNRESOLVED], UNANSWERABLE
    )
    in_dispute = docs.count(doc_kept & ~doc_sure, size) + pairs.count(pair_kept & ~pair_sure, size)
    claim = support["claim"][pair_kept]
    new_position = np.cumsum(doc_kept) - 1
    return Gold(
        population,
        in_dispute > 0,
        _ragged(docs.question[doc_kept], relevance["doc"][doc_kept], size),
        doc_sure[doc_kept],
        doc_needed[doc_kept],
        starts(np.bincount(claims, minlength=size)),
        _ragged(claim, support["doc"][pair_kept], len(claims)),
        pair_sure[pair_kept],
        new_position[pair_doc[pair_kept]],
        keys(claim, support["doc"][pair_kept]),
        _expected(claims, claim, pair_sure[pair_kept], population == ANSWERABLE),
    )


def _verdicts(
    docs: Votes, pairs: Votes, pair_doc: Ints, size: int, policy: Policy
) -> tuple[Bools, Bools, Bools, Bools]:
    """Which labels may hold and which do, by the policy alone: documents, then pairs."""
    doc_sure, pair_sure = docs.yes == docs.votes, pairs.yes == pairs.votes
    doc_sure[pair_doc[pair_sure]] = True
    doc_kept, pair_kept = np.ones_like(doc_sure), np.ones_like(pair_sure)
    if policy != "majority":
        return doc_kept, doc_sure, pair_kept, pair_sure
    doc_won = doc_sure | (2 * docs.yes > docs.votes)
    pair_won = 2 * pairs.yes > pairs.votes
    doc_tied, pair_tied = 2 * docs.yes == docs.votes, 2 * pairs.yes == pairs.votes
    unfit = (pairs.count(pair_kept, size) > 0) & (docs.count(doc_won, size) > 0)
    unfit &= pairs.count(pair_won | pair_tied, size) == 0
    return (
        doc_won | doc_tied | unfit[docs.question],
        np.where(unfit[docs.question], doc_sure, doc_won),
        pair_won | pair_tied | unfit[pairs.question],
        np.where(unfit[pairs.question], pair_sure, pair_won),
    )


def _conclude(
    docs: Votes, pairs: Votes, pair_doc: Ints, size: int,
    doc_kept: Bools, doc_sure: Bools, pair_kept: Bools, pair_sure: Bools,
) -> tuple[Bools, Bools, Bools, Bools]:  # fmt: skip
    """Settle the labels that have one verdict in all resolutions."""
    bound = pairs.count(np.ones_like(pair_kept), size) > 0
    answerable = docs.count(doc_sure, size) > 0
    candidates = pairs.count(pair_kept, size)
    # a relevant document needs a pair that holds: without a candidate none is relevant
    doc_kept = doc_kept & ~(bound & ~answerable & (candidates == 0))[docs.question]
    # ... and with one candidate, that is the one
    only = answerable & (candidates == 1)
    pair_sure = pair_sure | (only[pairs.question] & pair_kept)
    doc_sure = doc_sure.copy()
    doc_sure[pair_doc[pair_sure]] = True
    # ... and if all candidates are on one document, that is relevant
    backed = np.zeros_like(doc_sure)
    backed[pair_doc[pair_kept]] = True
    backed_question = docs.count(backed, size) == 1
    doc_sure |= backed & (answerable & backed_question)[docs.question]
    return doc_kept, doc_sure, pair_kept, pair_sure


def _expected(claims: Ints, claim: Ints, sure: Bools, answerable: Bools) -> Ints:
    """Claims of each question that are expected in every resolution.

    Those with a supporting document that is sure; and where no claim has one, but the
    question is answerable and has a single claim, that claim.
    """
    size = len(answerable)
    certain = np.bincount(claim[sure], minlength=len(claims)) > 0
    possible = np.bincount(claim, minlength=len(claims)) > 0
    count = np.bincount(claims[certain], minlength=size)
    single = np.bincount(claims[possible], minlength=size) == 1
    return np.where((count == 0) & answerable & single, 1, count)


def _ragged(group: Ints, values: Ints, size: int) -> Ragged:
    offsets = starts(np.bincount(group, minlength=size))
    return Ragged(offsets, values, np.ones(size, np.bool_))
