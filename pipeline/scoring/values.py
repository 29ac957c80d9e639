"""Every value of every response: the metrics with their reasons and bounds."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import polars as pl

from pipeline.contract.metrics import REASONS
from pipeline.scoring import bounds, causes, claims, leaks, reasons, retrieval
from pipeline.scoring.arrays import Bools, Ints
from pipeline.scoring.block import Block, Labelled, look
from pipeline.scoring.bounds import Bounds
from pipeline.scoring.corpus import Corpus
from pipeline.scoring.frozen import Responses, Tables, labels, measures
from pipeline.scoring.gold import ANSWERABLE, NOT_LABELLED
from pipeline.scoring.resolutions import Policy
from pipeline.scoring.sheet import FAILED, JUDGE_FAILED, OK, sheet, worded

THREADS = 2
"""Blocks scored at the same time; more do not pay, and how many changes no number."""

Metrics = dict[str, tuple[Bounds, Ints, Bools]]
"""By metric: least and greatest value, the code of the reason, whether it has any value."""


def score(
    tables: Tables,
    *,
    cutoff: int | None,
    policy: Policy,
    with_claims: bool,
    overlap: int = 1,
    corpus: Corpus | None = None,
    spanned: bool | None = None,
    words: bool = True,
) -> pl.DataFrame:
    """Score every response.

    Args:
        tables: the frozen tables, or a block of them.
        cutoff: k, 1 to 100; None: as many chunks as each answer was given (a budget).
        policy: what becomes of labels in dispute. Under `exclude` a value in dispute has
            no bounds. `majority` settles which documents and claims count; where in a
            document its evidence lies stays in dispute.
        with_claims: whether the set carries claim labels.
        overlap: characters that a chunk has to share with a marked span to be relevant.
        corpus: of the tables, where it is known already.
        spanned: whether any mark of the set says where evidence lies; None: `tables` tell.
        words: whether reasons and populations get their names; else they are numbers, as
            `seen.coded` has, until `sheet.worded`.

    Returns:
        PerQuestion, one row a response, in the order of the tables.

    Raises:
        ValueError: the tables do not fit together.
    """
    corpus = corpus or Corpus.of(tables.documents, tables.chunks, tables.found)
    settled = _threads().submit(labels, tables, policy, with_claims=with_claims)
    responses = Responses.of(tables, corpus)
    gold = settled.result()
    measured = measures(tables, gold, corpus, overlap, spanned)
    of = Labelled(gold, corpus.cuts, measured, with_claims)
    parts = list(_threads().map(lambda one: _columns(look(of, one, cutoff)), responses.blocks()))
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    shown = leaks.leaks(
        tables.questions["caller_groups"],
        corpus.readable,
        responses.question,
        [responses.ranking, responses.citations],
    )
    values = sheet(tables, columns, shown, bounded=policy != "exclude")
    return worded(values) if words else values


@cache
def _threads() -> ThreadPoolExecutor:
    """The same threads for all blocks: each new one would take memory of its own."""
    return ThreadPoolExecutor(THREADS)


def _columns(block: Block) -> dict[str, Any]:
    """All that is to be known of each response, in the form that `sheet` takes."""
    state = block.state
    statuses = np.array([FAILED, JUDGE_FAILED], np.int8)
    status = np.select([state.failed, state.judge_failed], statuses, np.int8(OK))
    found = causes.causes(
        state, block.reach, block.made, block.wanted, block.left_out, block.of.with_claims
    )
    counts = _counts(block)
    columns: dict[str, Any] = {
        "population": state.population.astype(np.int8),
        "status": status,
        "causes": causes.marks(found),
        **counts,
    }
    disputed = block.of.disputed
    metrics = _of_ranking(block, counts, disputed) | _of_claims(block, counts, disputed)
    metrics |= _of_spans(block, counts)
    for name, ((low, high), reason, defined) in metrics.items():
        columns |= {name: low, f"{name}_reason": reason}
        if disputed:
            bounded = (reason == REASONS.index("unresolved")) & defined
            columns[f"{name}_low"] = np.where(bounded, low, np.nan)
            columns[f"{name}_high"] = np.where(bounded, high, np.nan)
    return columns


def _counts(block: Block) -> dict[str, Ints]:
    """What is summed for pooled values, by the labels that are sure; -1 where not known."""
    state, reach = block.state, block.reach
    labelled = state.population != NOT_LABELLED
    ranked = labelled & ~state.lost
    ruled = ranked & state.given & block.of.with_claims
    return {
        "cutoff": block.cutoff,
        "context_length": np.where(state.lost, -1, block.of.cuts.total(block.shown)),
        "hits": np.where(ranked, reach.lists.sum(reach.least * reach.sure), -1),
        "reached": np.where(ranked, reach.lists.sum(reach.seen & reach.sure), -1),
        "relevant": reach.lists.sum(reach.sure),
        "claims": np.where(state.given, block.made.lists.lengths, -1),
        "supported": np.where(ruled, block.made.lists.sum(block.made.certain), -1),
        "expected": block.of.gold.expected[block.question],
    }


def _of_ranking(block: Block, counts: dict[str, Ints], disputed: bool) -> Metrics:
    return of_ranking(block.reach, block.state, block.cutoff, counts, disputed=disputed)


def of_ranking(
    reach: retrieval.Reach, state: reasons.State, cutoff: Ints, counts: dict[str, Ints], *,
    disputed: bool,
) -> Metrics:  # fmt: skip
    """Precision, recall and reciprocal rank at a cutoff.

    Args:
        reach: how far the labelled documents came within it.
        state: what is on record of each response.
        cutoff: (responses,) k.
        counts: (responses,) `hits`, `reached` and `relevant`, by the labels that are sure.
        disputed: whether any label is in dispute.
    """
    if disputed:
        values = {
            "precision": bounds.precision_bounds(reach, cutoff),
            "recall": bounds.recall_bounds(reach),
            "reciprocal_rank": bounds.reciprocal_rank_bounds(reach),
        }
    else:
        first = reach.lists.least(reach.first, retrieval.NEVER)
        values = {
            "precision": (retrieval.precision(counts["hits"], cutoff),) * 2,
            "recall": (retrieval.recall(counts["reached"], counts["relevant"]),) * 2,
            "reciprocal_rank": (retrieval.reciprocal_rank(first),) * 2,
        }
    return {
        name: ((low, high), reasons.of_retrieval(state, low != high), ~state.lost)
        for name, (low, high) in values.items()
    }


def _of_spans(block: Block, counts: dict[str, Ints]) -> Metrics:
    """Values of the metrics of characters; none where nobody has marked spans."""
    measured, met, question, state = block.of.measures, block.met, block.question, block.state
    if measured is None or met is None:
        return {}
    spanned, open_ = measured.marked.spanned[question], measured.open[question]
    values = measured.span(question, block.reach, met, counts["context_length"])
    values["precision_omega"] = measured.omega[0][question], measured.omega[1][question]
    plain = measured.publisher(block.reach, met, measured.found.total(block.shown))
    plain["precision_omega"] = measured.omega_publisher[question]
    found: Metrics = {}
    for name, (low, high) in values.items():
        ranked = name != "precision_omega"
        reason = reasons.of_spans(state, low != high, spanned, ranked=ranked)
        found[name] = (low, high), reason, ~(state.lost & ranked)
        value, reason = plain[name], reasons.of_spans(state, open_, spanned, ranked=ranked)
        found[f"{name}_publisher"] = (value, value), reason, np.zeros_like(spanned)
    return found


def _of_claims(block: Block, counts: dict[str, Ints], disputed: bool) -> Metrics:
    state, wanted = block.state, block.wanted
    claims_made, claims_wanted = block.made.lists.lengths, wanted.lists.lengths
    if disputed:
        answerable = state.population == ANSWERABLE
        low, high = bounds.support_bounds(wanted, answerable, claims_made)
        least, most = bounds.coverage_bounds(wanted)
    else:
        low = high = claims.support(counts["supported"], claims_made)
        least = most = claims.coverage(counts["supported"], counts["expected"])
    none = claims.abstention(claims_made)
    known = state.given & ~state.lost
    of_support = reasons.of_support(
        state, low != high, claims_made, with_claims=block.of.with_claims
    )
    of_coverage = reasons.of_coverage(
        state, least != most, claims_wanted, with_claims=block.of.with_claims
    )
    return {
        "support": ((low, high), of_support, known),
        "coverage": ((least, most), of_coverage, known & (claims_wanted > 0)),
        "abstention": ((none, none), reasons.of_abstention(state, false=False), state.given),
        "false_abstention": ((none, none), reasons.of_abstention(state, false=True), state.given),
    }
