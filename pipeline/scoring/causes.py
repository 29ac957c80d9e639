"""What the labels prove went wrong. In a dispute only what holds in every resolution."""

import numpy as np
import polars as pl

from pipeline.contract.metrics import CAUSES
from pipeline.scoring.arrays import Bools, Ints
from pipeline.scoring.claims import Stated
from pipeline.scoring.expected import Expected
from pipeline.scoring.gold import ANSWERABLE, UNANSWERABLE
from pipeline.scoring.reasons import State
from pipeline.scoring.retrieval import NEVER, Reach


def causes(
    state: State, reach: Reach, made: Stated, expected: Expected,
    unused: tuple[Bools, Bools], with_claims: bool,
) -> dict[str, Bools]:  # fmt: skip
    """Find the causes of each response, except leaks.

    Args:
        state: what is on record.
        reach: how far the labelled documents came.
        made: the claims made.
        expected: the claims expected.
        unused: from `expected.unused`.
        with_claims: whether the set carries claim labels.

    Returns:
        (responses,) for each cause whether it holds.
    """
    answerable, unanswerable = state.population == ANSWERABLE, state.population == UNANSWERABLE
    ranked, given = answerable & ~state.lost, answerable & state.given & with_claims
    none = made.lists.lengths == 0
    return {
        "failed": state.failed | state.lost,
        "judge_failed": state.judge_failed,
        "not_retrieved": not_retrieved(reach, ranked),
        "below_cutoff": below_cutoff(reach, ranked),
        "not_used": not_used(unused, expected, given),
        "miscited": miscited(expected, given),
        "cited_not_visible": cited_not_visible(made) & state.given & ~state.lost,
        "extra_claim": extra_claim(made, given),
        "claim_on_unanswerable": unanswerable & state.given & ~none,
        "false_abstention": answerable & state.given & none,
    }


def not_retrieved(reach: Reach, answerable: Bools) -> Bools:
    """The evidence of a relevant document is nowhere in the stored ranking.

    Args:
        reach: how far the labelled documents came.
        answerable: (responses,) whether the question is, and the ranking was stored.
    """
    return answerable & _some_relevant(reach, ~reach.stored)


def below_cutoff(reach: Reach, answerable: Bools) -> Bools:
    """Evidence of a document was retrieved, but none within the cutoff; arguments as above."""
    return answerable & _some_relevant(reach, reach.surely & (reach.first == NEVER))


def _some_relevant(reach: Reach, marked: Bools) -> Bools:
    """Whether a relevant document is marked: a sure one, or each that could be needed."""
    sure: Bools = reach.lists.sum(reach.sure & marked) > 0
    every: Bools = reach.lists.sum(reach.needed & ~marked) == 0
    return sure | every


def not_used(unused: tuple[Bools, Bools], expected: Expected, given: Bools) -> Bools:
    """An expected claim is missing from the answer though a document for it is visible.

    Args:
        unused: from `expected.unused`.
        expected: the expected claims.
        given: (responses,) whether the question is answerable and the answer's claims are
            on record.
    """
    some, every = unused
    return given & (some | (every & _open(expected)))


def miscited(expected: Expected, given: Bools) -> Bools:
    """An expected claim is made, but cites nothing or a document that is not labelled for it.

    The document is unknown or visible; of others `cited_not_visible` tells. Arguments as above.
    """
    sure = expected.lists.sum(expected.stray & expected.must) > 0
    sound = expected.lists.sum(expected.possible & ~expected.stray)
    every = (expected.lists.lengths > 0) & (sound == 0)
    found: Bools = given & (sure | (every & _open(expected)))
    return found


def _open(expected: Expected) -> Bools:
    """Whether no claim is expected for sure."""
    unsure: Bools = expected.lists.sum(expected.must) == 0
    return unsure


def cited_not_visible(made: Stated) -> Bools:
    """A claim cites a document of the corpus that is not in the visible context."""
    unseen: Bools = made.lists.sum(made.unseen) > 0
    return unseen


def extra_claim(made: Stated, given: Bools) -> Bools:
    """A claim is made that no label knows; arguments as for `not_used`."""
    return given & (made.lists.sum(made.claim < 0) > 0)


def marks(held: dict[str, Bools]) -> Ints:
    """Join causes into one number a response: bit i is cause i of `CAUSES`.

    Args:
        held: (responses,) whether a cause holds, for some causes.
    """
    bits = [where.astype(np.int16) << CAUSES.index(cause) for cause, where in held.items()]
    joined: Ints = np.bitwise_or.reduce(bits)
    return joined


def names(marked: Ints) -> pl.Series:
    """Marks -> the list of the causes of each response, in the order of `CAUSES`."""
    there = np.flatnonzero(np.bincount(marked))
    lists = [
        [cause for bit, cause in enumerate(CAUSES) if mark >> bit & 1] for mark in there.tolist()
    ]
    place = np.zeros(1 << len(CAUSES), np.uint32)
    place[there] = np.arange(len(there))
    return pl.Series("causes", lists, pl.List(pl.String)).gather(place[marked])
