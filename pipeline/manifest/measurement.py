"""How tokens, cost and time of a run were measured, and the page that keeps them beside it."""

from typing import Any

HANDLING = ("concurrency", "rpm", "timeout", "deadline", "retries", "price_input", "price_output")
MACHINE = ("system", "release", "machine", "processors", "python")


def measurement(params: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """How the answers, and the judge's rulings, were paid for and timed.

    Args:
        params: the whole configuration.
        parts: what determined the numbers, as `identity` names it.

    Returns:
        For `answerer` and `judge`: `by` is `recorded` where the numbers came with the set, and
        nobody here knows on which machine; `us` where calls were made here, with how they were
        handled (`concurrency` in flight, seconds, prices); None where nothing was paid for.
        A call that is kept from an earlier run keeps the time that it took then.
    """
    return {port: _measured(params.get(port), parts.get(port)) for port in ("answerer", "judge")}


def _measured(fields: Any, part: Any) -> dict[str, Any] | None:
    adapter = str(part.get("adapter")) if isinstance(part, dict) else ""
    if adapter.endswith(".recorded.Recorded"):
        return {"by": "recorded"}
    if not isinstance(fields, dict) or "concurrency" not in fields:
        return None
    return {"by": "us", **{name: fields[name] for name in HANDLING if name in fields}}


def costs(manifests: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """What a run cost, out of the manifests of its systems: all of it on one page."""
    one = next(iter(manifests.values()))
    return {
        "machine": {name: one["environment"].get(name) for name in MACHINE},
        "measurement": one["measurement"],
        "systems": {name: made["counts"]["usage"] for name, made in manifests.items()},
        "judge": one["counts"]["judge_usage"],
        "judge_agreement": one["counts"]["judge_agreement"],
    }
