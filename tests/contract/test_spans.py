"""The text between offsets."""

import polars as pl

from pipeline.contract.spans import chunk_texts
from pipeline.contract.tables import Chunks
from tests.adapters.frames import documents


def test_the_text_of_a_chunk_counts_code_points() -> None:
    # "ne\u0301🎈x": n, e, U+0301, balloon, x
    chunks = pl.DataFrame(
        {
            "chunk": [0, 1, 2],
            "chunk_id": ["a", "b", "c"],
            "doc": [1, 0, 0],
            "start": [0, 3, 1],
            "end": [1, 4, 5],
        },
        schema=Chunks.schema,
    )
    assert chunk_texts(chunks, documents(["ne\u0301🎈x", "yz"])) == ["y", "🎈", "e\u0301🎈x"]
