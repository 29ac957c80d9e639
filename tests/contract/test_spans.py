"""The text between offsets."""

import polars as pl

from pipeline.contract.spans import chunk_texts, refound
from pipeline.contract.tables import Chunks, Found, check
from tests.adapters.frames import documents


def test_the_text_of_a_chunk_counts_code_points() -> None:
    # "ne\u0301🎈x": n, e, U+0301, balloon, x
    chunks = pl.DataFrame(
        {
            "chunk": [0, 1, 2],
            "chunk_id": ["a", "b", "c"],
            "doc": [1, 0, 0],
            "version": [None] * 3,
            "start": [0, 3, 1],
            "end": [1, 4, 5],
        },
        schema=Chunks.schema,
    )
    assert chunk_texts(chunks, documents(["ne\u0301🎈x", "yz"])) == ["y", "🎈", "e\u0301🎈x"]


def test_a_chunk_is_placed_where_its_text_less_a_full_stop_first_occurs() -> None:
    # "ab. ab. c": the second "ab." is found at 0 and is two long; of a document that is not
    # sought only the length changes
    rows = [(0, 0, 3), (0, 4, 7), (0, 8, 9), (1, 4, 7), (1, 2, 3)]
    chunks = pl.DataFrame(
        {
            "chunk": range(5),
            "chunk_id": list("abcde"),
            "doc": [doc for doc, _, _ in rows],
            "version": [None] * 5,
            "start": [start for _, start, _ in rows],
            "end": [end for _, _, end in rows],
        },
        schema=Chunks.schema,
    )
    found = refound(chunks, documents(["ab. ab. c", "ab. ab. c"]), {0})
    assert check(Found, found).rows() == [(0, 0, 2), (1, 0, 2), (2, 8, 9), (3, 4, 6), (4, 2, 2)]
