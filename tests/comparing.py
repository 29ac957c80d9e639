"""How tests compare where nothing about it is what they test."""

from typing import Any

from pipeline.adapters.trackers.none import Local
from pipeline.settings import Acceptance, Uncertainty

NONE = Acceptance(policy="none")
UNCERTAINTY = Uncertainty(level=0.95, resamples=10_000, difference=0.05, metrics=None, slices=())
COMPARING: dict[str, Any] = {
    "acceptance": NONE,
    "uncertainty": UNCERTAINTY,
    "seed": 7,
    "heldout_budget": None,
    "tracker": Local(),
}
"""Arguments of the stage `compare`, all but the baseline."""
