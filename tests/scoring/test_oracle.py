"""Two thousand small evaluations: everything that is scored equals what the oracle says."""

from fractions import Fraction
from typing import Any

import pytest

from pipeline.contract.metrics import REASONS
from pipeline.scoring.aggregates import aggregate
from pipeline.scoring.values import score
from tests.scoring import oracle
from tests.scoring.oracle_averages import averages
from tests.scoring.worlds import World, a_world, tables

WORLDS, BATCH = 2_000, 100


@pytest.mark.parametrize("first", range(0, WORLDS, BATCH))
def test_every_value_reason_bound_cause_leak_and_average_is_the_oracles(first: int) -> None:
    for seed in range(first, first + BATCH):
        differences = compare(a_world(seed))
        assert not differences, f"world {seed}: " + "\n".join(differences)


def compare(world: World) -> list[str]:
    """What differs between the scores and the oracle's, as lines."""
    frozen = tables(world)
    values = score(
        frozen,
        cutoff=world.cutoff,
        policy=world.policy,  # type: ignore[arg-type]
        with_claims=world.with_claims,
        overlap=world.overlap,
    )
    averaged = aggregate(values, frozen.questions["attributes"], bounded=world.policy != "exclude")
    wanted = oracle.rows(world)
    found = {
        (row["system"], row["repeat"], row["question_id"]): row
        for row in values.iter_rows(named=True)
    }
    lines = [
        f"{key} {name}: expected {want!r}, got {found[key][name]!r}"
        for key, row in wanted.items()
        for name, want in row.items()
        if not equal(found[key][name], want)
    ]
    means = {
        (row["system"], row["attribute"], row["value"], row["metric"]): row
        for row in averaged.iter_rows(named=True)
    }
    expected = averages(world, wanted)
    if means.keys() != expected.keys() or found.keys() != wanted.keys():
        return [*lines, f"expected {sorted(expected)}, got {sorted(means)}"]
    return lines + [
        f"{key} {name}: expected {want!r}, got {means[key]!r}"
        for key, row in expected.items()
        for name, want in row.items()
        if not close(means[key], name, want)
    ]


def equal(got: Any, want: Any) -> bool:
    """Exactly equal; a fraction is the double nearest to it."""
    if isinstance(want, Fraction):
        return bool(got == float(want))
    return bool(got == want)


def close(row: dict[str, Any], name: str, want: Any) -> bool:
    """Equal, means up to the rounding of the doubles that they are taken of."""
    if name == "na":
        return bool({why: row[f"na_{why}"] for why in REASONS if row[f"na_{why}"]} == want)
    if isinstance(want, Fraction | float):
        got = row[name]
        return bool(got is not None and abs(got - want) < 1e-12)
    return bool(row[name] == want)
