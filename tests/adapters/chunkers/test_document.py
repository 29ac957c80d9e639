"""One chunk a document, in code points."""

import polars as pl

from pipeline.adapters.chunkers.document import Document
from pipeline.contract.tables import Chunks, check


def test_a_document_is_one_chunk_measured_in_code_points() -> None:
    # "né🎈" written with a combining accent: n, e, U+0301, balloon = 4 code points
    documents = pl.DataFrame(
        {"doc": [0, 1], "doc_id": ["a", "b"], "text": ["ne\u0301🎈", "x"]},
        schema={"doc": pl.UInt32, "doc_id": pl.String, "text": pl.String},
    )
    chunks = check(Chunks, Document().cut(documents))
    assert chunks.rows() == [(0, "a", 0, 0, 4), (1, "b", 1, 0, 1)]
