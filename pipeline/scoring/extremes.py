"""Least and greatest value of metrics of characters over what is in dispute.

Each labelled document adds a pair of amounts, (0, 0) where it is not relevant. A metric is a
ratio of linear sums of the pairs, so its extremes lie on corners of the convex hull of what
the sums can be; and the hull of sums comes from hulls.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

Span = tuple[int, int]
Amounts = tuple[int, int]

MOST = 10
"""Readings of one document of which every choice is tried; of more, each alone and all."""


@dataclass(frozen=True)
class Choice:
    """What one labelled document can add.

    Attributes:
        amounts: by each choice of readings, if it is relevant.
        sure: whether it is relevant in every resolution.
        needed: whether it would do as the relevant document that there has to be.
    """

    amounts: set[Amounts]
    sure: bool
    needed: bool


def choices(readings: Sequence[Sequence[Span]]) -> list[list[Span]]:
    """Every union of one reading or more."""
    numbers = range(1, len(readings) + 1) if len(readings) <= MOST else (1, len(readings))
    return [
        united(span for reading in some for span in reading)
        for number in numbers
        for some in combinations(readings, number)
    ]


def extremes(parts: Sequence[Choice], ratio: Callable[[int, int], float]) -> tuple[float, float]:
    """Least and greatest ratio of the sums, one document at least being relevant.

    Args:
        parts: the labelled documents of a question.
        ratio: of the two sums; a quotient of linear functions of them.
    """
    values = [ratio(*sums) for sums in totals(parts)]
    return min(values), max(values)


def totals(parts: Sequence[Choice]) -> list[Amounts]:
    """Corners of what the two sums can be."""
    nothing: list[Amounts] = [(0, 0)]
    without, including = nothing, list[Amounts]()
    for part in parts:
        relevant = list(part.amounts)
        either = relevant if part.sure else [*relevant, *nothing]
        left_out = [] if part.sure else nothing
        including = _sums(including, either) + (_sums(without, relevant) if part.needed else [])
        without = _sums(without, left_out if part.needed else either)
        including, without = corners(including), corners(without)
    return including or without


def _sums(one: Sequence[Amounts], other: Sequence[Amounts]) -> list[Amounts]:
    return [(a + c, b + d) for a, b in one for c, d in other]


def corners(points: Iterable[Amounts]) -> list[Amounts]:
    """Corners of the convex hull of points (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    if len(ordered) <= 2:
        return ordered
    return [*_chain(ordered), *_chain(ordered[::-1])]


def _chain(ordered: Sequence[Amounts]) -> list[Amounts]:
    kept: list[Amounts] = []
    for point in ordered:
        while len(kept) > 1 and _turn(kept[-2], kept[-1], point) <= 0:
            kept.pop()
        kept.append(point)
    return kept[:-1]


def _turn(one: Amounts, two: Amounts, three: Amounts) -> int:
    return (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0])


def united(spans: Iterable[Span]) -> list[Span]:
    """Spans as disjoint ones in order."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def length(spans: Iterable[Span]) -> int:
    """Sum of the lengths of disjoint spans."""
    return sum(end - start for start, end in spans)


def common(one: Sequence[Span], other: Sequence[Span]) -> int:
    """How much two sets of disjoint spans share."""
    return sum(
        max(min(end, last) - max(start, first), 0) for start, end in one for first, last in other
    )
