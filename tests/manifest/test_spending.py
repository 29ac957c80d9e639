"""Costs are sums of what was recorded; waiting times are times that were measured."""

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contract.tables import Usage
from pipeline.manifest.spending import RANKS, TOTALS, latency, recorded, spending

SCHEMA = {
    "ok": pl.Boolean(),
    **{name: Usage.schema[name] for name in (*TOTALS, "latency_s", "attempts")},
}


def spent(*rows: dict[str, Any]) -> pl.DataFrame:
    return pl.DataFrame([{name: row.get(name) for name in SCHEMA} for row in rows], schema=SCHEMA)


def test_nothing_recorded_is_not_nought() -> None:
    found = spending(spent({"ok": True}, {"ok": False}))
    assert (found["asked"], found["failures"]) == (2, 1)
    totals = ("requests", "retries", *TOTALS)
    assert [found[name] for name in totals] == [{"total": None, "recorded": 0}] * 5
    assert found["latency_s"] == {"n": 0, **dict.fromkeys(RANKS)}
    assert not recorded(found)


def test_what_failed_is_paid_for_and_no_waiting_time() -> None:
    found = spending(
        spent(
            {"ok": True, "attempts": 3, "cost_usd": 0.25, "input_tokens": 30, "latency_s": 0.5},
            {"ok": False, "attempts": 2, "cost_usd": 0.5, "input_tokens": 20, "latency_s": 9.0},
            {"ok": True, "attempts": 0, "cost_usd": 0.0, "input_tokens": 0, "latency_s": 0.5},
        )
    )
    assert found["cost_usd"] == {"total": 0.75, "recorded": 3}
    assert found["input_tokens"] == {"total": 50, "recorded": 3}
    assert found["requests"] == {"total": 5, "recorded": 3}
    assert found["retries"] == {"total": 3, "recorded": 3}  # 3 - 1, 2 - 1, and none of none
    assert (found["latency_s"]["n"], found["latency_s"]["max"]) == (2, 0.5)
    assert recorded(found)


@pytest.mark.parametrize(
    ("n", "ranks"),
    [(1, (1, 1, 1, 1)), (10, (5, 9, 10, 10)), (20, (10, 18, 19, 20)), (100, (50, 90, 95, 99))],
)
def test_a_percentile_is_the_least_time_within_which_that_part_came(
    n: int, ranks: tuple[int, ...]
) -> None:
    found = latency([float(second) for second in range(n, 0, -1)])
    assert tuple(found[at] for at in ("p50", "p90", "p95", "p99")) == ranks
    assert found["max"] == n


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=60))
def test_percentiles_are_those_of_counting(seconds: list[float]) -> None:
    found = latency(seconds)
    for name, percent in (("p50", 50), ("p90", 90), ("p95", 95), ("p99", 99), ("max", 100)):
        within = [
            at
            for at in seconds
            if 100 * sum(one <= at for one in seconds) >= percent * len(seconds)
        ]
        assert found[name] == min(within)
