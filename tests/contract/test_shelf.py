import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.checks.columns import code
from pipeline.contract import shelf as shelves
from pipeline.contract.records import Response, shelved
from pipeline.contract.shelf import Ids, Shelf, plain

IDS = st.sampled_from(["a", "b", "c", "", "ä", "\ud800", "日本"])
LISTS = st.lists(st.lists(IDS, max_size=4), max_size=12)


@settings(deadline=None)
@given(LISTS, st.integers(1, 9), st.integers(1, 9))
def test_what_was_put_is_read_however_it_is_packed(
    lists: list[list[str]], packed: int, settled: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shelves, "PACKED", packed)
        patch.setattr(shelves, "SETTLED", settled)
        shelf = Shelf()
        kept = [shelf.put(list(ids)) for ids in lists]
        assert [ids.list() for ids in kept] == lists
        assert [len(ids) for ids in kept] == [len(ids) for ids in lists]
        assert len(shelf.codes) == sum(map(len, lists))


def test_what_is_put_after_reading_is_read_as_well() -> None:
    shelf = Shelf()
    first = shelf.put(["b", "a"])
    assert first == ["b", "a"]
    second = shelf.put(["a", "c"])
    assert list(second) == ["a", "c"]
    assert first == ["b", "a"]
    assert shelf.codes[1] == shelf.codes[2]  # one code for one id


def test_a_kept_list_reads_as_the_list_it_was() -> None:
    shelf = Shelf()
    empty, ids = shelf.put([]), shelf.put(["x", "y", "z"])
    assert not empty
    assert empty == []
    assert ids[1] == "y"
    assert ids[:2] == ["x", "y"]
    assert ids != ["x", "y"]
    assert ids == ["x", "y", "z"]
    assert "z" in ids
    assert ids == Shelf().put(["x", "y", "z"])
    assert repr(ids) == "['x', 'y', 'z']"
    assert ids != 3


def test_an_empty_list_before_an_odd_one_stays_empty() -> None:
    shelf = Shelf()  # both start at place 0
    empty, odd = shelf.put([]), shelf.put(["\ud800", "a"])
    assert (empty.list(), odd.list()) == ([], ["\ud800", "a"])
    assert shelf.odd == {0: ["\ud800", "a"]}


def test_lists_of_several_shelves_in_any_order_are_looked_up() -> None:
    one, other = Shelf(), Shelf()
    rows = [one.put(["a"]), one.put(["b", "x"]), other.put(["b", "\ud800"]), other.put(["a"])]
    # places among a, b: a 0, b 1, others -1
    assert code([*rows, ["b"], None], ["a", "b"]).flat.tolist() == [0, 1, -1, 1, -1, 0, 1]
    turned = code([rows[3], rows[1], rows[0], rows[2]], ["a", "b"])
    assert turned.flat.tolist() == [0, 1, -1, 0, 1, -1]
    assert turned.lengths.tolist() == [1, 2, 1, 2]
    assert [(ids.first, ids.stop) for ids in rows] == [(0, 1), (1, 3), (0, 2), (2, 3)]


def test_a_shelved_response_is_written_and_compared_as_before() -> None:
    row = Response("A", "q1", retrieved=["d2", "d1"], delivered=[])
    kept = shelved(row, Shelf())
    assert isinstance(kept.retrieved, Ids)
    assert kept == row
    assert shelved(Response("A", "q1"), Shelf()) == Response("A", "q1")
    assert msgspec.json.encode(kept, enc_hook=plain) == msgspec.json.encode(row)


def test_nothing_else_is_written_by_the_way() -> None:
    with pytest.raises(NotImplementedError, match="no way to encode complex"):
        msgspec.json.encode(1j, enc_hook=plain)
