"""What a run consisted of, counted: questions, slices, n/a by reason, failures, usage."""

from pathlib import Path
from typing import Any

import polars as pl

from pipeline.contract.metrics import METRICS
from pipeline.contract.results import Aggregates, Judged, PerQuestion, present
from pipeline.contract.tables import RESPONSE_KEY, Answers, Calls, Usage, Verdicts, read
from pipeline.manifest.draws import self_agreement
from pipeline.manifest.spending import spending


def counts(data: Path, system: str) -> dict[str, Any]:
    """Count one system's run.

    Returns:
        `questions` and `responses`; `populations`, `status` and `na` (by metric, then
        reason) count responses; `slices` counts values of question attributes; `usage`
        and `judge_usage` as the functions of that name; `judge_agreement`: `self_agreement`.
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
        "usage": usage(data, system),
        "judge_usage": judge_usage(data),
        "judge_agreement": self_agreement(read(data / "judge", Verdicts)),
    }


def usage(data: Path, system: str) -> dict[str, Any]:
    """What a system's answers cost, as `spending` sums it up."""
    key = list(RESPONSE_KEY)
    spent = read(data / "answer", Usage).filter(system=system)
    status = read(data / "answer", Answers, [*key, "status"])
    ok = pl.col("status") == "ok"
    return spending(spent.join(status, on=key, maintain_order="left").with_columns(ok=ok))


def judge_usage(data: Path) -> dict[str, Any] | None:
    """What the judge's calls cost, over all systems; None where it made none."""
    if not (data / "judge" / f"{Calls.name}.parquet").is_file():
        return None
    return spending(read(data / "judge", Calls))


def _tally(values: pl.Series) -> dict[str, int]:
    found = values.value_counts(name="n").sort(values.name)
    return dict(zip(found[values.name].to_list(), found["n"].to_list(), strict=True))
