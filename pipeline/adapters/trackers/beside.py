"""What stands beside a run's scores and may change without them.

Costs, what a judge is worth by people's rulings, and what the system was compared with.
"""

from hashlib import sha256
from typing import Any

from pipeline.contract.files import canonical
from pipeline.manifest.spending import recorded

DIGITS = 16

Numbers = dict[str, Any]


def aside(manifest: Numbers) -> Numbers:
    """Numbers by names that stand apart from those of quality; None where they are n/a.

    `usage/…` and `judge_usage/…` as `spending` sums it up, `judge_agreement/KIND/…` of a judge
    with itself, `judge_validity/KIND/…` its rates of yes, raw and corrected by people's
    rulings, with the number of items that those are on (`people`).
    """
    counts, validity = manifest["counts"], manifest["judge_validation"]
    found = {
        **_usage("usage", counts["usage"]),
        **_usage("judge_usage", counts["judge_usage"]),
    }
    for kind, of in counts["judge_agreement"].items():
        found |= {f"judge_agreement/{kind}/{name}": of[name] for name in ("share", "alpha", "n")}
    for kind, of in ({} if validity is None else validity["metrics"]).items():
        powered = of["powered"]
        numbers = {"raw": of["raw"]["value"], "people": of["common"], "corrected": powered["value"]}
        numbers |= {f"corrected_{end}": powered[end] for end in ("low", "high")}
        found |= {f"judge_validity/{kind}/{name}": number for name, number in numbers.items()}
    return found


def digest(manifest: Numbers) -> str:
    """What tells whether a run that was logged before has all of this beside it."""
    beside = canonical([aside(manifest), manifest["comparison"]])
    return sha256(beside.encode()).hexdigest()[:DIGITS]


def verdict(manifest: Numbers) -> dict[str, str]:
    """Tags that say what came of the comparison; none where there was none or no policy.

    A run keeps the manifest that it was logged with, and may be held to a policy later: so the
    policy, its hash, when it was first seen and whether that was after the scores stand here.
    """
    compared, policy = manifest["comparison"], manifest["acceptance"]
    if compared is None or compared["verdict"] is None:
        return {}
    return {
        "verdict": compared["verdict"],
        "verdict.against": compared["baseline"][:250],
        "verdict.policy": policy["policy"][:250],
        "verdict.policy_hash": policy["hash"],
        "verdict.policy_first_seen": policy["first_seen"] or "not known",
        "verdict.policy_after_scores": str(compared["after_scores"]).lower(),
    }


def place(manifest: Numbers) -> str | None:
    """Folder of the comparison's report among the artifacts: one for each baseline.

    None where there is none, or where it shows another share of the texts than the run does:
    no text may leave by a report that was made for somewhere else.
    """
    compared = manifest["comparison"]
    if compared is None or compared["content"] != manifest["tracker"].get("content"):
        return None
    return f"comparisons/{compared['fingerprint'][:12]}"


def _usage(name: str, spent: Numbers | None) -> Numbers:
    if spent is None or not recorded(spent):
        return {}
    found: Numbers = {"asked": spent["asked"], "failures": spent["failures"]}
    found |= {
        key: one["total"] for key, one in spent.items() if isinstance(one, dict) and "total" in one
    }
    waited = dict(spent["latency_s"])
    found["latency_n"] = waited.pop("n") or None
    found |= {f"latency_{at}_seconds": seconds for at, seconds in waited.items()}
    return {f"{name}/{key}": value for key, value in found.items()}
