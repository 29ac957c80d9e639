"""Every value of every response: the metrics, with reasons and bounds."""

from typing import Any

import numpy as np
import polars as pl

from pipeline.contract.metrics import METRICS, REASONS
from pipeline.contract.results import PerQuestion
from pipeline.contract.tables import check
from pipeline.scoring import bounds, causes, claims, leaks, reasons, retrieval
from pipeline.scoring.arrays import Bools, Ints
from pipeline.scoring.bounds import Bounds
from pipeline.scoring.frozen import Responses, Tables, labels
from pipeline.scoring.gold import ANSWERABLE, NOT_LABELLED, POPULATIONS, Gold
from pipeline.scoring.reasons import VALUE, State
from pipeline.scoring.resolutions import Policy

STATUSES = ("ok", "failed", "judge_failed")

Columns = dict[str, Any]
"""Arrays of equal length by name; NaN and -1 stand for null until they leave this module."""


def score(tables: Tables, *, cutoff: int, policy: Policy, with_claims: bool) -> pl.DataFrame:
    """Score every response.

    Args:
        tables: the frozen tables.
        cutoff: k, 1 to 100.
        policy: what becomes of labels in dispute. Under `exclude` a value in dispute has
            no bounds.
        with_claims: whether the set carries claim labels.

    Returns:
        PerQuestion, one row a response, in the order of the tables.

    Raises:
        ValueError: the tables do not fit together.
    """
    gold = labels(tables, policy, with_claims=with_claims)
    responses = Responses.of(tables)
    blocks = [_block(gold, part, cutoff, with_claims) for part in responses.blocks()]
    columns: Columns = {
        name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]
    }
    if policy == "exclude" or not gold.open.any():
        columns |= {f"{metric.name}{end}": None for metric in METRICS for end in ("_low", "_high")}
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
    left_out = claims.unused(gold, part.question, reach, wanted)
    return {
        "population": state.population,
        "status": np.select([state.failed, state.judge_failed], [1, 2], 0),
        **_of_ranking(gold, part, reach, state, cutoff),
        **_of_claims(gold, part, made, wanted, state, with_claims),
        "causes": causes.marks(causes.causes(state, reach, made, wanted, left_out, with_claims)),
    }


def _of_ranking(
    gold: Gold, part: Responses, reach: retrieval.Reach, state: State, cutoff: int
) -> Columns:
    hits = reach.lists.sum(reach.chunks * reach.sure)
    reached = reach.lists.sum((reach.chunks > 0) & reach.sure)
    relevant = reach.lists.sum(reach.sure)
    if gold.open[part.question].any():
        values = {
            "precision": bounds.precision_bounds(reach, cutoff),
            "recall": bounds.recall_bounds(reach),
            "reciprocal_rank": bounds.reciprocal_rank_bounds(reach),
        }
    else:
        first = reach.lists.least(reach.first, retrieval.NEVER)
        values = {
            "precision": (retrieval.precision(hits, cutoff),) * 2,
            "recall": (retrieval.recall(reached, relevant),) * 2,
            "reciprocal_rank": (retrieval.reciprocal_rank(first),) * 2,
        }
    known = ~state.lost & (state.population != NOT_LABELLED)
    columns: Columns = {
        "hits": np.where(known, hits, -1),
        "reached": np.where(known, reached, -1),
        "relevant": relevant,
    }
    for name, interval in values.items():
        reason = reasons.of_retrieval(state, _differ(interval))
        columns |= _metric(name, interval, reason, ~state.lost)
    return columns


def _of_claims(
    gold: Gold, part: Responses, made: claims.Stated, wanted: claims.Expected,
    state: State, with_claims: bool,
) -> Columns:  # fmt: skip
    count, supported = part.claims.lengths, made.lists.sum(made.certain)
    expected, possible = gold.expected[part.question], wanted.lists.sum(wanted.possible)
    if gold.open[part.question].any():
        shares = bounds.support_bounds(wanted, state.population == ANSWERABLE, count)
        covered = bounds.coverage_bounds(wanted)
    else:
        shares = (claims.support(supported, count),) * 2
        covered = (claims.coverage(supported, expected),) * 2
    none = (claims.abstention(count),) * 2
    known = state.given & ~state.lost
    labelled = known & (state.population != NOT_LABELLED) & with_claims
    why = {
        "support": reasons.of_support(state, _differ(shares), count, with_claims=with_claims),
        "coverage": reasons.of_coverage(state, _differ(covered), possible, with_claims=with_claims),
        "abstention": reasons.of_abstention(state, false=False),
        "false_abstention": reasons.of_abstention(state, false=True),
    }
    return {
        **_metric("support", shares, why["support"], known),
        **_metric("coverage", covered, why["coverage"], known & (possible > 0)),
        **_metric("abstention", none, why["abstention"], state.given),
        **_metric("false_abstention", none, why["false_abstention"], state.given),
        "claims": np.where(state.given, count, -1),
        "supported": np.where(labelled, supported, -1),
        "expected": expected,
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
    columns = {name: np.where(reason == VALUE, low, np.nan), f"{name}_reason": reason}
    bounded = (reason == REASONS.index("unresolved")) & defined
    for end, bound in (("low", low), ("high", high)):
        columns[f"{name}_{end}"] = np.where(bounded, bound, np.nan)
    return columns


def _differ(interval: Bounds) -> Bools:
    low, high = interval
    differ: Bools = low != high
    return differ


def _leaks(tables: Tables, responses: Responses) -> tuple[Ints, Ints]:
    return leaks.leaks(
        tables.questions["caller_groups"],
        tables.documents["access_groups"],
        responses.question,
        [responses.ranking, responses.citations],
    )


def _frame(
    tables: Tables, columns: Columns, leaking: tuple[Ints, Ints], cutoff: int
) -> pl.DataFrame:
    """Arrays -> PerQuestion, with names for codes and nulls for what stands for them."""
    response, doc = leaking
    columns["causes"][response] |= causes.marks({"leak": np.ones(1, np.bool_)})
    named = [
        tables.questions["question_id"].gather(tables.ranking["question"]),
        pl.Series("population", POPULATIONS).gather(columns["population"]),
        pl.Series("status", STATUSES).gather(columns["status"]),
        causes.names(columns["causes"]),
        leaks.names(len(tables.ranking), response, doc, tables.documents["doc_id"]),
    ]
    for metric in METRICS:
        reason = f"{metric.name}_reason"
        named.append(pl.Series(reason, [*REASONS, None]).gather(columns[reason]))
    counts = ("hits", "reached", "relevant", "claims", "supported", "expected")
    ends = [f"{metric.name}{end}" for metric in METRICS for end in ("", "_low", "_high")]
    return tables.ranking.select("system", "repeat", "question").with_columns(
        *named,
        *(_number(name, columns[name]) for name in ends),
        *(_count(name, columns[name]) for name in counts),
        cutoff=pl.lit(cutoff, pl.UInt32),
    )


def _number(name: str, values: Any) -> Any:
    """NaN -> null; None is a column of nulls."""
    if values is None:
        return pl.lit(None, pl.Float64).alias(name)
    return pl.Series(name, values, nan_to_null=True)


def _count(name: str, values: Ints) -> pl.Series:
    """-1 -> null."""
    column = pl.Series(name, values)
    return column.set(column < 0, None).cast(pl.UInt32)
