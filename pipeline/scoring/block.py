"""Some responses with all that is looked up for them before anything is counted."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from pipeline.scoring import claims, expected, places, retrieval
from pipeline.scoring.arrays import Bools, Ints
from pipeline.scoring.cuts import Cuts
from pipeline.scoring.frozen import Responses
from pipeline.scoring.gold import Gold
from pipeline.scoring.marked import Marked
from pipeline.scoring.measures import Measures
from pipeline.scoring.reasons import State


@dataclass(frozen=True)
class Labelled:
    """What is known before any response is looked at; `measures` is None without spans."""

    gold: Gold
    cuts: Cuts
    measures: Measures | None
    with_claims: bool

    @property
    def marked(self) -> Marked | None:
        """Where in the documents the labels lie; None: no label says."""
        return None if self.measures is None else self.measures.marked

    @property
    def disputed(self) -> bool:
        """Whether anything is in dispute."""
        places = self.marked is not None and self.marked.disputed
        return places or bool(self.gold.open.any())


@dataclass(frozen=True)
class Block:
    """Some responses with what was looked up for them; `met` are visible chunks."""

    of: Labelled
    question: Ints
    state: State
    cutoff: Ints
    shown: Ints
    reach: retrieval.Reach
    met: places.Met | None
    made: claims.Stated
    wanted: expected.Expected
    left_out: tuple[Bools, Bools]


def look(of: Labelled, part: Responses, k: int | None) -> Block:
    """Cut the rankings, find the labelled documents and claims in them.

    Args:
        of: the labels.
        part: some responses.
        k: the cutoff; None: as many chunks as each answer was given.
    """
    gold, marked = of.gold, of.marked
    cutoff = part.delivered if k is None else np.full(len(part.question), k)
    shown = retrieval.visible(part.chunks, cutoff)
    docs = shown if of.cuts.whole else retrieval.visible(part.ranking, cutoff)
    reach = retrieval.reach(gold, part.question, part.ranking, cutoff)
    met, evident = None, expected.seen(reach)
    if marked is not None:
        every = places.meet(reach, part.chunks)
        met = every.only(every.rank < cutoff[reach.lists.owner[every.place]])
        reach = places.narrow(reach, every, cutoff, marked)
        evident = partial(places.delivered, met=met, size=len(reach.where), marked=marked)
    named = None if part.named is None else part.named.values
    cited = claims.Cited(part.cited.values, part.citations.values, named)
    made = claims.stated(gold, part.claims, cited, (docs, shown), marked)
    wanted = expected.expected(gold, part.question, made, marked)
    left_out = expected.unused(gold, part.question, reach, wanted, evident)
    state = State(
        population=gold.population[part.question],
        failed=part.failed,
        lost=~part.ranking.given,
        judge_failed=~part.failed & ~part.judged,
        unrecorded=~part.failed & part.judged & ~part.claims.given,
    )
    return Block(of, part.question, state, cutoff, shown, reach, met, made, wanted, left_out)
