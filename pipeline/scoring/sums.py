"""What averages are made of: how often each value is there, and whole sums; blocks add up."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pipeline.contract.metrics import REASONS
from pipeline.scoring.arrays import Ints
from pipeline.scoring.means import Tally, extreme, moments
from pipeline.scoring.reasons import VALUE


@dataclass
class Sums:
    """One metric of one system over one slice. All of it is exact, so order does not matter.

    Attributes:
        macro: questions by their value.
        strict: the same with failures at the worst value.
        low: the same with each value in dispute at its least.
        loose_low: questions that have such a value in some resolutions only.
        high: as `low`, at its greatest.
        loose_high: as `loose_low`.
        reasons: responses by the code of their reason; `VALUE`: they have a value.
        numerator: sum for `pooled`; None: not offered.
        denominator: likewise.
    """

    macro: Tally = field(default_factory=Tally)
    strict: Tally = field(default_factory=Tally)
    low: Tally = field(default_factory=Tally)
    loose_low: Tally = field(default_factory=Tally)
    high: Tally = field(default_factory=Tally)
    loose_high: Tally = field(default_factory=Tally)
    reasons: Ints = field(default_factory=lambda: np.zeros(VALUE + 1, np.int64))
    numerator: int | None = None
    denominator: int | None = None

    def add(self, other: "Sums") -> None:
        """Take in the sums of other questions."""
        for name in TALLIES:
            mine, theirs = getattr(self, name), getattr(other, name)
            if theirs:
                mine.update(theirs)
        self.reasons = self.reasons + other.reasons
        if other.numerator is not None and other.denominator is not None:
            self.numerator = (self.numerator or 0) + other.numerator
            self.denominator = (self.denominator or 0) + other.denominator

    def row(self) -> dict[str, Any]:
        """The averages, as columns of Aggregates."""
        mean, spread = moments(self.macro) if self.macro else (None, None)
        top, bottom = self.numerator, self.denominator
        return {
            "macro": mean,
            "strict": moments(self.strict)[0] if self.strict else None,
            "sd": spread,
            "low": extreme(self.low, self.loose_low, greatest=False),
            "high": extreme(self.high, self.loose_high, greatest=True),
            "n": self.macro.total(),
            "n_values": int(self.reasons[VALUE]),
            "pooled": top / bottom if top is not None and bottom else None,
            "numerator": top,
            "denominator": bottom,
            **{f"na_{reason}": int(self.reasons[code]) for code, reason in enumerate(REASONS)},
        }


TALLIES = ("macro", "strict", "low", "loose_low", "high", "loose_high")
