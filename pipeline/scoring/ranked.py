"""Every value of every ranking at each of several cutoffs, as a table.

Precision, recall, reciprocal rank and success are those that a run with this cutoff would
give. nDCG, Judged and AP are of documents, each ranked by its first chunk.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from pipeline.contract.metrics import RANKED, REASONS
from pipeline.contract.results import Ranked
from pipeline.contract.tables import check
from pipeline.scoring.arrays import Bools, Floats, Ints, Ragged
from pipeline.scoring.block import Labelled
from pipeline.scoring.cells import Cell, cells
from pipeline.scoring.corpus import Corpus
from pipeline.scoring.frozen import Responses, Tables, labels, measures
from pipeline.scoring.gold import POPULATIONS
from pipeline.scoring.qrels import Qrels
from pipeline.scoring.reasons import VALUE
from pipeline.scoring.resolutions import Policy
from pipeline.scoring.tied import across, arranged, chosen, ties

COUNTS = ("hits", "reached", "relevant")

OPEN = REASONS.index("unresolved")
WHY = pl.Series([*REASONS, None], dtype=pl.String)


def ranked(
    tables: Tables,
    *,
    cutoffs: Sequence[int],
    policy: Policy,
    with_claims: bool,
    overlap: int = 1,
    tied: frozenset[str] = frozenset(),
    looked_at: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Measure every ranking.

    Args:
        tables: the frozen tables; `relevance` with `grade`, `ranking` with `scores` where
            something is `tied`.
        cutoffs: every k, 1 or more.
        policy: what becomes of labels in dispute.
        with_claims: whether the set carries claim labels.
        overlap: characters that a chunk has to share with a marked span to be relevant.
        tied: systems whose order is that of their scores: what shares one may stand in any
            order, and each value gets its bounds over these. Where the depth cut through
            documents of one score, those that were kept are all there are.
        looked_at: LookedAt: a document that people looked at and did not call relevant was
            judged, with grade 0; None: nothing but labels says what was.

    Returns:
        Ranked, a row for each response and cutoff, in order of the responses. A value in
        dispute is null, with its bounds over all resolutions.
    """
    gold = labels(tables, policy, with_claims=with_claims)
    corpus = Corpus.of(tables.documents, tables.chunks, tables.found)
    of = Labelled(gold, corpus.cuts, measures(tables, gold, corpus, overlap, None), with_claims)
    judged = [tables.evidence.select("question", "doc")]
    judged += [] if looked_at is None else [looked_at.select("question", "doc")]
    qrels = Qrels.of(gold, tables.relevance, pl.concat(judged))
    responses = Responses.of(tables, corpus)
    ks = sorted(set(cutoffs))
    frames, start = [], 0
    for part in responses.blocks():
        keys = tables.ranking[start : start + len(part.question)]
        start += len(keys)
        frames.append(_frame(of, qrels, part, keys, ks, tied, bounded=policy != "exclude"))
    ids = tables.questions["question_id"]
    named = pl.lit(ids).gather(pl.col("question"))
    return check(Ranked, pl.concat(frames).with_columns(question_id=named))


def _frame(
    of: Labelled, qrels: Qrels, part: Responses, keys: pl.DataFrame, ks: list[int],
    tied: frozenset[str], *, bounded: bool,
) -> pl.DataFrame:  # fmt: skip
    """The rows of a block, those of one response together."""
    values, counts = cells(of, qrels, part, ks)
    ends, loose, crossing = values, np.zeros(len(part.question), np.bool_), {}
    if tied:
        scores = _scores(part, keys)
        which = chosen(keys, tied)
        loose = which & ties(part.ranking, scores)
        crossing = {k: which & across(part.ranking, scores, k) for k in ks}
        worst, best = (cells(of, qrels, one, ks)[0] for one in arranged(part, scores, qrels))
        ends = {k: _between(values[k], worst[k], best[k], loose) for k in ks}
    population = pl.Series(POPULATIONS).gather(of.gold.population[part.question])
    key = keys.select("system", "repeat", "question").with_row_index("row")
    parts = []
    for k in ks:
        columns: dict[str, Any] = {
            "population": population,
            "cutoff": pl.Series([k] * len(keys), dtype=pl.UInt32),
            "tie": pl.Series(crossing.get(k, np.zeros_like(loose))),
            **{name: _count(counts[k][name]) for name in COUNTS},
        }
        for metric in RANKED:
            value, _, reason = values[k][metric.name]
            low, high, _ = ends[k][metric.name]
            open_ = (reason == OPEN) & part.ranking.given & np.bool_(bounded)
            columns |= {
                metric.name: _some(value, reason == VALUE),
                f"{metric.name}_reason": WHY.gather(reason),
                f"{metric.name}_low": _some(low, open_ | ((reason == VALUE) & loose)),
                f"{metric.name}_high": _some(high, open_ | ((reason == VALUE) & loose)),
            }
        parts.append(key.with_columns(**columns))
    return pl.concat(parts).sort("row", "cutoff").drop("row")


def _between(values: Cell, worst: Cell, best: Cell, loose: Bools) -> Cell:
    """The values, with their ends at those of the worst and the best order of what is tied."""
    return {
        name: (
            np.where(loose, worst[name][0], low),
            np.where(loose, best[name][1], high),
            reason,
        )
        for name, (low, high, reason) in values.items()
    }


def _scores(part: Responses, keys: pl.DataFrame) -> Ragged:
    scores = Ragged.of(keys["scores"])
    if not np.array_equal(scores.lengths, part.ranking.lengths):
        raise ValueError("ranked: expected a score beside each ranked document, got others")
    return scores


def _some(values: Floats, which: Bools) -> pl.Series:
    """Values where there are some, null elsewhere."""
    return pl.Series(np.where(which, values, np.nan), dtype=pl.Float64, nan_to_null=True)


def _count(counts: Ints) -> pl.Series:
    """-1 as null."""
    return pl.Series(counts).replace(-1, None).cast(pl.UInt32)
