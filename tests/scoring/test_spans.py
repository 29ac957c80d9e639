"""Sets of spans against sets of numbers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pipeline.scoring.arrays import Ints
from pipeline.scoring.spans import Spans

Triple = tuple[int, int, int]
triples = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 12), st.integers(0, 6)).map(
        lambda found: (found[0], found[1], found[1] + found[2])
    ),
    max_size=8,
)


def columns(found: list[Triple]) -> tuple[Ints, Ints, Ints]:
    line, start, end = np.array(found, np.int64).reshape(-1, 3).T
    return line, start, end


def positions(found: list[Triple]) -> set[tuple[int, int]]:
    return {(line, at) for line, start, end in found for at in range(start, end)}


@given(triples, triples)
def test_covered_counts_the_positions_that_both_have(
    held: list[Triple], asked: list[Triple]
) -> None:
    spans = Spans.of(*columns(held))
    wanted = [len(positions(held) & positions([span])) for span in asked]
    assert spans.covered(*columns(asked)).tolist() == wanted
    assert spans.lengths(3).tolist() == [
        len({at for row, at in positions(held) if row == line}) for line in range(3)
    ]


@given(triples, triples, st.permutations([0, 1, 2]))
def test_shared_counts_what_a_line_has_in_common_with_the_line_it_is_held_against(
    one: list[Triple], other: list[Triple], line: list[int]
) -> None:
    found = Spans.of(*columns(one)).shared(Spans.of(*columns(other)), np.array(line))
    assert found.tolist() == [
        len(
            {at for row, at in positions(one) if row == mine}
            & {at for row, at in positions(other) if row == theirs}
        )
        for mine, theirs in enumerate(line)
    ]


@given(triples)
def test_spans_are_disjoint_in_order_and_do_not_touch(held: list[Triple]) -> None:
    spans = Spans.of(*columns(held))
    assert (spans.start < spans.end).all()
    assert (spans.end[:-1] < spans.start[1:]).all()


@given(triples, triples, st.integers(1, 4))
def test_touched_needs_that_many_positions_of_one_united_span(
    held: list[Triple], asked: list[Triple], overlap: int
) -> None:
    spans = Spans.of(*columns(held))
    united = [
        {(int(a >> 32), at) for at in range(int(a & 0xFFFFFFFF), int(b & 0xFFFFFFFF))}
        for a, b in zip(spans.start, spans.end, strict=True)
    ]
    wanted = [any(len(one & positions([span])) >= overlap for one in united) for span in asked]
    assert spans.touched(*columns(asked), overlap).tolist() == wanted


def test_a_position_of_four_thousand_million_keeps_its_line() -> None:
    last = np.array([2**32 - 1])
    spans = Spans.of(np.array([1]), last - 10, last)
    assert spans.covered(
        np.array([1, 2]), np.array([0, 0]), np.array([2**32 - 1] * 2)
    ).tolist() == [10, 0]
