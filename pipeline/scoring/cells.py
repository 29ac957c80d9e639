"""Values of rankings at several cutoffs, with the reasons of those that are n/a."""

import numpy as np

from pipeline.scoring import places, reasons, retrieval
from pipeline.scoring.arrays import Floats, Ints
from pipeline.scoring.block import Labelled
from pipeline.scoring.bounds import Bounds
from pipeline.scoring.frozen import Responses
from pipeline.scoring.gold import NOT_LABELLED
from pipeline.scoring.graded import over_resolutions
from pipeline.scoring.qrels import Qrels
from pipeline.scoring.ranks import documents, find, plain
from pipeline.scoring.values import of_ranking

Cell = dict[str, tuple[Floats, Floats, Ints]]
"""By metric (responses,) least and greatest value, and the code of the reason."""

Counts = dict[str, Ints]
"""(responses,) `hits`, `reached` and `relevant`; -1 where not known."""


def cells(
    of: Labelled, qrels: Qrels, part: Responses, ks: list[int]
) -> tuple[dict[int, Cell], dict[int, Counts]]:
    """The cells of each cutoff, and what they are counted from."""
    state = _state(of, part)
    docs = documents(part.ranking)
    found = find(qrels, part.question, docs, int(docs.lengths.max(initial=0)))
    alone = plain(found, ks)
    simple = of.measures is None and not of.disputed and docs is part.ranking
    settled = over_resolutions(found, ks) if of.disputed else {}
    found_cells, counts = {}, {}
    for at, k in enumerate(ks):
        low, high = ({name: alone[k][name] for name in ("ndcg", "ap", "judged")} for _ in "lh")
        for name in ("ndcg", "ap"):
            for end, values in enumerate((low, high)):
                values[name] = _opened(values[name], settled, name, end, at)
        cell: Cell = {
            name: (low[name], high[name], reasons.of_retrieval(state, low[name] != high[name]))
            for name in low
        }
        if simple:
            reason = reasons.of_retrieval(state, np.zeros(len(state.lost), np.bool_))
            for name in ("precision", "recall", "reciprocal_rank", "success"):
                cell[name] = alone[k][name], alone[k][name], reason
            ranked_ = (state.population != NOT_LABELLED) & ~state.lost
            hits = np.where(ranked_, alone[k]["hits"].astype(np.int64), -1)
            counts[k] = {"hits": hits, "reached": hits, "relevant": qrels.count[part.question]}
        else:
            more, counts[k] = _of_chunks(of, part, state, k)
            cell |= more
        found_cells[k] = cell
    return found_cells, counts


def _opened(
    values: Floats, settled: dict[int, dict[str, Bounds]], name: str, end: int,
    at: int,
) -> Floats:  # fmt: skip
    """The values with those in dispute at one end of their bounds; NaN: not known."""
    out = values.copy()
    for response, metrics in settled.items():
        out[response] = metrics[name][end][at]
    return out


def _of_chunks(of: Labelled, part: Responses, state: reasons.State, k: int) -> tuple[Cell, Counts]:
    """Precision, recall, reciprocal rank and success, as a run with cutoff k has them."""
    cutoff = np.full(len(part.question), k)
    reach = retrieval.reach(of.gold, part.question, part.ranking, cutoff)
    if of.marked is not None:
        met = places.meet(reach, part.chunks)
        reach = places.narrow(reach, met, cutoff, of.marked)
    ranked_ = (state.population != NOT_LABELLED) & ~state.lost
    counts = {
        "hits": np.where(ranked_, reach.lists.sum(reach.least * reach.sure), -1),
        "reached": np.where(ranked_, reach.lists.sum(reach.seen & reach.sure), -1),
        "relevant": reach.lists.sum(reach.sure),
    }
    metrics = of_ranking(reach, state, cutoff, counts, disputed=of.disputed)
    cell: Cell = {name: (*ends, reason) for name, (ends, reason, _) in metrics.items()}
    low, high = (np.ceil(end) for end in cell["reciprocal_rank"][:2])
    cell["success"] = low, high, reasons.of_retrieval(state, low != high)
    return cell, counts


def _state(of: Labelled, part: Responses) -> reasons.State:
    none = np.zeros(len(part.question), np.bool_)
    population = of.gold.population[part.question]
    return reasons.State(population, part.failed, ~part.ranking.given, none, none)
