"""Slices of the questions: all of them, and those that share the value of an attribute."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from pipeline.scoring.arrays import Bools, Floats, Ints, Lists, starts
from pipeline.scoring.means import Tally, tally


@dataclass(frozen=True)
class Slicing:
    """The slices that one attribute makes.

    Attributes:
        attribute: its key; '' for the one slice that holds all questions.
        values: the value of each slice.
        lists: the questions of each slice.
        members: these questions, slice after slice; as an index.
    """

    attribute: str
    values: list[str]
    lists: Lists
    members: Ints | slice

    def count(self, kinds: Ints, size: int) -> Ints:
        """(repeats, questions) of small codes below `size` -> (slices, size) how many of each."""
        kinds = kinds[:, self.members]
        if len(self.values) == 1:  # no cells are needed, which is several times as fast
            return np.array([[np.count_nonzero(kinds == kind) for kind in range(size)]])
        cells = self.lists.owner * size + kinds
        return np.bincount(cells.ravel(), minlength=len(self.values) * size).reshape(-1, size)

    def sum(self, amounts: Ints) -> Ints:
        """(repeats, questions) of whole numbers -> (slices,) their sums."""
        return self._sum(amounts.sum(axis=0, dtype=np.int64)[self.members])

    def tallies(self, values: Floats, which: Bools) -> list[Tally]:
        """Count equal values in each slice.

        Args:
            values: (questions,) one value each.
            which: (questions,) whether it counts.
        """
        here = which[self.members]
        kept = values[self.members][here]
        ends = starts(self._sum(here)).tolist()
        return [tally(kept[start:stop]) for start, stop in pairwise(ends)]

    def _sum(self, values: Ints | Bools) -> Ints:
        """As `Lists.sum`, several times as fast where lists are long and none is empty."""
        if not len(values):
            return np.zeros(len(self.values), np.int64)
        sums: Ints = np.add.reduceat(values, self.lists.offsets[:-1], dtype=np.int64)
        return sums


def slicings(attributes: pl.Series) -> list[Slicing]:
    """All questions as one slice, and the slices of each attribute; no order is kept.

    Args:
        attributes: (questions,) key-value pairs of each question, no key twice.
    """
    size = len(attributes)
    found = [Slicing("", [""], Lists(np.array([0, size])), np.s_[:])]
    pairs = (
        pl.DataFrame({"question": np.arange(size), "pair": attributes})
        .explode("pair", empty_as_null=False)
        .unnest("pair")
        .sort("value")
    )
    for (key,), of in pairs.group_by("key"):
        runs = of["value"].rle().struct.unnest()
        lists = Lists(starts(runs["len"].to_numpy()))
        found.append(Slicing(str(key), runs["value"].to_list(), lists, of["question"].to_numpy()))
    return found
