"""What people say of an item, taken together, and how far they agree."""

from collections import Counter
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any, Literal

import numpy as np

from pipeline.rulings.records import Kind, Ruling, order

DIGITS = 6
"""Decimals kept, fewer than sums on different processors differ in."""


@dataclass(frozen=True)
class Said:
    """The human label of each item that has one, and the items in dispute.

    `means` holds, for grades, the mean of each item's grades.
    """

    labels: dict[str, str]
    disputed: list[str]
    resolved: int
    means: dict[str, float]


def together(rulings: list[Ruling], kind: Kind, resolver: str | None) -> Said:
    """Take people's rulings of one metric together.

    The label of an item is what its people all say; of grades it is their median. Where
    they differ the majority does not win: the item is in dispute, unless the resolver ruled.

    Args:
        rulings: of people, with labels.
        kind: what the labels are.
        resolver: the annotator whose word settles an item, if there is one.
    """
    final = {one.item: str(one.label) for one in rulings if one.annotator == resolver}
    votes = ballots(rulings, resolver)
    labels, disputed = dict(final), []
    for item, said in votes.items():
        if item in final:
            continue
        if kind == "grades":
            labels[item] = repr(float(median(map(float, said)))).removesuffix(".0")
        elif len(set(said)) == 1:
            labels[item] = said[0]
        else:
            disputed.append(item)
    of_grades = {**{item: [label] for item, label in final.items()}, **votes}
    means = (
        {item: fmean(map(float, said)) for item, said in of_grades.items()}
        if kind == "grades"
        else {}
    )
    return Said(labels, disputed, len(final), means)


def ballots(rulings: list[Ruling], resolver: str | None) -> dict[str, list[str]]:
    """The labels of each item, without the resolver's."""
    votes: dict[str, list[str]] = {}
    for one in rulings:
        if one.annotator != resolver:
            votes.setdefault(one.item, []).append(str(one.label))
    return votes


def agreement(rulings: list[Ruling], kind: Kind, resolver: str | None) -> dict[str, Any]:
    """Krippendorff's alpha among people, the resolver apart.

    Returns:
        `annotators`; `items`, and `shared`: those with two labels or more, which alone
        count for alpha; `alpha_nominal`, and for grades `alpha_interval`: at most 1, None
        where nothing is shared or all labels are the same.

    Source: Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability".
    """
    people = {one.annotator for one in rulings} - {resolver}
    votes = ballots(rulings, resolver)
    found: dict[str, Any] = {
        "annotators": len(people),
        "items": len(votes),
        "shared": sum(len(said) > 1 for said in votes.values()),
        "alpha_nominal": _alpha(list(votes.values()), "nominal"),
    }
    if kind == "grades":
        found["alpha_interval"] = _alpha(list(votes.values()), "interval")
    return found


def _alpha(votes: list[list[str]], level: Literal["nominal", "interval"]) -> float | None:
    shared = [said for said in votes if len(said) > 1]
    words = sorted({label for said in shared for label in said}, key=order)
    if len(words) < 2:
        return None
    import krippendorff

    counts = np.array([[Counter(said)[word] for word in words] for said in shared])
    domain = [float(word) for word in words] if level == "interval" else list(range(len(words)))
    alpha = krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level)
    return round(float(alpha), DIGITS)
