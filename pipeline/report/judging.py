"""Who judged, whether people checked it, and what its rates and their changes come to then."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.contract.sides import Side
from pipeline.contract.spelling import clean
from pipeline.contract.validity import standing, unlabelled, ways_out
from pipeline.report.scope import kind
from pipeline.scoring.proportions import Estimate, change

YES = {
    "deflection": "the answer deflects",
    "eligibility": "the answer addresses what is asked for",
    "expected": "the claim is one that is expected",
    "supported": "the passage supports the claim",
    "factual_relevant": "what relevant passages make of a sentence",
    "factual_all": "what all passages make of a sentence",
}
"""What a judge says yes to, by the kind of its rulings."""

PEOPLE = (
    "People ruled on the answers; where they differ and nobody resolved it, the value is n/a. "
    "Their rulings are as good as their number and their agreement."
)
LABELS = (
    "No model judged: claims and citations are compared with people's labels by rule, so there "
    "is no judge to validate."
)
RECORDED = (
    "Recorded rulings that came with the set were used as they are. How far they agree with "
    "people was not measured here."
)


@dataclass(frozen=True)
class Rate:
    """One kind of ruling on one side.

    Attributes:
        meaning: what yes means; None: not known.
        raw: the judge's share of yes, None: none, over `n` items.
        corrected: the share that people would find, with its interval; None: no labels.
        change: of the corrected share against the baseline's; None: it is the baseline, or
            one of the two is n/a.
        turned: whether the raw change goes the other way.
        kappa: agreement with people; `tpr` and `tnr`: share of people's yes, and of their no,
            that the judge calls so. None: n/a.
        labelled: items with a label of people, out of `ruled`; `disputed` ones are not used.
    """

    metric: str
    meaning: str | None
    side: str
    raw: float | None
    n: int
    corrected: Estimate | None
    change: Estimate | None
    turned: bool
    kappa: float | None
    tpr: float | None
    tnr: float | None
    labelled: int
    ruled: int
    disputed: int
    failed: int


@dataclass(frozen=True)
class Judging:
    """What the page says of the judge.

    Attributes:
        says: who judged, in a sentence or two, and whether that `warns`.
        rates: by kind of ruling and side; empty where nobody labelled anything.
        missing: kinds of rulings that nobody labelled, where some are.
        commands: what draws items for people to label.
        stale: labels on words that no side has.
    """

    says: str
    warns: bool
    rates: list[Rate]
    missing: list[str]
    commands: list[str]
    stale: int

    @property
    def turned(self) -> list[Rate]:
        """Rates whose change goes the other way than the judge alone says."""
        return [rate for rate in self.rates if rate.turned]


def judging(sides: Sequence[Side], found: dict[str, Any] | None) -> Judging:
    """Say who judged, and what people make of it.

    Args:
        sides: the baseline first; they share a judge.
        found: the judge's entry in the comparison; None: no judge ruled, or people did.
    """
    says, warns = _says(sides[0], found)
    if found is None:
        return Judging(says, warns, [], [], [], 0)
    names = [side.name for side in sides]
    return Judging(
        says=says,
        warns=warns,
        rates=_rates(names, found) if found["labels"] else [],
        missing=[clean(metric) for metric in unlabelled(found, names)] if found["labels"] else [],
        commands=[clean(command) for command in ways_out(found)],
        stale=found["stale"],
    )


def _says(side: Side, found: dict[str, Any] | None) -> tuple[str, bool]:
    if found and found["labels"]:
        held = standing(found["judge"], found["labels"], found["annotators"], [])
        return clean(f"Judge {held}."), False
    what = kind(side.parts, "judge")
    if what in ("labels", "human"):
        return (LABELS if what == "labels" else PEOPLE), False
    if what == "recorded":
        return RECORDED, True
    model = side.parts["judge"].get("model")
    name = f"The model {clean(str(model))}" if model else f"The judge “{clean(what)}”"
    return f"Unvalidated judge. {name} ruled on the answers, and nobody checked it here.", True


def _rates(names: list[str], found: dict[str, Any]) -> list[Rate]:
    kinds = sorted({metric for name in names for metric in found["sides"][name]["metrics"]})
    return [
        _rate(metric, name, found["sides"][name]["metrics"][metric], base)
        for metric in kinds
        for base in [found["sides"][names[0]]["metrics"].get(metric)]
        for name in names
        if metric in found["sides"][name]["metrics"]
    ]


def _rate(metric: str, name: str, of: dict[str, Any], base: dict[str, Any] | None) -> Rate:
    moved = None if base is None or base is of else _change(base, of)
    raw = None if moved is None or base is None else of["raw"]["value"] - base["raw"]["value"]
    return Rate(
        metric=clean(metric),
        meaning=YES.get(metric),
        side=clean(name),
        raw=of["raw"]["value"],
        n=of["raw"].get("n", 0),
        corrected=_estimate(of),
        change=moved,
        turned=moved is not None and raw is not None and (moved.value or 0) * raw < 0,
        **{key: of[key]["value"] for key in ("kappa", "tpr", "tnr")},
        labelled=of["common"],
        **{key: of[key] for key in ("ruled", "disputed", "failed")},
    )


def _change(base: dict[str, Any], of: dict[str, Any]) -> Estimate | None:
    before, after = _estimate(base), _estimate(of)
    return change(before, after) if before and after else None


def _estimate(of: dict[str, Any]) -> Estimate | None:
    found = of["powered"]
    return None if found["value"] is None else Estimate(found["value"], found["low"], found["high"])
