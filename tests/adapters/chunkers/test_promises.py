"""What every chunker promises for any document."""

from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.contract.spans import chunk_texts
from pipeline.contract.tables import Chunks, check
from tests.adapters.chunkers.made import CHUNKERS, TEXTS, UNITS, byte_tokenizer, chunker
from tests.adapters.frames import documents

SLOWLY = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
MEGABYTE = 1_000_000
LONG_LINES = {
    "letters": "a" * MEGABYTE,
    "Han without spaces": "漢字。" * (MEGABYTE // 3),
    "emoji": "👩\u200d👩\u200d👧!" * (MEGABYTE // 6),
    "combining marks": "e\u0301" * (MEGABYTE // 2),
    "words": "Dr. X saw it. " * (MEGABYTE // 14),
    "white space": " \n" * (MEGABYTE // 2),
}


def kept(kind: str, texts: list[str], chunks: pl.DataFrame) -> None:
    """Check the promises, in the words of the chunkers' docstrings."""
    frame = documents(texts)
    check(Chunks, chunks)
    assert chunks["chunk"].to_list() == list(range(len(chunks)))
    rows = chunks.select("doc", "start", "end").rows()
    assert rows == sorted(rows), "not in order of document and start"
    assert len(set(rows)) == len(rows), "one chunk twice"
    assert chunks["chunk_id"].to_list() == [f"d{doc}#{start}-{end}" for doc, start, end in rows]
    covered = [bytearray(len(text)) for text in texts]
    for (doc, start, end), text in zip(rows, chunk_texts(chunks, frame), strict=True):
        assert 0 <= start < end <= len(texts[doc]), "outside of the document, or empty"
        assert texts[doc][start:end] == text
        covered[doc][start:end] = b"\1" * (end - start)
    assert {doc for doc, _, _ in rows} == {doc for doc, text in enumerate(texts) if text}
    for text, marks in zip(texts, covered, strict=True):
        left = "".join(c for c, mark in zip(text, marks, strict=True) if not mark)
        assert left.strip() == "" if kind != "fixed_tokens" else left == ""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    pytest.importorskip("tokenizers")
    return byte_tokenizer(tmp_path_factory.mktemp("model"))


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("kind", CHUNKERS)
@SLOWLY
@given(texts=st.lists(TEXTS, max_size=12), chunk_size=st.integers(1, 12), data=st.data())
def test_any_document_is_covered_by_exact_spans(
    kind: str, unit: str, texts: list[str], chunk_size: int, data: Any, request: Any
) -> None:
    overlap = data.draw(st.integers(0, chunk_size - 1))
    named = request.getfixturevalue("model") if unit == "model" else None
    special = 2 if unit == "model" else 0  # they count, so there has to be room for more
    made = chunker(kind, unit, chunk_size + special, overlap, named)
    kept(kind, texts, made.cut(documents(texts)))


@pytest.mark.parametrize("unit", ["words", UNITS[2]])
@pytest.mark.parametrize("kind", CHUNKERS)
@pytest.mark.parametrize("text", LONG_LINES.values(), ids=LONG_LINES)
def test_a_line_of_a_megabyte_is_covered_too(kind: str, unit: str, text: str) -> None:
    kept(kind, [text], chunker(kind, unit, 200, 20).cut(documents([text])))


@pytest.mark.parametrize("kind", CHUNKERS)
def test_repeated_text_keeps_its_own_offsets(kind: str) -> None:
    # "Same line." is 10 long, with its line end 11: it begins at 0, 11, 22
    chunks = chunker(kind, "characters", 11, 0).cut(documents(["Same line.\n" * 3]))
    assert chunks["start"].to_list() == [0, 11, 22]


@pytest.mark.parametrize("kind", CHUNKERS)
def test_a_blank_document_has_a_chunk_and_an_empty_one_has_none(kind: str) -> None:
    chunks = chunker(kind, "words", 5, 0).cut(documents([" \n\t ", "", "x"]))
    assert chunks.select("doc", "start", "end").rows() == [(0, 0, 4), (2, 0, 1)]


@pytest.mark.parametrize("kind", CHUNKERS)
def test_a_chunk_records_document_version_and_offsets(kind: str) -> None:
    frame = documents(["One. Two.", "One."]).with_columns(version=pl.Series(["v2", None]))
    chunks = chunker(kind, "characters", 5, 0).cut(frame)
    assert set(chunks.select("doc", "version").iter_rows()) == {(0, "v2"), (1, None)}


@pytest.mark.parametrize("kind", CHUNKERS)
def test_a_cut_is_the_same_every_time(kind: str) -> None:
    texts = ["One. Two. Three four five six.", "Seven\n\neight."]
    made = chunker(kind, "words", 3, 1)
    assert made.cut(documents(texts)).equals(made.cut(documents(texts)))
