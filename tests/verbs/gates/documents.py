"""Comparisons made by hand, as `gate` reads them."""

import json
from pathlib import Path
from typing import Any


def ruled(name: str = "recall holds", outcome: str = "pass", **given: Any) -> dict[str, Any]:
    """One rule's row."""
    row = {"name": name, "severity": "block", "outcome": outcome, "measured": -0.05}
    row |= {"bound": "delta ≥ -0.02", "n": 120, "why": "", "follow_up": None}
    return row | {"questions": [], "tolerated": []} | given


def compared(
    *rules: dict[str, Any], verdict: str | None = "accept", worse: tuple[str, ...] = (), **more: Any
) -> dict[str, Any]:
    """A comparison of one candidate with these rules."""
    candidate = {
        "spec": "system:rag",
        "regressions": [{"question_id": question, "metrics": []} for question in worse],
        "acceptance": {"verdict": verdict, "rules": list(rules)},
    }
    policy: dict[str, Any] = {
        "policy": "mine",
        "hash": "ab" * 32,
        "first_seen": None,
        "after_scores": False,
    }
    policy["rules"] = [{"name": row["name"], "severity": row["severity"]} for row in rules]
    return {
        "schema_version": 2,
        "baseline": {"name": "main"},
        "candidates": {"branch": candidate},
        "acceptance": policy | more.pop("acceptance", {}),
        "verdict": verdict,
    } | more


def written(path: Path, document: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), "utf-8")
    return path
