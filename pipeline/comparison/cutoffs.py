"""At which cutoffs the rankings of several sides are compared, and where one was not measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from pipeline.contract.metrics import METRICS, RANKED, UNCUT, Metric, at
from pipeline.contract.results import Ranked
from pipeline.contract.sides import Side
from pipeline.contract.tables import read

DOUBLES = tuple(metric for metric in RANKED if metric in METRICS)
"""Metrics that PerQuestion has too, at the cutoff of the visible context."""


@dataclass(frozen=True)
class Cutoffs:
    """The cutoffs that each side was measured at, beside that of its visible context.

    At that one P@k, R@k and RR@k are the values of PerQuestion again: Ranked holds them, a
    comparison does not, or one fall would be listed twice. A name such as `recall@5` means
    `recall` there.

    Attributes:
        sides: by name of each side, its cutoffs rising; () where it was asked for none.
        visible: the cutoff of the visible context; None under a budget, which is no cutoff.
    """

    sides: Mapping[str, tuple[int, ...]]
    visible: int | None = None

    @property
    def shared(self) -> list[int]:
        """The cutoffs that all sides have."""
        return sorted(set.intersection(*map(set, self.sides.values()))) if self.sides else []

    @property
    def missing(self) -> dict[str, list[int]]:
        """By name of a side, the cutoffs that others have and it has not."""
        known = sorted({k for ks in self.sides.values() for k in ks})
        lacking = {name: [k for k in known if k not in ks] for name, ks in self.sides.items()}
        return {name: ks for name, ks in lacking.items() if ks}

    @property
    def same(self) -> dict[str, str]:
        """`recall@5` -> `recall`, and so on, for what PerQuestion has already."""
        if self.visible is None:
            return {}
        return {at(metric, self.visible).name: metric.name for metric in DOUBLES}

    @property
    def compared(self) -> dict[int, list[Metric]]:
        """What is compared at each shared cutoff; AP, which has none, stands under 0.

        Where all sides were asked for cutoffs and share none, AP is all there is.
        """
        if not self.sides or not all(self.sides.values()):
            return {}
        found = {0: [metric for metric in RANKED if metric.name == UNCUT]}
        for k in self.shared:
            found[k] = [m for m in RANKED if m.name != UNCUT and at(m, k).name not in self.same]
        return found

    def document(self) -> dict[str, Any] | None:
        """What comparison.json says of them; None where no side was asked for any."""
        if not any(self.sides.values()):
            return None
        shared = self.shared
        same = {one: other for one, other in self.same.items() if self.visible in shared}
        return {"compared": shared, "missing": self.missing, "same_as": same}


def cutoffs_of(sides: Sequence[Side]) -> Cutoffs:
    """The cutoffs that the sides, which are comparable, were asked for."""
    asked = {side.name: tuple(side.parts.get("cutoffs") or ()) for side in sides}
    return Cutoffs(asked, sides[0].parts["cutoff"])


def rankings(sides: Sequence[Side]) -> pl.DataFrame:
    """Ranked of the sides that were asked for cutoffs; `system` is the side's name.

    Results of older versions have no such table. Where ties alone had a ranking measured,
    nobody asked for it, and it is left out.
    """
    frames = [Ranked.empty()]
    for side in sides:
        if side.parts.get("cutoffs"):
            rows = read(side.folder / "score", Ranked).filter(system=side.system)
            frames.append(rows.with_columns(system=pl.lit(side.name)))
    return pl.concat(frames)
