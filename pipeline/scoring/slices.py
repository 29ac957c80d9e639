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
        members: these questions, slice after slice.
    """

    attribute: str
    values: list[str]
    lists: Lists
    members: Ints

    def count(self, kinds: Ints, size: int) -> Ints:
        """(repeats, questions) of small codes below `size` -> (slices, size) how many of each."""
        cells = self.lists.owner * size + kinds[:, self.members]
        return np.bincount(cells.ravel(), minlength=len(self.values) * size).reshape(-1, size)

    def sum(self, amounts: Ints) -> Ints:
        """(repeats, questions) of whole numbers -> (slices,) their sums."""
        return self.lists.sum(amounts.sum(axis=0)[self.members])

    def tallies(self, values: Floats, which: Bools) -> list[Tally]:
        """Count equal values in each slice.

        Args:
            values: (questions,) one value each.
            which: (questions,) whether it counts.
        """
        here = which[self.members]
        kept = values[self.members[here]]
        ends = starts(self.lists.sum(here)).tolist()
        return [tally(kept[start:stop]) for start, stop in pairwise(ends)]


def slicings(attributes: pl.Series) -> list[Slicing]:
    """All questions as one slice, and the slices of each attribute; no order is kept.

    Args:
        attributes: (questions,) key-value pairs of each question, no key twice.
    """
    size = len(attributes)
    found = [Slicing("", [""], Lists(np.array([0, size])), np.arange(size))]
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
