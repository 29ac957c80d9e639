"""One chunk a document, in code points."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.chunkers.document import Document
from pipeline.contract.spans import chunk_texts
from pipeline.contract.tables import Chunks, check
from tests.adapters.chunkers.made import TEXTS
from tests.adapters.frames import documents


def test_a_document_is_one_chunk_measured_in_code_points() -> None:
    # "né🎈" written with a combining accent: n, e, U+0301, balloon = 4 code points
    frame = documents(["ne\u0301🎈", "x"]).with_columns(version=pl.Series(["v7", None]))
    chunks = check(Chunks, Document().cut(frame))
    assert chunks.rows() == [(0, "d0", 0, "v7", 0, 4), (1, "d1", 1, None, 0, 1)]


@given(st.lists(TEXTS.filter(bool), max_size=12))
def test_any_document_is_its_own_chunk_under_its_own_id(texts: list[str]) -> None:
    frame = documents(texts)
    chunks = check(Chunks, Document().cut(frame))
    assert chunk_texts(chunks, frame) == texts
    assert chunks["chunk_id"].to_list() == frame["doc_id"].to_list()
    assert chunks["chunk"].equals(chunks["doc"])
