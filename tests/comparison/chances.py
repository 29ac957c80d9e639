"""Worlds of two systems, policies and errors, made by chance."""

from copy import deepcopy
from datetime import date
from random import Random
from typing import Any

import numpy as np
import polars as pl

from pipeline.comparison.acceptance import judge
from pipeline.comparison.changes import changes
from pipeline.comparison.grounds import Grounds
from pipeline.comparison.rows import Rows
from pipeline.contract.metrics import JUDGED, METRICS, SHOWN
from pipeline.contract.naming import named
from pipeline.contract.policy import (
    Acceptance,
    Limit,
    Limits,
    QuestionRule,
    Rule,
    Share,
    Tolerance,
)
from pipeline.contract.results import Deltas, Judged, PerQuestion
from pipeline.contract.tables import check
from pipeline.scoring.deltas import causes_of, deltas
from pipeline.scoring.intervals import interval
from pipeline.scoring.values import score
from tests.scoring.worlds import World, a_world, tables

TODAY = date(2026, 6, 15)
SLICES = (None, None, "topic=u", "hard=yes")
NEW = "B"
Values = tuple[pl.DataFrame, pl.DataFrame]
"""PerQuestion and Judged of both systems."""


def two_systems(seed: int) -> World:
    """A small world in which A and B answer."""
    at = seed
    while len({said.system for said in a_world(at).responses}) < 2:
        at += 1_000_003
    return a_world(at)


def values_of(world: World, chance: Random) -> Values:
    """Score a world; verdicts are made up."""
    values = score(
        tables(world),
        cutoff=world.cutoff,
        policy=world.policy,  # type: ignore[arg-type]
        with_claims=world.with_claims,
    )
    if chance.random() < 0.5:
        return values, Judged.empty()
    rows = []
    for key in values.select("system", "repeat", "question", "question_id").iter_rows(named=True):
        row = dict.fromkeys(Judged.columns) | key
        cited, gold = chance.randint(1, 3), chance.randint(1, 3)
        row |= {"cited": cited, "gold": gold, "attributed": chance.randint(0, min(cited, gold))}
        for metric in JUDGED:
            lots = [0.0, 0.5, 1.0, 1.0, "no_claims", "not_labelled", "failed", "judge_failed"]
            drawn = chance.choice(lots)
            known = isinstance(drawn, float)
            row[metric.name if known else f"{metric.name}_reason"] = drawn
        rows.append(row)
    return values, check(Judged, pl.DataFrame(rows, schema=Judged.schema))


def grounds_of(
    values: pl.DataFrame, judged: pl.DataFrame, world: World, policy: Acceptance
) -> Grounds:
    """All that B is judged on, with the intervals that the policy reads."""
    before, after = (
        Rows(values.filter(system=name), judged.filter(system=name)) for name in ("A", NEW)
    )
    rows = deltas(values, "A")
    if not judged.is_empty():
        more = deltas(judged, "A", metrics=JUDGED, causes=causes_of(values))
        rows = pl.concat([rows, more]).sort(Deltas.key)
    attributes = {question.name: question.attributes for question in world.questions}
    bare = Grounds(before, after, rows, attributes, ())
    uncertainty = []
    for metric, attribute, value in policy.intervals:
        members = bare.members(f"{attribute}={value}" if attribute else None)
        found = changes(named(metric), members, bare, strict=False)
        low, high = interval(np.array([*found.values()]), seed=1)
        uncertainty.append(
            {"metric": metric, "attribute": attribute, "value": value, "n": len(found),
             "low": low, "high": high, "reason": None if found else "no pair"}
        )  # fmt: skip
    return Grounds(before, after, rows, attributes, uncertainty)


def a_policy(chance: Random, world: World) -> Acceptance:
    """Rules of every kind, with bounds that some worlds meet."""
    ids = [question.name for question in world.questions]
    rules = tuple(_rule(chance, f"rule {at}") for at in range(chance.randint(0, 4)))
    questions = tuple(
        _questions(chance, f"questions {at}", ids) for at in range(chance.randint(0, 2))
    )
    drawn = {
        name: Limit(chance.randint(0, 3), severity(chance)) if chance.random() < 0.3 else None
        for name in ("failures", "judge_failures", "unsupported_claims", "unresolved", "leaks")
    }
    shares = tuple(
        Share(chance.choice(SHOWN).name, chance.choice([0.0, 0.5, 1.0]))
        for _ in range(chance.randint(0, 1))
    )
    return Acceptance("chance", rules, questions, Limits(**drawn, na=shares))


def severity(chance: Random) -> Any:
    return chance.choice(["block", "block", "warn"])


def _rule(chance: Random, name: str) -> Rule:
    reads = chance.choice(["value", "delta", "delta", "interval"])
    some = [metric for metric in SHOWN if metric in METRICS or chance.random() < 0.3]
    metric = chance.choice(some)
    offered: list[Any] = ["strict", "macro"]
    if reads != "interval" and (metric.denominator or metric.harmonic):
        offered.append("pooled")
    return Rule(
        name,
        metric.name,
        chance.choice([0.0, 0.25, 0.5, 0.75] if reads == "value" else [-0.5, -0.25, 0.0, 0.25]),
        reads=reads,  # type: ignore[arg-type]
        aggregate=chance.choice(offered),
        slice=chance.choice(SLICES),
        least=chance.choice([0, 1, 1, 2]),
        baseline_errors=chance.choice([0, 1, 9]),
        severity=severity(chance),
    )


def _questions(chance: Random, name: str, ids: list[str]) -> QuestionRule:
    expects = chance.choice(["no_regression", "no_regression", "abstain", "answer"])
    regression = expects == "no_regression"
    some = tuple(chance.sample([metric.name for metric in SHOWN], 3))
    return QuestionRule(
        name,
        expects,  # type: ignore[arg-type]
        slice=chance.choice(SLICES),
        ids=tuple(chance.sample(ids, chance.randint(0, 1))),
        metrics=chance.choice([(), some]) if regression else (),
        tolerate=tuple(
            Tolerance(chance.choice(ids), "by chance", chance.choice(["2026-06-14", "2026-06-16"]))
            for _ in range(chance.randint(0, 1))
        ),
        least=chance.choice([0, 1]),
        baseline_errors=chance.choice([0, 9]) if regression else 0,
        severity=severity(chance),
    )


def with_error(values: Values, chance: Random) -> Values:
    """The same, with one response or one value of B turned into an error."""
    whole, error = chance.random() < 0.5, chance.choice(["failed", "judge_failed"])
    keys = values[0].filter(system=NEW).select("repeat", "question_id").rows()
    key = chance.choice(keys)
    frames = []
    for frame, table, metrics in zip(values, (PerQuestion, Judged), (METRICS, JUDGED), strict=True):
        rows = frame.to_dicts()
        for row in rows:
            if (row["system"], row["repeat"], row["question_id"]) == (NEW, *key):
                scored = [one.name for one in metrics if row[one.name] is not None]
                gone = scored if whole else chance.sample(scored, min(1, len(scored)))
                _lose(row, gone, error, whole=whole)
        frames.append(check(table, pl.DataFrame(rows, schema=table.schema)))
    return frames[0], frames[1]


def _lose(row: dict[str, Any], gone: list[str], error: str, *, whole: bool) -> None:
    for name in gone:
        row |= {name: None, f"{name}_reason": error, f"{name}_low": None, f"{name}_high": None}
    if not whole:
        return
    if "status" in row and row["status"] != "failed":
        row["status"] = error
    lost = ("claims", "supported", "hits", "reached", "attributed", "cited")
    row |= {name: None for name in lost if name in row}
    row |= {"leaks": []} if "leaks" in row else {}


def with_failure(world: World, chance: Random) -> World:
    """The same world, in which one response of B failed, or its judge did."""
    torn = deepcopy(world)
    response = chance.choice([said for said in torn.responses if said.system == NEW])
    error = chance.choice(["failed", "failed and lost", "judge_failed"])
    if error == "judge_failed":
        response.judged = False
        return torn
    response.failed, response.claims = True, None
    if error == "failed and lost":
        response.ranking = None
    return torn


def judged_by(policy: Acceptance, values: Values, world: World) -> dict[str, Any]:
    found = judge(policy, grounds_of(*values, world, policy), today=TODAY)
    assert found is not None
    return found
