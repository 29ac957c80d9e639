"""Values of rankings of documents at several cutoffs, as trec_eval defines them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2

import numpy as np

from pipeline.scoring.arrays import Bools, Floats, Ints, Ragged, ratio, starts, within
from pipeline.scoring.qrels import Qrels, ideal_at, lists_of
from pipeline.scoring.retrieval import NEVER, NOTHING, reciprocal_rank

WIDTH = 10
"""Ranks that are looked at together, so that what is compared stays in the cache."""


@dataclass(frozen=True)
class Found:
    """Where judged documents stand in rankings: one entry each, in no order.

    Attributes:
        qrels: the judgements.
        question: (responses,) the question of each.
        owner: (found,) the response.
        rank: (found,) rank from 0.
        item: (found,) position in `qrels.docs`.
        discount: (depth,) 1 / log2(rank + 2), for ranks from 0.
    """

    qrels: Qrels
    question: Ints
    owner: Ints
    rank: Ints
    item: Ints
    discount: Floats

    @cached_property
    def relevant(self) -> Bools:
        """(found,) whether it is a relevant document."""
        return self.qrels.relevant[self.item]

    def per_response(self, which: Bools) -> Floats:
        """How many are marked in each response."""
        counts = np.bincount(self.owner, which, minlength=len(self.question))
        return counts.astype(np.float64)

    def hits(self, cutoff: int) -> Ints:
        """(responses,) relevant documents among the first k."""
        return self.per_response(self.relevant & (self.rank < cutoff)).astype(np.int64)

    def first(self) -> Ints:
        """(responses,) rank from 0 of the first relevant document; `NEVER` without one."""
        first = np.full(len(self.question), NEVER)
        np.minimum.at(first, self.owner[self.relevant], self.rank[self.relevant])
        return first

    @cached_property
    def ordered(self) -> "Found":
        """The same by response and then rank."""
        depth = int(self.rank.max(initial=0)) + 1
        order = np.argsort(self.owner * depth + self.rank, kind="stable")
        owner, rank, item = self.owner[order], self.rank[order], self.item[order]
        return Found(self.qrels, self.question, owner, rank, item, self.discount)


def find(qrels: Qrels, question: Ints, ranking: Ragged, depth: int) -> Found:
    """Look for the judged documents of each response's question.

    Args:
        qrels: the judgements.
        question: (responses,) the question of each.
        ranking: documents of each response, best first, none twice.
        depth: how many of them to look at, at least the largest cutoff.
    """
    lists = lists_of(qrels, question)
    where = within(qrels.docs.offsets[question], lists)
    owner, doc = lists.owner, qrels.docs.values[where]
    longest = min(depth, int(ranking.lengths.max(initial=0)))
    table = _table(ranking, longest)
    at, rank = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for first in range(0, longest, WIDTH):
        shown = np.take(table[:, first : first + WIDTH], owner, axis=0)
        place, step = np.divmod(np.flatnonzero(shown == doc[:, None]), shown.shape[1])
        at.append(place)
        rank.append(step + first)
    item = np.concatenate(at)
    found = owner[item], np.concatenate(rank), where[item]
    size = max(longest, int(qrels.docs.lengths.max(initial=0)))
    # one by one: a vectorised logarithm differs by machine in the last digit
    discount = np.array([1.0 / log2(at + 2) for at in range(size)])
    return Found(qrels, question, *found, discount)


def _table(ranking: Ragged, depth: int) -> Ints:
    """(responses, depth): what stands at each rank, `NOTHING` past the end."""
    size, lengths = len(ranking), ranking.lengths
    if size and (lengths == lengths[0]).all():
        whole: Ints = ranking.values.reshape(size, -1)[:, :depth]
        return whole
    table = np.full((size, depth), NOTHING, np.int32)
    rank = np.arange(len(ranking.values)) - ranking.offsets[ranking.owner]
    kept = rank < depth
    table[ranking.owner[kept], rank[kept]] = ranking.values[kept]
    return table


def ndcg(found: Found, cutoff: int) -> Floats:
    """Normalised discounted cumulative gain of the first k documents (nDCG@k).

    Args:
        found: where judged documents stand.
        cutoff: k, 1 or more.

    Returns:
        (responses,) in [0, 1]: the sum of grade / log2(rank + 1), ranks from 1, over that of
        all relevant documents in the best order, cut at k; 0.0, and of no meaning, where the
        question has no relevant document.

    Source: trec_eval, ndcg_cut_k; Järvelin and Kekäläinen 2002 with the discount of Burges 2005.
    """
    discount = np.where(np.arange(len(found.discount)) < cutoff, found.discount, 0.0)
    gain = found.qrels.grade[found.item] * discount[found.rank]
    dcg = np.bincount(found.owner, gain, minlength=len(found.question)).astype(np.float64)
    best = ideal_at(found.qrels, cutoff, found.discount)[found.question]
    return np.divide(dcg, best, out=np.zeros(len(dcg)), where=best > 0)


def average_precision(found: Found) -> Floats:
    """Average precision over the whole ranking that was kept (AP).

    Args:
        found: where judged documents stand, at every depth.

    Returns:
        (responses,) in [0, 1]: the mean over all relevant documents of the precision at their
        ranks, 0 for one that is not there; 0.0, and of no meaning, without any.

    Source: trec_eval, map.
    """
    found = found.ordered
    which = np.flatnonzero(found.relevant)
    owner = found.owner[which]
    begins = starts(np.bincount(owner, minlength=len(found.question)))[:-1]
    nth = np.arange(len(owner)) - begins[owner] + 1
    size = len(found.question)
    total = np.bincount(owner, nth / (found.rank[which] + 1.0), minlength=size)
    return total / np.maximum(found.qrels.count[found.question], 1)


def success(first: Ints, cutoff: int) -> Floats:
    """Whether a relevant document is among the first k (Success@k): 0.0 or 1.0.

    Source: trec_eval, success_k.
    """
    return (first < cutoff).astype(np.float64)


def judged(found: Found, cutoff: int) -> Floats:
    """Share of the first k documents that somebody judged, relevant or not (Judged@k).

    Returns:
        (responses,) in [0, 1]; the denominator is k also where fewer were returned.
    """
    return found.per_response(found.rank < cutoff) / cutoff


def plain(found: Found, cutoffs: Sequence[int]) -> dict[int, dict[str, Floats]]:
    """Every value at each cutoff, where a chunk is a document and nothing is in dispute.

    Returns:
        By cutoff and metric (responses,), and with them `hits`, the relevant documents
        among the first k.
    """
    first, uncut = found.first(), average_precision(found)
    relevant = found.qrels.count[found.question]
    values: dict[int, dict[str, Floats]] = {}
    for k in cutoffs:
        hits = found.hits(k)
        values[k] = {
            "hits": hits.astype(np.float64),
            "precision": hits / k,
            "recall": ratio(hits, relevant),
            "reciprocal_rank": reciprocal_rank(np.where(first < k, first, NEVER)),
            "success": success(first, k),
            "ndcg": ndcg(found, k),
            "judged": judged(found, k),
            "ap": uncut,
        }
    return values


def documents(ranking: Ragged) -> Ragged:
    """Documents by their first chunk: of several entries of one document the first is kept."""
    key = (ranking.owner.astype(np.int64) << 32) | ranking.values.astype(np.int64)
    order = np.argsort(key, kind="stable")
    again = np.zeros(len(key), np.bool_)
    again[order[1:]] = key[order[1:]] == key[order[:-1]]
    if not again.any():
        return ranking
    offsets = starts(ranking.sum(~again))
    return Ragged(offsets, ranking.values[~again], ranking.given)
