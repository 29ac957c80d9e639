"""What answers or rulings cost: requests, failures, tokens, dollars, seconds. No score reads it."""

from math import ceil, fsum
from typing import Any

import polars as pl

TOTALS = ("input_tokens", "output_tokens", "cost_usd")
RANKS = {"p50": 0.50, "p90": 0.90, "p95": 0.95, "p99": 0.99, "max": 1.0}
"""Parts of the answered that took no longer."""

Summary = dict[str, Any]


def spending(spent: pl.DataFrame) -> Summary:
    """Sum up what was spent.

    Args:
        spent: a row for each response of a system, or each call of a judge: `ok`, whether it
            was answered, and `input_tokens`, `output_tokens`, `cost_usd`, `attempts` over all
            attempts, those that failed too, and `latency_s` of the one that answered; null:
            not recorded.

    Returns:
        `asked` rows, and the `failures` among them. `requests` are the attempts made,
        `retries` those after a row's first; they, tokens and cost are `{"total", "recorded"}`:
        the sum over the rows that recorded it, and how many did. A total is None where none
        did: not recorded is not 0. `latency_s` is `latency`'s, over the answered.
    """
    attempts = spent["attempts"].drop_nulls().to_list()
    answered = spent.filter("ok")["latency_s"].drop_nulls().to_list()
    return {
        "asked": len(spent),
        "failures": len(spent) - int(spent["ok"].sum()),
        "requests": _total(attempts),
        "retries": _total([max(0, made - 1) for made in attempts]),
        **{name: _total(spent[name].drop_nulls().to_list()) for name in TOTALS},
        "latency_s": latency(answered),
    }


def latency(seconds: list[float]) -> Summary:
    """Percentiles of waiting times, each a time that was measured (nearest rank).

    Args:
        seconds: of each answer.

    Returns:
        `n`; `p50`, `p90`, `p95`, `p99`: the least time within which that part of the answers
        came, so that p99 of fewer than 100 is the longest; and `max`. None without any.

    Source: Hyndman & Fan 1996, The American Statistician 50(4), definition 1.
    """
    ranked, n = sorted(seconds), len(seconds)
    # rounded first: 0.9 * 10 must be 9, however floats put it
    at = {name: max(1, ceil(round(part * n, 9))) for name, part in RANKS.items()}
    return {"n": n, **{name: ranked[rank - 1] if n else None for name, rank in at.items()}}


def recorded(summary: Summary) -> bool:
    """Whether anything of it was recorded."""
    totals = ("requests", *TOTALS)
    return summary["latency_s"]["n"] > 0 or any(summary[name]["recorded"] for name in totals)


def _total(values: list[Any]) -> Summary:
    total = fsum(values) if any(isinstance(value, float) for value in values) else sum(values)
    return {"total": total if values else None, "recorded": len(values)}
