"""Pieces between separators, joined."""

import os
from pathlib import Path

import pytest

from pipeline.adapters.chunkers.recursive import Recursive
from pipeline.adapters.chunkers.units import Unit
from pipeline.contract.spans import chunk_texts
from tests.adapters.chunkers.made import WITHOUT_TOKENS, byte_tokenizer
from tests.adapters.frames import documents

DATA = os.environ.get("RAG_ASSAY_DATA")


def cut(text: str, chunk_size: int, overlap: int, unit: Unit = "characters") -> list[str]:
    frame = documents([text])
    return chunk_texts(Recursive(chunk_size, overlap, unit, None).cut(frame), frame)


def test_paragraphs_are_kept_whole_where_they_fit() -> None:
    # "aa bb" (5) and "\n\ncc" (4) fit into 9 together, "\n\ndd" (4) does not
    assert cut("aa bb\n\ncc\n\ndd", 9, 0) == ["aa bb\n\ncc", "dd"]


def test_what_is_too_long_is_cut_before_the_next_finer_separator() -> None:
    # no paragraph, no line: "aaaa" and ". bbb", whose 4 + 5 are more than 6
    assert cut("aaaa. bbb", 6, 0) == ["aaaa", ". bbb"]


def test_a_word_without_a_separator_is_cut_by_code_point() -> None:
    assert cut("abcdefg", 3, 0) == ["abc", "def", "g"]


def test_neighbours_share_whole_pieces_up_to_the_overlap() -> None:
    # pieces "a", " b", " c", " d" of length 1, 2, 2, 2; up to 5 a chunk: "a b c" is full.
    # Of it at most 2 may stay: " c". With " d" that is 4.
    assert cut("a b c d", 5, 2) == ["a b c", "c d"]


def test_white_space_at_the_ends_is_left_out() -> None:
    # before each empty line: "…  a b" of 7, 2 and "…c  " of 5; 7 + 2 do not fit into 8, 2 + 5 do
    assert cut("\n\n  a b\n\n\n\nc  ", 8, 0) == ["a b", "c"]


def test_a_piece_stays_whole_only_if_it_is_shorter_than_a_chunk() -> None:
    # one word is not less than one, so words of one are cut further; of two they are not
    assert cut("ab c", 1, 0, "words") == ["a", "b", "c"]
    assert cut("ab c", 2, 0, "words") == ["ab c"]


@WITHOUT_TOKENS
def test_a_models_special_tokens_count_for_each_piece_and_each_seam(tmp_path: Path) -> None:
    # a token a byte and two special ones: "ab" 4, " cd" 5, " ef" 5, and 2 for each seam
    name, frame = byte_tokenizer(tmp_path), documents(["ab cd ef"])
    for chunk_size, wanted in ((10, ["ab", "cd", "ef"]), (11, ["ab cd", "ef"])):
        chunks = Recursive(chunk_size, 0, "model", name).cut(frame)
        assert chunk_texts(chunks, frame) == wanted


@WITHOUT_TOKENS
@pytest.mark.skipif(DATA is None, reason="needs RAG_ASSAY_DATA")
@pytest.mark.parametrize(
    ("chunk_size", "overlap", "count"),
    [(800, 400, 110), (400, 200, 202), (400, 0, 141), (200, 0, 309)],
)
def test_the_published_settings_give_the_publishers_chunks(
    chunk_size: int, overlap: int, count: int
) -> None:
    # counts of the publisher's own algorithm on three of its five corpora
    folder = Path(DATA or "") / "chunking"
    texts = [file.read_text("utf-8") for file in sorted(folder.glob("*.md"))]
    chunks = Recursive(chunk_size, overlap, "cl100k", None).cut(documents(texts))
    assert (len(texts), len(chunks)) == (3, count)
