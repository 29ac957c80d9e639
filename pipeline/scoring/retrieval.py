"""What was retrieved: the visible context, how far each document came, and the metrics of it."""

from dataclasses import dataclass

import numpy as np

from pipeline.scoring.arrays import (
    Bools,
    Floats,
    Ints,
    Lists,
    Ragged,
    anywhere,
    ratio,
    starts,
    within,
)
from pipeline.scoring.gold import Gold

NEVER = np.iinfo(np.int32).max
"""Rank of a document that was not retrieved, or not within the cutoff."""

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
    lengths = np.minimum(ranking.lengths, cutoff)
    for rank in range(len(context)):
        there = np.flatnonzero(lengths > rank)
        context[rank, there] = ranking.values[ranking.offsets[there] + rank]
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


def reach(gold: Gold, question: Ints, ranking: Ragged, context: Ints) -> Reach:
    """Look for the labelled documents of each response's question in its ranking.

    Here every chunk of a relevant document is relevant; `places.narrow` tells them apart.

    Args:
        gold: the labels.
        question: (responses,) the question of each response.
        ranking: the document of each ranked chunk, for each response.
        context: the ranking cut at the cutoff, from `visible`.
    """
    lists = Lists(starts(gold.docs.lengths[question]))
    where = within(gold.docs.offsets[question], lists)
    owner, doc = lists.owner, gold.docs.values[where]
    chunks, missed = np.zeros((2, len(doc)), np.int8 if len(context) < 128 else np.int32)
    unseen = np.ones(len(doc), np.bool_)
    for shown in context:
        here = shown[owner] == doc
        unseen &= ~here
        chunks += here.view(np.int8)
        missed += unseen.view(np.int8)
    first = np.where(unseen, NEVER, missed.astype(np.int64))
    stored, rest = ~unseen, np.flatnonzero(unseen)
    stored[rest] = anywhere(ranking, owner[rest], doc[rest])
    sure, needed = gold.doc_sure[where], gold.doc_needed[where]
    counts = chunks.astype(np.int64)
    return Reach(lists, where, sure, needed, ~unseen, first, first, counts, counts, stored, stored)


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
