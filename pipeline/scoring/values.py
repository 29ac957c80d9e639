"""Every value of every response: the metrics, with reasons, bounds, causes and leaks."""

from typing import Any

import numpy as np
import polars as pl

from pipeline.contract.metrics import METRICS, REASONS
from pipeline.contract.results import PerQuestion
from pipeline.contract.tables import check
from pipeline.scoring import bounds, causes, claims, leaks, reasons, retrieval
from pipeline.scoring.arrays import Bools, Ints, totals
from pipeline.scoring.bounds import Bounds
from pipeline.scoring.frozen import Responses, Tables, labels
from pipeline.scoring.gold import (
    ANSWERABLE,
    NOT_LABELLED,
    POPULATIONS,
    UNANSWERABLE,
    Gold,
    Policy,
)
from pipeline.scoring.reasons import VALUE, State

STATUSES = ("ok", "failed", "judge_failed")

Columns = dict[str, Any]
"""Arrays of equal length by name; NaN and -1 stand for null until they leave this module."""


def score(tables: Tables, *, cutoff: int, policy: Policy, with_claims: bool) -> pl.DataFrame:
    """Score every response.

    Args:
        tables: the frozen tables.
        cutoff: k, 1 to 100.
        policy: what becomes of labels in dispute, see `pipeline.scoring.gold`. Under
            `exclude` a value in dispute has no bounds.
        with_claims: whether the set carries claim labels.

    Returns:
        PerQuestion, one row a response, in the order of the tables.

    Raises:
        ValueError: the tables do not fit together.
    """
    gold = labels(tables, policy, with_claims=with_claims)
    responses = Responses.of(tables)
    blocks = [_block(gold, part, cutoff, with_claims) for part in responses.blocks()]
    columns = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    if policy == "exclude":
        for metric in METRICS:
            for end in ("low", "high"):
                columns[f"{metric.name}_{end}"][:] = np.nan
    return check(PerQuestion, _frame(tables, columns, _leaks(tables, responses), cutoff))


def _block(gold: Gold, part: Responses, cutoff: int, with_claims: bool) -> Columns:
    context = retrieval.visible(part.ranking, cutoff)
    reach = retrieval.reach(gold, part.question, part.ranking, context)
    made = claims.stated(gold, part.claims, part.cited.values, part.citations.values, context)
    wanted = claims.expected(gold, part.question, made)
    state = State(
        gold.population[part.question],
        part.failed,
        ~part.ranking.given,
        ~part.failed & ~part.judged,
        ~part.failed & part.judged & ~part.claims.given,
    )
    return {
        "population": state.population,
        "status": np.select([state.failed, state.judge_failed], [1, 2], 0),
        **_of_ranking(reach, state, cutoff),
        **_of_claims(gold, part, made, wanted, state, with_claims),
        "causes": causes.marks(_causes(gold, part, reach, made, wanted, state, with_claims)),
    }


def _of_ranking(reach: retrieval.Reach, state: State, cutoff: int) -> Columns:
    columns: Columns = {}
    for name, interval in (
        ("precision", bounds.precision_bounds(reach, cutoff)),
        ("recall", bounds.recall_bounds(reach)),
        ("reciprocal_rank", bounds.reciprocal_rank_bounds(reach)),
    ):
        reason = reasons.of_retrieval(state, _differ(interval))
        columns |= _metric(name, interval, reason, ~state.lost)
    known = ~state.lost & (state.population != NOT_LABELLED)
    hits = reach.lists.sum(reach.chunks * reach.sure)
    reached = reach.lists.sum((reach.chunks > 0) & reach.sure)
    return columns | {
        "hits": np.where(known, hits, -1),
        "reached": np.where(known, reached, -1),
        "relevant": reach.lists.sum(reach.sure),
    }


def _of_claims(
    gold: Gold, part: Responses, made: claims.Stated, wanted: claims.Expected,
    state: State, with_claims: bool,
) -> Columns:  # fmt: skip
    count = part.claims.lengths
    possible = wanted.lists.sum(wanted.possible)
    shares = bounds.support_bounds(wanted, state.population == ANSWERABLE, count)
    covered = bounds.coverage_bounds(wanted)
    none = claims.abstention(count)
    known = state.given & ~state.lost
    labelled = known & (state.population != NOT_LABELLED) & with_claims
    why = reasons.of_support(state, _differ(shares), count, with_claims=with_claims)
    why_not = reasons.of_coverage(state, _differ(covered), possible, with_claims=with_claims)
    return {
        **_metric("support", shares, why, known),
        **_metric("coverage", covered, why_not, known & (possible > 0)),
        **_metric(
            "abstention", (none, none), reasons.of_abstention(state, false=False), state.given
        ),
        **_metric(
            "false_abstention", (none, none), reasons.of_abstention(state, false=True), state.given
        ),
        "claims": np.where(state.given, count, -1),
        "supported": np.where(labelled, made.lists.sum(made.certain), -1),
        "expected": gold.expected[part.question],
    }


def _metric(name: str, interval: Bounds, reason: Ints, defined: Bools) -> Columns:
    """The four columns of a metric; bounds only where resolutions leave the value open.

    Args:
        name: key of the metric.
        interval: least and greatest value.
        reason: why there is no value, `VALUE` where there is.
        defined: whether some resolution gives it a value.
    """
    low, high = interval
    bounded = (reason == REASONS.index("unresolved")) & defined
    return {
        name: np.where(reason == VALUE, low, np.nan),
        f"{name}_reason": reason,
        f"{name}_low": np.where(bounded, low, np.nan),
        f"{name}_high": np.where(bounded, high, np.nan),
    }


def _differ(interval: Bounds) -> Bools:
    low, high = interval
    differ: Bools = low != high
    return differ


def _causes(
    gold: Gold, part: Responses, reach: retrieval.Reach, made: claims.Stated,
    wanted: claims.Expected, state: State, with_claims: bool,
) -> Columns:  # fmt: skip
    answerable = state.population == ANSWERABLE
    ranked = answerable & ~state.lost
    given = answerable & state.given & with_claims
    none = part.claims.lengths == 0
    unused = claims.unused(gold, part.question, reach, wanted)
    return {
        "failed": state.failed | state.lost,
        "judge_failed": state.judge_failed,
        "not_retrieved": causes.not_retrieved(reach, ranked),
        "below_cutoff": causes.below_cutoff(reach, ranked),
        "not_used": causes.not_used(unused, wanted, given),
        "miscited": causes.miscited(wanted, given),
        "cited_not_visible": causes.cited_not_visible(made) & state.given & ~state.lost,
        "extra_claim": causes.extra_claim(made, given),
        "claim_on_unanswerable": (state.population == UNANSWERABLE) & state.given & ~none,
        "false_abstention": answerable & state.given & none,
    }


def _leaks(tables: Tables, responses: Responses) -> tuple[Ints, Ints]:
    cited = totals(responses.cited.values, responses.cited.offsets)
    return leaks.leaks(
        tables.questions["caller_groups"],
        tables.documents["access_groups"],
        responses.question,
        [
            (responses.ranking.owners, responses.ranking.values),
            (np.repeat(np.arange(len(cited)), cited), responses.citations.values),
        ],
    )


def _frame(
    tables: Tables, columns: Columns, leaking: tuple[Ints, Ints], cutoff: int
) -> pl.DataFrame:
    """Arrays -> PerQuestion, with names for codes and nulls for what stands for them."""
    size = len(columns["population"])
    response, doc = leaking
    leaked = causes.marks({"leak": np.isin(np.arange(size), response)})
    named = [
        tables.questions["question_id"].gather(tables.ranking["question"]),
        pl.Series("population", POPULATIONS).gather(columns["population"]),
        pl.Series("status", STATUSES).gather(columns["status"]),
        causes.names(columns["causes"] | leaked),
        leaks.names(size, response, doc, tables.documents["doc_id"]),
    ]
    for metric in METRICS:
        reason = f"{metric.name}_reason"
        named.append(pl.Series(reason, [*REASONS, None]).gather(columns[reason]))
    counts = ("hits", "reached", "relevant", "claims", "supported", "expected")
    bounds = [f"{metric.name}{end}" for metric in METRICS for end in ("", "_low", "_high")]
    numbers = pl.DataFrame({name: columns[name] for name in (*counts, *bounds)})
    return tables.ranking.select("system", "repeat", "question").with_columns(
        *named,
        *numbers.select(
            *(pl.when(pl.col(name) >= 0).then(name).cast(pl.UInt32) for name in counts),
            pl.col(bounds).fill_nan(None),
        ),
        cutoff=pl.lit(cutoff, pl.UInt32),
    )
