"""What a run consisted of, counted: questions, slices, n/a by reason, failures, usage."""

from math import fsum
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.contract.metrics import METRICS
from pipeline.contract.results import Aggregates, Judged, PerQuestion, present
from pipeline.contract.tables import Usage, read

SPENT = ("input_tokens", "output_tokens", "cost_usd", "latency_s", "attempts")


def counts(data: Path, system: str) -> dict[str, Any]:
    """Count one system's run.

    Returns:
        `questions` and `responses`; `populations`, `status` and `na` (by metric, then
        reason) count responses; `slices` counts values of question attributes; `usage`
        as `usage` gives it.
    """
    scored = read(data / "score", PerQuestion).filter(system=system)
    judged = read(data / "score", Judged).filter(system=system)
    slices = read(data / "score", Aggregates, ["system", "attribute", "value"])
    return {
        "questions": scored["question"].n_unique(),
        "responses": len(scored),
        "repeats": sorted(scored["repeat"].unique().to_list()),
        "populations": _tally(scored["population"]),
        "status": _tally(scored["status"]),
        "leaks": int(scored["leaks"].list.len().sum()),
        "slices": len(slices.filter(pl.col("attribute") != "", system=system).unique()),
        "na": {
            metric.name: _tally(of[f"{metric.name}_reason"].drop_nulls())
            for of, metrics in ((scored, METRICS), (judged, present(judged)))
            for metric in metrics
        },
        "usage": usage(read(data / "answer", Usage).filter(system=system)),
    }


def usage(spent: pl.DataFrame) -> dict[str, dict[str, Any]]:
    """Totals of a Usage frame, each with the number of responses that recorded it.

    `requests` are the attempts made, `retries` those after a response's first. A total is
    None where no response recorded it: not recorded is not 0.
    """
    totals: dict[str, dict[str, Any]] = {}
    for name in SPENT:
        values = spent[name].drop_nulls().to_list()
        total = fsum(values) if spent.schema[name].is_float() else sum(values)
        totals[name] = {"total": total if values else None, "recorded": len(values)}
    attempts = totals.pop("attempts")
    made, recorded = attempts["total"], attempts["recorded"]
    retries = None if made is None else made - recorded
    return {
        **totals,
        "requests": attempts,
        "retries": {"total": retries, "recorded": recorded},
    }


def _tally(values: pl.Series) -> dict[str, int]:
    found = values.value_counts(name="n").sort(values.name)
    return dict(zip(found[values.name].to_list(), found["n"].to_list(), strict=True))
