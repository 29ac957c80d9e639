"""Candidates set against a baseline, and what a policy rules on each of them."""

import dataclasses
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import polars as pl

from pipeline.comparison.acceptance import judge
from pipeline.comparison.compared import compared
from pipeline.comparison.gathered import Gathered, gather
from pipeline.comparison.grounds import Grounds, attributes_of
from pipeline.comparison.outcomes import worst
from pipeline.comparison.rows import Rows
from pipeline.contract.policy import Acceptance, renamed
from pipeline.contract.sides import Side
from pipeline.contract.uncertainty import Uncertainty
from pipeline.manifest import policies


def weighed(
    baseline: Side,
    candidates: Sequence[Side],
    *,
    same: bool,
    acceptance: Acceptance,
    uncertainty: Uncertainty,
    seed: int,
    now: datetime,
) -> tuple[Gathered, pl.DataFrame, dict[str, Any]]:
    """Compare the candidates with the baseline and let the policy rule on them.

    The intervals that the policy reads are estimated beside those that are asked for.

    Args:
        baseline: the side that the others are set against.
        candidates: the others.
        same: compare only the questions that are the same on every side.
        acceptance: the policy.
        uncertainty: how intervals and p-values are made.
        seed: of their draws.
        now: the time, in UTC.

    Returns:
        The scored rows of all sides, Deltas, and the comparison document.

    Raises:
        IncomparableError: a part differs that has to be the same, or no question is.
        DataError: the file of policies holds a line that is none of ours.
    """
    gathered = gather(baseline, candidates, same=same)
    rows, comparison = compared(
        baseline,
        candidates,
        gathered,
        uncertainty=uncertainty,
        seed=seed,
        also=renamed(acceptance, gathered.cutoffs.same).intervals,
    )
    return gathered, rows, ruled(comparison, rows, gathered, candidates, acceptance, now)


def ruled(
    comparison: dict[str, Any],
    rows: pl.DataFrame,
    gathered: Gathered,
    candidates: Sequence[Side],
    acceptance: Acceptance,
    now: datetime,
) -> dict[str, Any]:
    """Return the comparison document with what the policy says of each candidate.

    Args:
        comparison: what `compared` gave.
        rows: Deltas, which came with it.
        gathered: the scored rows of all sides.
        candidates: the sides that are ruled on.
        acceptance: the policy; under `none` nothing is ruled on and every verdict is null.
        now: the time, in UTC; by its day tolerances expire.

    Raises:
        DataError: the file of policies holds a line that is none of ours.
    """
    if not acceptance.judges:
        return comparison
    baseline = _rows(gathered, comparison["baseline"]["name"])
    attributes = attributes_of(gathered.attributes)
    policy = renamed(acceptance, gathered.cutoffs.same)
    found = dict(comparison["candidates"])
    for side in candidates:
        grounds = Grounds(
            before=baseline,
            after=_rows(gathered, side.name),
            deltas=rows.filter(candidate=side.name),
            attributes=attributes,
            uncertainty=found[side.name]["uncertainty"],
        )
        found[side.name] = {
            **found[side.name], "acceptance": judge(policy, grounds, today=now.date())
        }  # fmt: skip
    seen = policies.record(acceptance.policy, acceptance.hash, now)
    late = [side.name for side in candidates if policies.after_scores(seen, side.scored_at)]
    return {
        **comparison,
        "candidates": found,
        "acceptance": {
            **dataclasses.asdict(acceptance),
            "hash": acceptance.hash,
            "first_seen": seen,
            "after_scores": bool(late),
            "late_for": late,
        },
        "verdict": worst(each["acceptance"]["verdict"] for each in found.values()),
    }


def _rows(gathered: Gathered, name: str) -> Rows:
    tables = (gathered.values, gathered.judged, gathered.ranked)
    return Rows(*(table.filter(system=name) for table in tables))


def timestamp(now: datetime) -> str:
    """A time as manifests spell it: ISO 8601 to the second, in UTC."""
    return now.astimezone(UTC).isoformat(timespec="seconds")
