from unittest.mock import patch

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.scoring import arrays
from pipeline.scoring.arrays import Lists, Ragged, everywhere, locate, marked, ratio, starts, within

THREE = Lists(np.array([0, 2, 2, 5]))  # two values, none, three


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def test_lists_know_their_lengths_and_whose_each_value_is() -> None:
    assert len(THREE) == 3
    assert THREE.lengths.tolist() == [2, 0, 3]
    assert THREE.owner.tolist() == [0, 0, 2, 2, 2]


def test_owners_skip_empty_lists_at_both_ends() -> None:
    assert Lists(ints(0, 0, 1, 1)).owner.tolist() == [1]
    assert Lists(ints(0, 0)).owner.tolist() == []
    assert Lists(ints(0)).owner.tolist() == []


def test_sums_are_taken_list_by_list_and_an_empty_list_has_0() -> None:
    assert THREE.sum(ints(1, 2, 3, 4, 5)).tolist() == [1 + 2, 0, 3 + 4 + 5]
    assert THREE.sum(np.array([True, False, True, True, False])).tolist() == [1, 0, 2]
    assert THREE.sum(ints(1, 2, 3, 4, 5)).dtype == np.int64


def test_the_least_value_of_an_empty_list_is_the_one_given() -> None:
    assert THREE.least(ints(5, 4, 9, 7, 8), 99).tolist() == [4, 99, 7]
    assert Lists(ints(0, 0)).least(ints(), 99).tolist() == [99]
    assert Lists(ints(0, 0, 1)).least(ints(3), 99).tolist() == [99, 3]


def test_ragged_takes_a_list_column_and_tells_null_from_empty() -> None:
    column = pl.Series([[1, 2], [], None, [3]], dtype=pl.List(pl.UInt32))
    lists = Ragged.of(column)
    assert lists.offsets.tolist() == [0, 2, 2, 2, 3]
    assert lists.values.tolist() == [1, 2, 3]
    assert lists.given.tolist() == [True, True, False, True]


def test_a_part_of_ragged_lists_starts_anew() -> None:
    lists = Ragged.of(pl.Series([[1, 2], [3], None, [4, 5]], dtype=pl.List(pl.UInt32)))
    part = lists.part(1, 4)
    assert part.offsets.tolist() == [0, 1, 1, 3]
    assert part.values.tolist() == [3, 4, 5]
    assert part.given.tolist() == [True, False, True]


def test_lengths_become_offsets() -> None:
    assert starts(ints(2, 0, 3)).tolist() == [0, 2, 2, 5]
    assert starts(ints()).tolist() == [0]


def test_within_counts_up_from_the_first_place_of_each_list() -> None:
    assert within(ints(10, 20, 30), THREE).tolist() == [10, 11, 30, 31, 32]


def test_a_ratio_over_nothing_is_0() -> None:
    assert ratio(ints(1, 0, 2), ints(2, 0, 3)).tolist() == [1 / 2, 0.0, 2 / 3]


def lists_of(*lists: list[int]) -> Ragged:
    return Ragged.of(pl.Series(lists, dtype=pl.List(pl.Int32)))


def test_locate_finds_a_value_in_its_own_list_only() -> None:
    # positions 0 1 | | 2 3 4
    lists = lists_of([5, 7], [], [7, 5, 9])
    found = locate(lists, ints(0, 0, 1, 2, 2, 2), ints(7, 9, 5, 7, 5, 9))
    assert found.tolist() == [1, -1, -1, 2, 3, 4]


def test_locate_finds_nothing_in_no_list_and_takes_the_first_of_equal_values() -> None:
    lists = lists_of([5, 5], [6])
    assert locate(lists, ints(-1, 0, 1), ints(5, 5, 5)).tolist() == [-1, 0, -1]


def test_a_value_is_found_everywhere_in_its_own_list_only() -> None:
    lists = lists_of([5, 7, 5], [], [7])
    found = everywhere(lists, ints(2, 0, 1, 0), ints(5, 7, 5, 5))
    # 5 is not in the third list, 7 second in the first; nothing in the second; 5 twice
    assert [part.tolist() for part in found] == [[1, 3, 3], [1, 0, 2]]


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 3), max_size=3), max_size=5), st.booleans())
def test_what_is_found_everywhere_is_what_a_search_list_by_list_finds(
    rows: list[list[int]], even: bool
) -> None:
    if even:  # of one length, or without any value
        rows = [(row * 3)[:2] for row in rows]
    owner, member = (grid.ravel() for grid in np.mgrid[: len(rows), :4])
    with patch.object(arrays, "VALUES", 5):  # so that it takes several steps
        index, place = everywhere(lists_of(*rows), owner, member)
    assert list(zip(index.tolist(), place.tolist(), strict=True)) == [
        (index, place)
        for index, (row, value) in enumerate(zip(owner.tolist(), member.tolist(), strict=True))
        for place, other in enumerate(rows[row])
        if other == value
    ]


def test_a_negative_position_is_not_marked() -> None:
    flags = np.array([False, True])
    assert marked(flags, ints(1, 0, -1)).tolist() == [True, False, False]
    assert marked(np.zeros(0, np.bool_), ints(-1, -1)).tolist() == [False, False]
