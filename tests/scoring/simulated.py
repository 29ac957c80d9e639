"""Made-up experiments whose true difference is known."""

from dataclasses import dataclass

import numpy as np

from pipeline.scoring.arrays import Floats
from pipeline.scoring.difference import Difference
from pipeline.scoring.paired import differences


@dataclass(frozen=True)
class World:
    """Kinds of questions: the share of each, and how often either side has which value."""

    values: tuple[float, ...]
    kinds: tuple[tuple[float, tuple[float, ...], tuple[float, ...]], ...]

    @property
    def truth(self) -> float:
        """The mean delta over all questions that there could be."""
        return float(
            sum(
                share * np.dot(np.subtract(after, before), self.values)
                for share, before, after in self.kinds
            )
        )

    def deltas(self, n: int, repeats: int, experiments: int, seed: int) -> Floats:
        """Draw (repeats, n questions, experiments) deltas of one repeat each."""
        random = np.random.default_rng(seed)
        kind = random.choice(
            len(self.kinds), (n, experiments), p=[share for share, *_ in self.kinds]
        )
        return np.stack(
            [self._side(kind, 2, random) - self._side(kind, 1, random) for _ in range(repeats)]
        )

    def _side(self, kind: np.ndarray, side: int, random: np.random.Generator) -> Floats:
        bounds = np.cumsum([each[side] for each in self.kinds], axis=1)[:, :-1]
        place = (random.random(kind.shape)[..., None] > bounds[kind]).sum(axis=-1)
        found: Floats = np.asarray(self.values)[place]
        return found


TOGETHER = 20

STEADY = (1.0, 0.0, 0.0)
RANKS = (0.0, 0.2, 1 / 3, 0.5, 1.0)

WORLDS = {
    "hits": World(
        (0.0, 1.0),
        ((0.65, (0, 1), (0, 1)), (0.35, (0.6, 0.4), (0.4, 0.6))),
    ),
    "halves": World(
        (0.0, 0.5, 1.0),
        ((0.6, STEADY, STEADY), (0.4, (0.5, 0.3, 0.2), (0.25, 0.25, 0.5))),
    ),
    "ranks": World(
        RANKS,
        (
            (0.7, (0, 0, 0, 0, 1), (0, 0, 0, 0, 1)),
            (0.3, (0.3, 0.1, 0.1, 0.2, 0.3), (0.15, 0.1, 0.1, 0.25, 0.4)),
        ),
    ),
    "mostly gains": World(
        (0.0, 0.5, 1.0),
        (
            (0.8, STEADY, STEADY),
            (0.18, STEADY, (0.0, 0.6, 0.4)),
            (0.02, (0, 0, 1), (0.0, 1.0, 0.0)),
        ),
    ),
    "gains alone": World(
        (0.0, 0.25, 0.5, 1.0),
        ((0.85, (1, 0, 0, 0), (1, 0, 0, 0)), (0.15, (1, 0, 0, 0), (0, 0.45, 0.35, 0.2))),
    ),
    "few losses": World(
        (0.0, 1.0),
        ((0.9, (0, 1), (0, 1)), (0.1, (0, 1), (1, 0))),
    ),
    "nothing but chance": World(
        (0.0, 0.5, 1.0),
        ((0.6, STEADY, STEADY), (0.4, (0.3, 0.3, 0.4), (0.3, 0.3, 0.4))),
    ),
}


def intervals_of(
    deltas: Floats, *, resamples: int = 1_000, clusters: np.ndarray | None = None
) -> list[Difference]:
    """One difference for each experiment of (questions, experiments).

    Experiments with the same draws are off together, so only some at a time have them.
    """
    found = []
    for seed, start in enumerate(range(0, deltas.shape[1], TOGETHER)):
        some = deltas[:, start : start + TOGETHER]
        there = np.ones(some.shape, np.bool_)
        found += differences(some, there, seed=seed, resamples=resamples, clusters=clusters)
    return found


def coverage(found: list[Difference], truth: float) -> float:
    """Share of the intervals that hold the truth."""
    return float(np.mean([d.low <= truth <= d.high for d in found]))  # type: ignore[operator]
