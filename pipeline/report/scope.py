"""What was measured and what was not: where each system's outputs came from, and the limits."""

from collections.abc import Sequence
from typing import Any

from pipeline.contract.files import read_json
from pipeline.contract.sides import Side
from pipeline.contract.spelling import clean
from pipeline.contract.words import counted

LIMITS = (
    "Every number leans on the labels of this question set; what nobody labelled is not credited.",
    "The labels prove causes; they do not explain why a system did what it did.",
    "The environment (machine, versions of packages) is recorded with a run, but is no part of "
    "the fingerprints compared here.",
)


def by_origin(sides: Sequence[Side]) -> list[tuple[list[str], list[str]]]:
    """Names of sides and what is said of their outputs; those of which the same is said as one."""
    found: dict[tuple[str, ...], list[str]] = {}
    for side in sides:
        found.setdefault(tuple(origins(side)), []).append(clean(side.name))
    return [(names, list(told)) for told, names in found.items()]


def origins(side: Side) -> list[str]:
    """Say of one side where its ranking, its answers and its context came from, in sentences."""
    parts = side.parts
    ranked, answered = kind(parts, "retriever"), kind(parts, "answerer")
    told = [
        "Ranking: recorded outputs, authored or produced elsewhere, taken as they are."
        if ranked == "recorded"
        else f"Ranking: computed in this run by {ranked}.",
        _answers(answered, parts),
    ]
    responses = read_json(side.folder / "freeze" / "manifest.json").get("responses") or {}
    own = responses.get(side.system)
    if own and answered == "recorded":
        if own.get("delivered") == "inferred":
            told.append(
                "Context: not recorded; inferred as the first of the ranking. What the answer "
                "really saw is not known."
            )
        elif own.get("delivered"):
            told.append(f"Context: {clean(str(own['delivered']))}.")
        missing = own.get("missing") or []
        if missing:
            told.append(f"{counted(len(missing), 'response')} missing, counted as failed.")
    return told


def _answers(kind: str, parts: dict[str, Any]) -> str:
    if kind == "recorded":
        return "Answers: recorded outputs, authored or produced elsewhere, taken as they are."
    if kind == "extractive":
        return "Answers: made in this run of quotes from the context; no model wrote them."
    model = parts["answerer"].get("model")
    by = f" by {clean(str(model))}" if model else ""
    return f"Answers: generated in this run{by} (live calls; replayed where they were stored)."


def kind(parts: dict[str, Any], port: str) -> str:
    """The adapter at a port, by the name of its module."""
    return str(parts[port]["adapter"]).split(".")[-2]
