"""Sets of spans `[start, end)`, each set on a line of its own, and how much of them is covered."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from pipeline.scoring.arrays import Bools, Ints

SHIFT = 32
"""Positions are below 2**32, so a line and a position make one number that sorts by both."""


@dataclass(frozen=True)
class Spans:
    """Disjoint spans in order; position p of line i is the number `i << SHIFT | p`."""

    start: Ints
    end: Ints

    @classmethod
    def of(cls, line: Ints, start: Ints, end: Ints) -> Self:
        """Unite spans line by line; those that touch become one, empty ones are left out.

        Args:
            line: (m,) the line of each span, 0 or more.
            start: (m,) its first position.
            end: (m,) the position after its last.
        """
        kept = np.flatnonzero(end > start)
        low, high = _at(line[kept], start[kept]), _at(line[kept], end[kept])
        order = np.argsort(low, kind="stable")
        low, high = low[order], np.maximum.accumulate(high[order])
        fresh = np.ones(len(low), np.bool_)
        fresh[1:] = low[1:] > high[:-1]
        last = np.ones(len(low), np.bool_)
        last[:-1] = fresh[1:]
        return cls(low[fresh], high[last])

    @cached_property
    def line(self) -> Ints:
        """The line of each span."""
        return self.start >> SHIFT

    @cached_property
    def low(self) -> Ints:
        """The first position of each span, counted within its line."""
        return self.start - (self.line << SHIFT)

    @cached_property
    def high(self) -> Ints:
        """The position after the last of each span, counted within its line."""
        return self.end - (self.line << SHIFT)

    def lengths(self, lines: int) -> Ints:
        """(lines,) how many positions of each line are in the set."""
        sizes = (self.end - self.start).astype(np.float64)
        return np.bincount(self.line, weights=sizes, minlength=lines).astype(np.int64)

    def covered(self, line: Ints, start: Ints, end: Ints) -> Ints:
        """(m,) how many positions of each span `[start, end)` of a line are in the set."""
        covered: Ints = self._before(_at(line, end)) - self._before(_at(line, start))
        return covered

    def shared(self, other: "Spans", line: Ints) -> Ints:
        """(lines,) how many positions line i of this set shares with `line[i]` of another."""
        held = other.covered(line[self.line], self.low, self.high)
        return np.bincount(self.line, weights=held, minlength=len(line)).astype(np.int64)

    def touched(self, line: Ints, start: Ints, end: Ints, overlap: int) -> Bools:
        """(m,) whether each span shares at least `overlap` positions with one of the set."""
        long = self.end - self.start >= overlap
        low, high = self.start[long], self.end[long]
        if not len(low):
            return np.zeros(len(line), np.bool_)
        # of the spans that begin early enough the last one reaches farthest
        at = np.searchsorted(low, _at(line, end) - overlap, side="right") - 1
        far = high[np.maximum(at, 0)] >= _at(line, start) + overlap
        touched: Bools = (at >= 0) & far & (end - start >= overlap)
        return touched

    @cached_property
    def _sums(self) -> Ints:
        return np.concatenate([[0], np.cumsum(self.end - self.start)])

    def _before(self, position: Ints) -> Ints:
        """How much of the set lies before a position, lines before it included."""
        if not len(self.start):
            return np.zeros(len(position), np.int64)
        at = np.searchsorted(self.start, position, side="right") - 1
        inside = np.minimum(position, self.end[at]) - self.start[at]
        before: Ints = np.where(at >= 0, self._sums[at] + inside, 0)
        return before


def _at(line: Ints, position: Ints) -> Ints:
    at: Ints = line.astype(np.int64) << SHIFT | position.astype(np.int64)
    return at
