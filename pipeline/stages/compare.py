"""Set the systems of this run against a baseline, question by question.

Reads   score/per_question, score/judged, score/identity.json
Writes  compare/deltas (Parquet and CSV), compare/comparison.json
"""

import dataclasses
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.contract.errors import ConfigError, nearest
from pipeline.contract.files import read_json, replacing, write_json
from pipeline.contract.results import Deltas, Judged, PerQuestion, present
from pipeline.contract.tables import read, write
from pipeline.scoring.deltas import causes_of, deltas
from pipeline.scoring.findings import findings
from pipeline.settings import Acceptance

COMPARED = ("system", "responses_hash", "verdicts_hash")
"""Parts that differ between any two systems: they are what is compared, not how."""


def run(data: Path, *, baseline: str | None, acceptance: Acceptance) -> str:
    """Compare every other system with the baseline; return one line on what came out.

    Args:
        data: the data folder, with the score stage done.
        baseline: name of a system of this run; null: the first in order of name.
        acceptance: the policy a candidate has to meet.

    Raises:
        ConfigError: no system of this run has that name.
    """
    values = read(data / "score", PerQuestion)
    identity = read_json(data / "score" / "identity.json")
    against = _baseline(baseline, values["system"].unique().sort().to_list())

    rows = _deltas(values, read(data / "score", Judged), against)
    candidates = {
        name: {
            "fingerprint": identity["systems"][name]["fingerprint"],
            **_differences(identity, against, name),
            **findings(of, values),
        }
        for (name,), of in rows.group_by("candidate", maintain_order=True)
    }
    comparison = {
        "contract_version": identity["contract_version"],
        "baseline": {
            "system": against,
            "fingerprint": identity["systems"][against]["fingerprint"],
        },
        "candidates": candidates,
        "acceptance": dataclasses.asdict(acceptance),
        "verdict": None,
    }

    with replacing(data / "compare") as folder:
        write(folder, Deltas, rows)
        _csv(rows).write_csv(folder / "deltas.csv")
        write_json(folder / "comparison.json", comparison)
        write_json(
            folder / "settings.json",
            {"baseline": baseline, "acceptance": dataclasses.asdict(acceptance)},
        )
    return _line(against, candidates)


def _deltas(values: pl.DataFrame, judged: pl.DataFrame, against: str) -> pl.DataFrame:
    """Deltas of PerQuestion, and of Judged where there is something in it."""
    rows = deltas(values, against)
    metrics = present(judged)
    if not metrics:
        return rows
    more = deltas(judged, against, metrics=metrics, causes=causes_of(values))
    return pl.concat([rows, more]).sort(Deltas.key)


def _baseline(wanted: str | None, systems: list[str]) -> str:
    if wanted is None:
        return systems[0]
    if wanted not in systems:
        raise ConfigError(
            "conf: baseline",
            expected=f"a system of this run ({', '.join(systems)})" + nearest(wanted, systems),
            got=repr(wanted),
        )
    return wanted


def _differences(identity: dict[str, Any], baseline: str, candidate: str) -> dict[str, Any]:
    """Settings in which two systems differ beside the responses that are compared."""
    before, after = (identity["systems"][name]["parts"] for name in (baseline, candidate))
    differs = {
        part: {"before": before.get(part), "after": after.get(part)}
        for part in sorted(before.keys() | after.keys())
        if part not in COMPARED and before.get(part) != after.get(part)
    }
    return {"differs": differs, "controlled": len(differs) <= 1}


def _csv(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(pl.col("causes").list.join(" "))


def _line(baseline: str, candidates: dict[str, Any]) -> str:
    if not candidates:
        return f"one system only ({baseline}): nothing to compare"
    counts = [
        f"{name} {found['questions']['worse']:,} worse, {found['questions']['better']:,} better"
        for name, found in candidates.items()
    ]
    return f"against {baseline}: " + "; ".join(counts)
