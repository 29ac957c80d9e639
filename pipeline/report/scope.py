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
    ranked, answered = _kind(parts, "retriever"), _kind(parts, "answerer")
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


def judge(side: Side, told: str | None) -> tuple[str, bool]:
    """Say who judged and whether that was checked.

    Args:
        side: whose judge it was; the sides of a comparison share one.
        told: what the comparison says of the judge's validation; None: nothing.

    Returns:
        A sentence, and whether it is a warning.
    """
    if told:
        return clean(told), False
    kind = _kind(side.parts, "judge")
    if kind == "labels":
        return (
            "No model judged: claims and citations are compared with people's labels by rule, "
            "so there is no judge to validate.",
            False,
        )
    if kind == "recorded":
        return (
            "Recorded rulings that came with the set were used as they are. How far they agree "
            "with people was not measured here.",
            True,
        )
    if kind == "human":
        return (
            "People ruled on the answers; where they differ and nobody resolved it, the value is "
            "n/a. Their rulings are as good as their number and their agreement.",
            False,
        )
    model = side.parts["judge"].get("model")
    name = f"The model {clean(str(model))}" if model else f"The judge “{kind}”"
    return f"Unvalidated judge. {name} ruled on the answers, and nobody checked it here.", True


def _answers(kind: str, parts: dict[str, Any]) -> str:
    if kind == "recorded":
        return "Answers: recorded outputs, authored or produced elsewhere, taken as they are."
    if kind == "extractive":
        return "Answers: made in this run of quotes from the context; no model wrote them."
    model = parts["answerer"].get("model")
    by = f" by {clean(str(model))}" if model else ""
    return f"Answers: generated in this run{by} (live calls; replayed where they were stored)."


def _kind(parts: dict[str, Any], port: str) -> str:
    """The adapter at a port, by the name of its module."""
    return str(parts[port]["adapter"]).split(".")[-2]
