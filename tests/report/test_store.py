import gzip
import json
from base64 import b64decode
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pipeline.report import store
from pipeline.report.store import Store, Texts


def unpacked(kept: Store) -> list[Any]:
    """All values, block after block, as the page reads them."""
    return [one for block in kept.blocks for one in json.loads(gzip.decompress(b64decode(block)))]


@given(st.lists(st.text(max_size=5), max_size=20))
def test_every_number_names_its_text(texts: list[str]) -> None:
    kept = Texts()
    numbers = [kept.number(text) for text in texts]
    kept.close()
    values = unpacked(kept)
    assert [values[number] for number in numbers] == texts
    assert len(values) == len(set(texts))  # equal ones are kept once


def test_a_block_is_closed_when_it_is_full_and_says_where_it_starts() -> None:
    kept = Store()
    for _ in range(5):
        kept.add("x" * (store.BLOCK // 2))  # two fill a block
    kept.close()
    assert kept.starts == [0, 2, 4]
    assert len(kept.blocks) == 3


def test_a_block_holds_no_time() -> None:
    # bytes 4 to 7 of a gzip stream are the time it was made
    kept = Store()
    kept.add("text")
    kept.close()
    assert b64decode(kept.blocks[0])[4:8] == b"\0\0\0\0"
