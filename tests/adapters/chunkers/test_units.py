"""Settings that contradict each other, and lengths."""

import pytest

from pipeline.adapters.chunkers.units import units
from pipeline.contract.errors import ConfigError
from tests.adapters.chunkers.made import CHUNKERS, chunker


@pytest.mark.parametrize("kind", CHUNKERS)
def test_an_overlap_is_shorter_than_the_chunk(kind: str) -> None:
    with pytest.raises(
        ConfigError, match=r"chunker.overlap: expected less than chunk_size.* got 5"
    ):
        chunker(kind, "words", 5, 5)


@pytest.mark.parametrize("kind", CHUNKERS)
def test_a_model_is_named_where_it_is_the_unit(kind: str) -> None:
    with pytest.raises(ConfigError, match=r"chunker.model: expected a tokenizer's name"):
        chunker(kind, "model", 5, 0)


def test_a_word_is_what_stands_between_white_space() -> None:
    words = units("words", None)
    assert words.measure(["", " ", "one", "one,two  three\n"]) == [0, 0, 1, 2]
    assert words.borders(" one,two  three\n").tolist() == [0, 10, 16]
    assert words.borders("").tolist() == [0]
    assert words.borders(" \n").tolist() == [0, 2]


def test_characters_are_code_points() -> None:
    assert units("characters", None).measure(["e\u0301", "🎈"]) == [2, 1]
