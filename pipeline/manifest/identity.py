"""The fingerprint of a system: a hash over everything that determines its numbers."""

from hashlib import sha256
from pathlib import Path
from typing import Any

from pipeline.contract import CONTRACT_VERSION
from pipeline.contract.files import canonical, read_json

STEPS = ("chunk", "retrieve", "rerank", "answer", "judge", "score")
"""Stages that leave a `settings.json`; what they say is part of the fingerprint."""


def identify(data: Path, scoring: dict[str, Any]) -> dict[str, Any]:
    """Name what determined each system's numbers, and hash it.

    Args:
        data: the data folder, with every stage before `score` done.
        scoring: the settings of the score stage itself (cutoff, budget, rubric).

    Returns:
        `{"contract_version", "systems": {name: {"fingerprint", "parts"}}}`. A part is a
        content hash or a setting; no time, host or path is among them. Two runs whose
        fingerprints agree have the same numbers.
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
    systems = {}
    for name, recorded in (frozen["responses"] or {"rag": {"content": None}}).items():
        parts = {**shared, "system": name, "responses_hash": recorded["content"]}
        systems[name] = {"fingerprint": fingerprint(parts), "parts": parts}
    return {"contract_version": CONTRACT_VERSION, "systems": systems}


def fingerprint(parts: dict[str, Any]) -> str:
    """Return the SHA-256 of the canonical JSON of `parts`, as 64 hexadecimal digits."""
    return sha256(canonical(parts).encode()).hexdigest()
