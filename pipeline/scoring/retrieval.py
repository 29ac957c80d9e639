"""What was retrieved: the visible context, how far each document came, and the metrics of it."""

from dataclasses import dataclass

import numpy as np

from pipeline.scoring.arrays import (
    Bools,
    Floats,
    Ints,
    Lists,
    Ragged,
    everywhere,
    ratio,
    starts,
    within,
)
from pipeline.scoring.gold import Gold

NEVER = np.iinfo(np.int32).max
"""Rank of a document that was not retrieved, or not within the cutoff."""

ROWS = 2_000
"""Rankings that are cut together, so that they stay in the cache."""

NOTHING = -2
"""Stands in the context where the ranking is shorter than the cutoff; no document's code."""


def visible(ranking: Ragged, cutoff: Ints) -> Ints:
    """Cut rankings at k.

    Args:
        ranking: the document, or the code, of each ranked chunk, best first, for each response.
        cutoff: (responses,) k of each.

    Returns:
        (greatest k, responses): what stands at each rank, `NOTHING` past the end.
    """
    context = np.full((cutoff.max(initial=0), len(ranking)), NOTHING, np.int32)
    ranks, lengths = np.arange(len(context)), np.minimum(ranking.lengths, cutoff)
    size = len(ranking) if len(ranking.values) else 0
    for start in range(0, size, ROWS):
        here = slice(start, start + ROWS)
        part, at = context[:, here].T, ranking.offsets[:-1][here, None] + ranks
        part[:] = ranking.values.take(at, mode="clip")
        part[ranks >= lengths[here, None]] = NOTHING
    return context


@dataclass(frozen=True)
class Reach:
    """How far each document that is, or may be, relevant came; lists for each response.

    Attributes:
        lists: the labelled documents of each response's question; what follows is in them.
        where: its position in `Gold.docs`.
        sure: whether it is relevant in every resolution.
        needed: whether it would do as the relevant document that there has to be.
        seen: whether any of its chunks is visible.
        first: rank, from 0, of its first visible chunk that is relevant in some resolution;
            `NEVER` without one.
        last: the same in the resolution where that comes latest.
        chunks: how many of its visible chunks are relevant in some resolution.
        least: how many are in the resolution with fewest, if it is relevant itself.
        stored: whether a chunk that is relevant in some resolution is anywhere in the ranking.
        surely: whether one is, in every resolution.
        met: every ranked chunk of a labelled document: the document's position in `lists`,
            and its own rank, from 0; in order.
    """

    lists: Lists
    where: Ints
    sure: Bools
    needed: Bools
    seen: Bools
    first: Ints
    last: Ints
    chunks: Ints
    least: Ints
    stored: Bools
    surely: Bools
    met: tuple[Ints, Ints]


def reach(gold: Gold, question: Ints, ranking: Ragged, cutoff: Ints) -> Reach:
    """Look for the labelled documents of each response's question in its ranking.

    Here every chunk of a relevant document is relevant; `places.narrow` tells them apart.

    Args:
        gold: the labels.
        question: (responses,) the question of each response.
        ranking: the document of each ranked chunk, for each response.
        cutoff: (responses,) k of each.
    """
    lists = Lists(starts(gold.docs.lengths[question]))
    where = within(gold.docs.offsets[question], lists)
    owner, doc = lists.owner, gold.docs.values[where]
    met = place, rank = everywhere(ranking, owner, doc)
    stored, first = np.zeros(len(doc), np.bool_), np.full(len(doc), NEVER)
    stored[place] = True
    shown = rank < cutoff[owner[place]]
    place, rank = place[shown], rank[shown]
    first[place[::-1]] = rank[::-1]  # of several ranks the last to be set stays: the first
    chunks = np.bincount(place, minlength=len(doc))
    sure, needed, seen = gold.doc_sure[where], gold.doc_needed[where], chunks > 0
    return Reach(
        lists, where, sure, needed, seen, first, first, chunks, chunks, stored, stored, met
    )


def precision(hits: Ints, cutoff: Ints) -> Floats:
    """Share of the visible context that is relevant (P@k).

    Args:
        hits: (responses,) visible chunks that are relevant, 0 to k.
        cutoff: (responses,) k; the denominator even where fewer chunks were returned. Under
            a budget it is what was delivered, and where that is nothing the share is 0.

    Returns:
        (responses,) in [0, 1]; of no meaning where the question is unanswerable.

    Source: trec_eval, P_k.
    """
    return ratio(hits, cutoff)


def recall(reached: Ints, relevant: Ints) -> Floats:
    """Share of the relevant documents that is visible (R@k).

    Args:
        reached: (responses,) relevant documents with a visible chunk.
        relevant: (responses,) relevant documents of the question.

    Returns:
        (responses,) in [0, 1]; 0.0, and of no meaning, where the question is unanswerable.

    Source: trec_eval, recall_k.
    """
    return ratio(reached, relevant)


def reciprocal_rank(first: Ints) -> Floats:
    """Reciprocal rank of the first relevant chunk within the cutoff (RR@k).

    Args:
        first: (responses,) its rank from 0; `NEVER` without one.

    Returns:
        (responses,) in [0, 1]: 1 / rank from 1, 0.0 without a hit; of no meaning where the
        question is unanswerable.

    Source: Voorhees 1999, TREC-8 QA track, cut at k.
    """
    return np.where(first < NEVER, 1.0 / (first + 1.0), 0.0)
