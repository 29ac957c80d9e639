"""Slices of the questions: all of them, and those that share the value of an attribute."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from pipeline.scoring.arrays import Bools, Floats, Ints, Lists, starts
from pipeline.scoring.means import extreme, moments


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

    def means(
        self, values: Floats, defined: Bools
    ) -> tuple[Ints, list[float | None], list[float | None]]:
        """Average questions.

        Args:
            values: (questions,) one value each.
            defined: (questions,) whether it has one.

        Returns:
            For each slice how many questions have a value, their mean and their population
            standard deviation; both None where there is none.
        """
        counts = self.lists.sum(defined[self.members])
        kept = values[self.members[defined[self.members]]].tolist()
        ends = starts(counts).tolist()
        found = [
            moments(kept[start:stop]) if stop > start else (None, None)
            for start, stop in pairwise(ends)
        ]
        return counts, [mean for mean, _ in found], [spread for _, spread in found]

    def extremes(
        self, values: Floats, defined: Bools, loose: Bools, *, greatest: bool
    ) -> list[float | None]:
        """Least or greatest average that the labels allow.

        Args:
            values: (questions,) the least or greatest value of each.
            defined: (questions,) whether it has one.
            loose: (questions,) whether it has none in some resolutions, so that it counts
                or not, whichever is more extreme.
            greatest: which end.

        Returns:
            For each slice the mean; None where there is no value at all.
        """
        if not (defined & loose).any():
            return self.means(values, defined)[1]
        found: list[float | None] = []
        for start, stop in pairwise(self.lists.offsets.tolist()):
            here = self.members[start:stop]
            fixed, free = (
                values[here[defined[here] & which[here]]].tolist() for which in (~loose, loose)
            )
            found.append(extreme(fixed, free, greatest=greatest))
        return found


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
