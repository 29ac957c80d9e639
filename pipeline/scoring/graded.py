"""nDCG and AP where labels are in dispute: their least and greatest value over all resolutions."""

from collections.abc import Iterator
from itertools import chain, combinations

import numpy as np

from pipeline.scoring.arrays import Bools, Floats, Ints
from pipeline.scoring.bounds import Bounds
from pipeline.scoring.ranks import Found

MOST = 12
"""Documents in dispute up to which every resolution is tried: 4,096 of them."""


def over_resolutions(found: Found, cutoffs: list[int]) -> dict[int, dict[str, Bounds]]:
    """Least and greatest nDCG@k and AP of the responses to questions in dispute.

    Args:
        found: where judged documents stand.
        cutoffs: every k.

    Returns:
        By response `ndcg` and `ap`, (cutoffs,) each; NaN where more than `MOST` documents are
        in dispute, or where no resolution makes the question answerable.
    """
    qrels, found = found.qrels, found.ordered
    ends = np.searchsorted(found.owner, np.arange(len(found.question) + 1))
    values = {}
    for response in np.flatnonzero(qrels.open[found.question]):
        question = found.question[response]
        items = np.arange(*qrels.docs.offsets[question : question + 2])
        items = items[qrels.relevant[items]]
        here = slice(*ends[response : response + 2])
        rank = np.full(len(items), -1)
        at = np.flatnonzero(found.relevant[here])
        rank[np.searchsorted(items, found.item[here][at])] = found.rank[here][at]
        masks = np.array(list(_resolutions(qrels.sure[items], qrels.needed[items])), np.bool_)
        values[int(response)] = _extremes(masks, qrels.grade[items], rank, cutoffs, found.discount)
    return values


def _resolutions(sure: Bools, needed: Bools) -> Iterator[Bools]:
    """Every set of relevant documents that fits the labels."""
    open_ = np.flatnonzero(~sure).tolist()
    if len(open_) > MOST:
        return
    sets = chain.from_iterable(combinations(open_, n) for n in range(len(open_) + 1))
    for chosen in sets:
        mask = sure.copy()
        mask[list(chosen)] = True
        if (mask & needed).any():
            yield mask


def _extremes(
    masks: Bools, grade: Floats, rank: Ints, cutoffs: list[int], discount: Floats
) -> dict[str, Bounds]:
    """(resolutions, documents) -> the bounds of each metric at each cutoff."""
    if not len(masks):
        none = np.full(len(cutoffs), np.nan)
        return {"ndcg": (none, none), "ap": (none, none)}
    gain = np.where(masks, grade, 0.0)
    best = -np.sort(-gain, axis=1)
    ndcg = []
    for k in cutoffs:
        within = (rank >= 0) & (rank < k)
        ideal = best[:, :k] @ discount[: best[:, :k].shape[1]]
        ndcg.append(gain[:, within] @ discount[rank[within]] / ideal)
    order = np.argsort(rank)[(rank < 0).sum() :]
    hit = masks[:, order]
    precise = np.cumsum(hit, axis=1) / (rank[order] + 1.0)
    ap = (precise * hit).sum(axis=1) / masks.sum(axis=1)
    table = np.array(ndcg)
    low, high = np.full(len(cutoffs), ap.min()), np.full(len(cutoffs), ap.max())
    return {"ndcg": (table.min(axis=1), table.max(axis=1)), "ap": (low, high)}
