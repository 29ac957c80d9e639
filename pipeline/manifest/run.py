"""The manifest of a run: one JSON document for each system, complete enough to check it.

What it says and what each key means stands in `run.schema.json`.
"""

import re
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from pipeline.contract import SCHEMA_VERSION
from pipeline.contract.files import canonical, read_json, write_json
from pipeline.contract.policy import Acceptance
from pipeline.manifest import ledger, policies
from pipeline.manifest.counts import counts
from pipeline.manifest.measurement import measurement
from pipeline.manifest.public import public
from pipeline.manifest.schemas import validate

Manifest = dict[str, Any]

STAGES = ("freeze", "chunk", "retrieve", "rerank", "answer", "judge", "score", "compare")
"""Folders whose files are hashed into `outputs`."""

MOMENT = frozenset({"run_id", "time", "code", "environment", "heldout", "acceptance"})
"""Keys that differ between two looks at the same results; the policy itself is in its hash."""


def manifests(
    data: Path,
    *,
    params: dict[str, Any],
    acceptance: Acceptance,
    tracker: dict[str, Any],
    code: dict[str, Any],
    environment: dict[str, Any],
    time: str,
    validation: dict[str, Any] | None = None,
) -> dict[str, Manifest]:
    """Describe the run of each system in the data folder.

    Args:
        data: the data folder with every stage up to `score` done.
        params: the whole configuration.
        acceptance: the policy in it, as `settings.acceptance` reads it.
        tracker: what keeps the run, and how much of its texts.
        code: what `environment.revision` found.
        environment: what `environment.environment` found.
        time: ISO 8601, UTC.
        validation: what the judge's rulings are worth, as `rulings.validation` finds it; None:
            no judge ruled, or people did.

    Returns:
        One manifest a system, by name, without credentials; `run_id` is None until a
        tracker has given one.
    """
    frozen = read_json(data / "freeze" / "manifest.json")
    identity = read_json(data / "score" / "identity.json")
    heldout = _heldout(data, frozen["split"], params.get("heldout_budget"))
    made = outputs(data)
    comparisons = _comparisons(data, made)
    shared = {
        "schema_version": SCHEMA_VERSION,
        "contract_version": identity["contract_version"],
        "run_id": None,
        "time": time,
        **{key: frozen[key] for key in ("corpus", "question_set", "hashes", "split")},
        "configuration": params,
        "rubric_hash": _hash(params.get("rubric")),
        "acceptance_hash": acceptance.hash,
        "acceptance": {
            "policy": acceptance.policy,
            "hash": acceptance.hash,
            "first_seen": policies.first_seen(acceptance.hash),
        },
        "seed": params.get("seed"),
        "outputs": made,
        "tracker": tracker,
        "code": code,
        "environment": environment,
    }
    return {
        name: public(
            {
                **shared,
                "system": name,
                "fingerprint": system["fingerprint"],
                "parts": system["parts"],
                **_models(system["parts"]),
                "responses": _responses(frozen, system["parts"], name),
                "heldout": heldout | {"looks": _looks(frozen, system["fingerprint"])},
                "counts": counts(data, name),
                "comparison": comparisons.get(name),
                "judge_validation": _validation(validation, name),
                "measurement": measurement(params, system["parts"]),
            }
        )
        for name, system in sorted(identity["systems"].items())
    }


def _comparisons(data: Path, made: dict[str, str]) -> dict[str, dict[str, Any]]:
    """What each candidate of the run was compared with, and what came of it."""
    path = data / "compare" / "comparison.json"
    if not path.is_file():
        return {}
    comparison = read_json(path)
    content = read_json(path.with_name("settings.json"))["content"]
    late = (comparison["acceptance"] or {}).get("late_for", [])
    return {
        found["system"]: {
            "baseline": comparison["baseline"]["name"],
            "fingerprint": comparison["baseline"]["fingerprint"],
            "verdict": (found["acceptance"] or {}).get("verdict"),
            "after_scores": name in late,
            "method": comparison["method"],
            "report": made["compare/report.html"],
            "content": content,
        }
        for name, found in comparison["candidates"].items()
    }


def outputs(data: Path) -> dict[str, str]:
    """SHA-256 of every file that a stage left, by its path below the data folder."""
    found = {}
    for stage in STAGES:
        for path in sorted((data / stage).rglob("*")):
            if path.is_file() and not path.name.startswith("."):
                with path.open("rb") as file:
                    found[path.relative_to(data).as_posix()] = file_digest(file, sha256).hexdigest()
    return found


def same(one: Manifest, other: Manifest) -> bool:
    """Whether two manifests describe the same results, whenever each was made."""
    return {k: v for k, v in one.items() if k not in MOMENT} == {
        k: v for k, v in other.items() if k not in MOMENT
    }


def filename(system: str) -> str:
    """Name of the file that holds a system's manifest."""
    return f"{safe(system)}.manifest.json"


def safe(name: str) -> str:
    """Return the name as a file can bear it; one that had to change ends in a hash."""
    allowed = re.sub(r"[^A-Za-z0-9._-]", "_", name)[:64].lstrip(".")
    return name if allowed == name else f"{allowed}-{sha256(name.encode()).hexdigest()[:8]}"


def write(path: Path, manifest: Manifest) -> None:
    """Check a manifest against its schema and write it.

    Raises:
        ValueError: it does not fit the schema; that is a bug of ours.
    """
    validate(manifest, "run")
    write_json(path, manifest)


def _heldout(data: Path, split: str, budget: int | None) -> dict[str, Any]:
    """How often held-out questions were opened, and the state of the ledger that says so."""
    looks, chain = ledger.looks(data), ledger.chain()
    return {
        "opened": split != "dev",
        "uses": looks.times,
        "most": looks.most,
        "budget": budget,
        "spent": looks.spent(budget),
        "over": looks.over(budget),
        "ledger": ledger.NAME,
        "chain": chain.state,
        "head": chain.head,
    }


def _looks(frozen: dict[str, Any], fingerprint: str) -> list[dict[str, str]]:
    content = frozen["question_set"]["content"]
    return [
        {"time": entry["time"], "reason": entry["reason"]}
        for entry in ledger.entries()
        if entry["fingerprint"] == fingerprint and entry["question_set"] == content
    ]


def _responses(frozen: dict[str, Any], parts: dict[str, Any], name: str) -> Any:
    """What was recorded of a system; None where it answered live."""
    return None if parts["responses_hash"] is None else frozen["responses"].get(name)


def _validation(found: dict[str, Any] | None, system: str) -> dict[str, Any] | None:
    """What the judge's rulings on one system are worth."""
    if found is None:
        return None
    shared = {key: value for key, value in found.items() if key != "sides"}
    return {**shared, **found["sides"][system]}


def _models(parts: dict[str, Any]) -> dict[str, Any]:
    """Models with their settings, and hashes of prompts, of every part that names one."""
    models, prompts = {}, {}
    for port, settings in parts.items():
        if not isinstance(settings, dict):
            continue
        asked = {key: value for key, value in settings.items() if "prompt" in key}
        prompts.update({f"{port}.{key}": _prompt(value) for key, value in asked.items()})
        if any("model" in key for key in settings):
            models[port] = {key: value for key, value in settings.items() if key not in asked}
    return {"models": models, "prompts": prompts}


def _prompt(value: Any) -> str:
    """Hash of a prompt: of the template's text where the adapter names it, else of the value."""
    return str(value["sha256"]) if isinstance(value, dict) and "sha256" in value else _hash(value)


def _hash(value: Any) -> str:
    return sha256(canonical(value).encode()).hexdigest()
