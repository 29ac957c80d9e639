"""Least and greatest ratios of sums, against trying everything."""

from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from pipeline.scoring.extremes import Choice, choices, common, corners, extremes, length, united

amounts = st.tuples(st.integers(0, 6), st.integers(0, 6)).map(lambda p: (p[0], p[0] + p[1] + 1))
parts = st.lists(
    st.builds(
        Choice, st.sets(amounts, min_size=1, max_size=4), sure=st.booleans(), needed=st.booleans()
    ),
    min_size=1,
    max_size=4,
)


def tried(parts: list[Choice]) -> list[Fraction]:
    """Every ratio of sums in which a document that would do is relevant."""
    found = []
    for chosen in product(*([*part.amounts] + [None] * (not part.sure) for part in parts)):
        if any(one and part.needed for one, part in zip(chosen, parts, strict=True)):
            top, bottom = (sum(one[side] for one in chosen if one) for side in (0, 1))
            found.append(Fraction(top, bottom))
    return found


@given(parts)
def test_the_extremes_are_those_of_every_choice(parts: list[Choice]) -> None:
    values = tried(parts)
    if values:
        wanted = float(min(values)), float(max(values))
        assert extremes(parts, lambda top, bottom: float(Fraction(top, bottom))) == wanted


def test_a_document_in_dispute_counts_or_not_but_one_that_would_do_has_to() -> None:
    # a: 1 of 2 and sure; b: 3 of 3, in dispute: 1/2 without it, 4/5 with it
    a, b = Choice({(1, 2)}, sure=True, needed=True), Choice({(3, 3)}, sure=False, needed=True)
    assert extremes([a, b], lambda top, bottom: top / bottom) == (1 / 2, 4 / 5)
    # alone it has to count
    assert extremes([b], lambda top, bottom: top / bottom) == (1.0, 1.0)


def test_every_union_of_readings_is_a_choice() -> None:
    assert choices([[(0, 2)], [(1, 4)]]) == [[(0, 2)], [(1, 4)], [(0, 4)]]
    many = choices([[(at, at + 1)] for at in range(0, 24, 2)])
    assert len(many) == 12 + 1  # more than ten: each alone, and all


def test_united_spans_are_disjoint_and_shared_lengths_add_up() -> None:
    assert united([(3, 5), (0, 2), (2, 3), (7, 9)]) == [(0, 5), (7, 9)]
    assert length([(0, 5), (7, 9)]) == 7
    assert common([(0, 5), (7, 9)], [(4, 8)]) == 2  # 4 and 7


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=8))
def test_corners_hold_the_extremes_of_every_direction(points: list[tuple[int, int]]) -> None:
    for a, b in product(range(-3, 4), repeat=2):
        assert max(a * x + b * y for x, y in corners(points)) == max(
            a * x + b * y for x, y in points
        )
