"""Rankings in which documents share a score: the best and the worst order of what is tied."""

from dataclasses import replace

import numpy as np
import polars as pl

from pipeline.scoring.arrays import Bools, Floats, Ints, Ragged
from pipeline.scoring.frozen import Responses
from pipeline.scoring.qrels import Qrels


def arranged(part: Responses, scores: Ragged, qrels: Qrels) -> tuple[Responses, Responses]:
    """The same rankings with what is tied in the worst order for every metric, and in the best.

    Best is grade falling, then what was judged; the reverse is the worst: each metric of a
    ranking only gains from a relevant, higher graded or judged document further up.

    Args:
        part: some responses.
        scores: the score beside each ranked document.
        qrels: the judgements.
    """
    ranking = part.ranking
    group = groups(ranking, scores)
    level = qrels.level(part.question[ranking.owner], ranking.values)
    return _sorted(part, group, level), _sorted(part, group, -level)


def groups(ranking: Ragged, scores: Ragged) -> Ints:
    """Number the runs of one score within each ranking."""
    values, owner = scores.values, ranking.owner
    new = np.ones(len(values), np.bool_)
    new[1:] = (values[1:] != values[:-1]) | (owner[1:] != owner[:-1])
    return np.cumsum(new)


def ties(ranking: Ragged, scores: Ragged) -> Bools:
    """(responses,) whether any two documents share a score."""
    group = groups(ranking, scores)
    again = np.zeros(len(group), np.bool_)
    again[1:] = group[1:] == group[:-1]
    shared: Bools = ranking.sum(again) > 0
    return shared


def across(ranking: Ragged, scores: Ragged, cutoff: int) -> Bools:
    """(responses,) whether one score stands on both sides of the cutoff."""
    found = np.zeros(len(ranking), np.bool_)
    longer = np.flatnonzero(ranking.lengths > cutoff)
    at = ranking.offsets[longer] + cutoff
    found[longer] = scores.values[at] == scores.values[at - 1]
    return found


def _sorted(part: Responses, group: Ints, level: Floats) -> Responses:
    order = np.lexsort((level, group))
    ranking, chunks = part.ranking, part.chunks
    return replace(
        part,
        ranking=Ragged(ranking.offsets, ranking.values[order], ranking.given),
        chunks=Ragged(chunks.offsets, chunks.values[order], chunks.given),
    )


def chosen(frame: pl.DataFrame, systems: frozenset[str]) -> Bools:
    """(responses,) whether each is of one of these systems."""
    which: Bools = frame["system"].is_in(list(systems)).to_numpy()
    return which
