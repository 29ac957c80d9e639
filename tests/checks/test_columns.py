import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.checks import columns
from pipeline.checks.columns import Coded, code, lists, pairs, spelt, text_lists

KNOWN = ["a", "b", "c", "d"]
LISTS = st.lists(st.none() | st.lists(st.sampled_from([*KNOWN, "x", "y"]), max_size=6), max_size=8)


@settings(deadline=None)
@given(LISTS, st.integers(1, 7))
def test_codes_are_places_among_the_known_whatever_the_block(
    rows: list[list[str] | None], block: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "BLOCK", block)
        coded = code(rows, KNOWN)
        wanted = [KNOWN.index(one) if one in KNOWN else -1 for row in rows for one in row or ()]
        assert coded.flat.tolist() == wanted
        assert coded.lengths.tolist() == [len(row or ()) for row in rows]
        assert coded.unknown() == [i for i, row in enumerate(rows) if {"x", "y"} & set(row or ())]
        one_unknown = [["x" if one == "y" else one for one in row or ()] for row in rows]
        assert coded.repeating() == [
            i for i, row in enumerate(one_unknown) if len(set(row)) < len(row)
        ]


def test_half_a_surrogate_pair_is_looked_up_as_well() -> None:
    assert code([["a", "\ud800"]], ["a", "b"]).flat.tolist() == [0, -1]
    assert code([["a"]], ["a", "\ud800"]).flat.tolist() == [0]


def test_kept_lists_keep_their_codes() -> None:
    coded = code([["a"], None, ["b", "c"]], KNOWN)
    kept = coded.only(np.array([False, True, True]))
    assert kept.flat.tolist() == [1, 2]
    assert kept.lengths.tolist() == [0, 2]


def test_null_is_not_an_empty_list() -> None:
    column = lists(pl.Series([7, 8, 9]), np.array([2, 0, 0, 1]), [True, True, False, True])
    assert column.to_list() == [[7, 8], [], None, [9]]
    assert text_lists([["b", "a"], None, []]).to_list() == [["b", "a"], None, []]


def test_columns_without_a_row_have_their_type() -> None:
    assert text_lists([]).dtype == pl.List(pl.String)
    assert pairs([]).dtype == pl.List(pl.Struct({"key": pl.String, "value": pl.String}))
    assert Coded(np.empty(0, np.int32), np.empty(0, np.int64)).repeating() == []


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "true"), (False, "false"), (1, "1"), (1.0, "1"), (-0.5, "-0.5"), (1e300, "1e+300"),
     ("1.0", "1.0")],
)  # fmt: skip
def test_a_number_is_spelt_the_same_with_and_without_a_point(value: object, text: str) -> None:
    assert spelt(value) == text  # type: ignore[arg-type]
