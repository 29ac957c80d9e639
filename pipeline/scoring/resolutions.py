"""Which labels hold in some resolution of what is in dispute, and which in all.

Labels that people settled, or on which all agree, hold. Where annotators disagree a label
is in dispute. A *resolution* of a question says yes or no to each label in dispute, so that
the labels fit together: a document that supports a claim is relevant, and where the question
has labelled pairs of claim and document, some document is relevant exactly when some pair
holds. (Documents the caller may not read are in none of this. If all supporting documents
have gone with them, the relevant ones stay and no claim is expected.)
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pipeline.scoring.arrays import Bools, Ints

Policy = Literal["interval", "exclude", "majority"]


@dataclass(frozen=True)
class Votes:
    """Labels of one kind with how many of `votes` said yes, at least one; all (labels,)."""

    question: Ints
    yes: Ints
    votes: Ints

    def count(self, which: Bools, questions: int) -> Ints:
        """How many of the marked labels each question has."""
        return np.bincount(self.question[which], minlength=questions)


@dataclass(frozen=True)
class Held:
    """Labels of both kinds: `some` hold in a resolution at least, `sure` ones in all."""

    doc_some: Bools
    doc_sure: Bools
    pair_some: Bools
    pair_sure: Bools


def resolve(docs: Votes, pairs: Votes, pair_doc: Ints, questions: int, policy: Policy) -> Held:
    """Apply the policy, then settle what is the same in all resolutions.

    Args:
        docs: documents called relevant.
        pairs: documents called supporting, for a claim each.
        pair_doc: (pairs,) position in `docs` of the document of each pair.
        questions: how many questions there are.
        policy: `majority` settles a label by more than half of its votes and leaves a tie
            in dispute; where its verdicts do not fit together, all of the question stays
            in dispute. `interval` and `exclude` settle nothing.
    """
    doc_sure, pair_sure = docs.yes == docs.votes, pairs.yes == pairs.votes
    doc_sure[pair_doc[pair_sure]] = True
    everything = np.ones_like(doc_sure), np.ones_like(pair_sure)
    held = Held(everything[0], doc_sure, everything[1], pair_sure)
    if doc_sure.all() and pair_sure.all():
        return held
    if policy == "majority":
        held = _majority(docs, pairs, questions, held)
    return _conclude(docs, pairs, pair_doc, questions, held)


def _majority(docs: Votes, pairs: Votes, questions: int, held: Held) -> Held:
    doc_won = held.doc_sure | (2 * docs.yes > docs.votes)
    doc_left = doc_won | (2 * docs.yes == docs.votes)
    pair_won, pair_left = 2 * pairs.yes > pairs.votes, 2 * pairs.yes >= pairs.votes
    # relevant documents, but no pair left to make one of them so
    unfit = pairs.count(held.pair_some, questions) > 0
    unfit &= (docs.count(doc_won, questions) > 0) & (pairs.count(pair_left, questions) == 0)
    doc_unfit, pair_unfit = unfit[docs.question], unfit[pairs.question]
    return Held(
        doc_left | doc_unfit,
        np.where(doc_unfit, held.doc_sure, doc_won),
        pair_left | pair_unfit,
        pair_won,
    )


def _conclude(docs: Votes, pairs: Votes, pair_doc: Ints, questions: int, held: Held) -> Held:
    bound = pairs.count(np.ones_like(held.pair_sure), questions) > 0
    answerable = docs.count(held.doc_sure, questions) > 0
    candidates = pairs.count(held.pair_some, questions)
    # a relevant document needs a pair that holds: without a candidate none is relevant
    doc_some = held.doc_some & ~(bound & ~answerable & (candidates == 0))[docs.question]
    # and with one candidate, that is the one
    only = (answerable & (candidates == 1))[pairs.question]
    pair_sure = held.pair_sure | (only & held.pair_some)
    # and with all candidates on one document, that is relevant
    backed = np.zeros_like(held.doc_sure)
    backed[pair_doc[held.pair_some]] = True
    single = (answerable & (docs.count(backed, questions) == 1))[docs.question]
    return Held(doc_some, held.doc_sure | (backed & single), held.pair_some, pair_sure)
