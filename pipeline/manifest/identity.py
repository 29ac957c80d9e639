"""The fingerprint of a system: a hash over everything that determines its numbers."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.contract import CONTRACT_VERSION
from pipeline.contract.files import canonical, read_json
from pipeline.contract.tables import Answers

STEPS = ("chunk", "retrieve", "rerank", "answer", "judge", "score")
"""Stages that leave a `settings.json`; what they say is part of the fingerprint."""


def identify(data: Path, scoring: dict[str, Any]) -> dict[str, Any]:
    """Name what determined each system's numbers, and hash it.

    Args:
        data: the data folder, with every stage before `score` done.
        scoring: the settings of the score stage itself (cutoff, budget, rubric).

    Returns:
        `{"contract_version", "systems": {name: {"fingerprint", "parts"}}}`, for the systems
        that answered. A part is a content hash or a setting; no time, host or path is among
        them. Two runs whose fingerprints agree have the same numbers. `responses_hash` is
        None where nothing recorded went in, whatever the set brought along; `verdicts_hash`
        is there only where recorded verdicts did.
    """
    frozen = read_json(data / "freeze" / "manifest.json")
    steps: dict[str, Any] = dict(scoring)
    for step in STEPS[:-1]:
        steps.update(read_json(data / step / "settings.json"))
    shared = {
        "contract_version": CONTRACT_VERSION,
        **{f"{name}_hash": value for name, value in frozen["hashes"].items()},
        "split": frozen["split"],
        "claims": frozen["question_set"]["claims"],
        "missing": frozen["missing_policy"],
        **steps,
    }
    recorded = frozen["responses"] if _recorded(steps, "retriever", "answerer") else {}
    ruled = frozen["responses"] if _recorded(steps, "judge") else {}
    answers = pl.scan_parquet(data / "answer" / f"{Answers.name}.parquet").select("system")
    answered = answers.unique().collect(engine="streaming")["system"].sort().to_list()
    systems = {}
    for name in answered:
        responses = recorded[name]["content"] if name in recorded else None
        parts = {**shared, "system": name, "responses_hash": responses}
        if name in ruled and "verdicts" in ruled[name]:
            parts["verdicts_hash"] = ruled[name]["verdicts"]
        systems[name] = {"fingerprint": fingerprint(parts), "parts": parts}
    return {"contract_version": CONTRACT_VERSION, "systems": systems}


def _recorded(steps: dict[str, Any], *ports: str) -> bool:
    """Whether what one of these ports gives is what came with the set."""
    return any(
        steps[port]["adapter"] == f"pipeline.adapters.{port}s.recorded.Recorded" for port in ports
    )


def fingerprint(parts: dict[str, Any]) -> str:
    """Return the SHA-256 of the canonical JSON of `parts`, as 64 hexadecimal digits."""
    return sha256(canonical(parts).encode()).hexdigest()
