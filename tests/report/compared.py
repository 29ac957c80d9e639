"""Sides and comparisons as the compare stage hands them to the report, made by hand."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.contract.files import read_json
from pipeline.contract.results import Deltas, Judged, PerQuestion, present
from pipeline.contract.sides import Side
from pipeline.contract.tables import read
from pipeline.report import write_report
from pipeline.scoring.deltas import causes_of, deltas
from pipeline.scoring.findings import findings

METHOD = {
    "interval": "BCa bootstrap of the mean of paired differences", "level": 0.95,
    "resamples": 10000, "seed": 7, "test": "sign-flip permutation", "correction": "Holm",
    "family": 7,
}  # fmt: skip


def side(data: Path, system: str) -> Side:
    """A system of a finished run."""
    known = read_json(data / "score" / "identity.json")["systems"][system]
    return Side(system, f"system:{system}", system, data, known["fingerprint"], known["parts"])


def sides(data: Path) -> tuple[Side, list[Side]]:
    """The baseline of a finished run, and the others."""
    comparison = read_json(data / "compare" / "comparison.json")
    names = list(comparison["candidates"])
    return side(data, comparison["baseline"]["system"]), [side(data, name) for name in names]


def judged(comparison: dict[str, Any], outcome: str = "reject") -> dict[str, Any]:
    """The comparison with intervals, and with a policy that came out so."""
    candidates = {}
    for name, found in comparison["candidates"].items():
        uncertainty = [
            {
                "metric": row["metric"], "attribute": "", "value": "", "n": row["n"],
                "delta": row["delta"], "low": row["delta"] - 0.25, "high": row["delta"] + 0.125,
                "p": 0.25, "p_holm": 0.75, "needed": 44, "small": True, "reason": None,
            }
            for row in found["averages"]
            if row["n"]
        ]  # fmt: skip
        rules = [
            {
                "name": "no regressions", "severity": "block", "outcome": "fail",
                "measured": float(found["questions"]["worse"]), "bound": "= 0",
                "n": found["questions"]["asked"], "why": "1 question got worse", "follow_up": None,
                "questions": [entry["question_id"] for entry in found["regressions"]],
            },
            {
                "name": "recall", "severity": "block", "outcome": "pass", "measured": 1.0,
                "bound": "≥ 0.6", "n": 3, "why": "1.0 is at least 0.6", "follow_up": None,
                "questions": [],
            },
            {
                "name": "latency", "severity": "warn", "outcome": "unmeasurable",
                "measured": None, "bound": "≤ 2 s", "n": 0, "why": "nobody recorded it",
                "follow_up": "record latency", "questions": [],
            },
        ]  # fmt: skip
        if outcome == "accept":
            rules = rules[1:]
        acceptance = {"verdict": outcome, "rules": rules}
        candidates[name] = {**found, "uncertainty": uncertainty, "acceptance": acceptance}
    policy = {
        "policy": "strict", "hash": "5f" * 32, "first_seen": "2026-01-01T00:00:00Z",
        "after_scores": False, "rules": [],
    }  # fmt: skip
    return {
        **comparison, "schema_version": 2, "method": METHOD, "candidates": candidates,
        "acceptance": policy, "verdict": outcome,
    }  # fmt: skip


def reported(
    data: Path, path: Path, comparison: dict[str, Any] | None = None, content: str = "full"
) -> str:
    """Write the report of a finished run; return the page."""
    baseline, candidates = sides(data)
    found = comparison or read_json(data / "compare" / "comparison.json")
    rows: pl.DataFrame = read(data / "compare", Deltas)
    write_report(path, baseline, candidates, rows, found, content=content)
    return path.read_text(encoding="utf-8")


def across(folders: dict[str, tuple[Path, str]], path: Path) -> str:
    """Report systems of several folders, the first as the baseline: name -> (folder, system)."""
    named = [replace(side(data, system), name=name) for name, (data, system) in folders.items()]
    values, judged_values = (
        pl.concat(
            [
                read(one.folder / "score", table)
                .filter(system=one.system)
                .with_columns(system=pl.lit(one.name))
                for one in named
            ]
        ).sort(table.key)
        for table in (PerQuestion, Judged)
    )
    baseline, *others = named
    rows = deltas(values, baseline.name)
    metrics = present(judged_values)
    if metrics:
        causes = causes_of(values)
        more = deltas(judged_values, baseline.name, metrics=metrics, causes=causes)
        rows = pl.concat([rows, more]).sort(Deltas.key)
    candidates = {}
    for one in others:
        differs: dict[str, Any] = {
            key: {} for key in one.parts if one.parts[key] != baseline.parts[key]
        }
        found = findings(rows.filter(candidate=one.name), values)
        candidates[one.name] = {"differs": differs, "controlled": len(differs) <= 1, **found}
    comparison = {"contract_version": "1.0", "acceptance": None, "candidates": candidates}
    write_report(path, baseline, others, rows, comparison)
    return path.read_text(encoding="utf-8")
