"""How sure a comparison has to say it is: the settings of intervals and p-values."""

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta


@dataclass(frozen=True)
class Uncertainty:
    """How intervals and p-values of differences are made; keys as in conf/config.yaml."""

    level: Annotated[float, Meta(ge=0.5, lt=1)]
    resamples: Annotated[int, Meta(ge=100, le=1_000_000)]
    difference: Annotated[float, Meta(gt=0, le=1)]
    metrics: tuple[str, ...] | None
    slices: tuple[str, ...]
