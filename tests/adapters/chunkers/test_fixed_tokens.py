"""Windows of a fixed number of units."""

from pathlib import Path

import pytest

from pipeline.adapters.chunkers.fixed_tokens import FixedTokens
from pipeline.contract.errors import ConfigError
from pipeline.contract.spans import chunk_texts
from tests.adapters.chunkers.made import WITHOUT_TOKENS, byte_tokenizer
from tests.adapters.frames import documents


def cut(text: str, made: FixedTokens) -> list[str]:
    frame = documents([text])
    return chunk_texts(made.cut(frame), frame)


def test_each_window_starts_size_less_overlap_after_the_last() -> None:
    # 10 characters, windows of 4 that share 1: from 0, 3, 6; the third ends the text
    assert cut("0123456789", FixedTokens(4, 1, "characters", None)) == ["0123", "3456", "6789"]


def test_no_window_lies_inside_of_the_last() -> None:
    # 5 characters, windows of 4 that share 3: from 0 and 1; one from 2 would add nothing
    assert cut("01234", FixedTokens(4, 3, "characters", None)) == ["0123", "1234"]


def test_a_word_takes_the_white_space_after_it() -> None:
    assert cut("  one two\nthree", FixedTokens(2, 0, "words", None)) == ["  one two\n", "three"]


def test_a_short_text_is_one_chunk() -> None:
    assert cut("ab", FixedTokens(4, 3, "characters", None)) == ["ab"]


@WITHOUT_TOKENS
def test_a_token_inside_of_a_code_point_moves_the_border_to_its_start() -> None:
    # 漢 and 🎈 are several cl100k tokens each; windows of one token leave each of them whole
    assert cut("a🎈漢b", FixedTokens(1, 0, "cl100k", None)) == ["a", "🎈", "漢", "b"]


@WITHOUT_TOKENS
def test_the_special_tokens_of_a_model_count(tmp_path: Path) -> None:
    # one token a byte and two special ones: 5 leave room for 3
    name = byte_tokenizer(tmp_path)
    assert cut("abcdefg", FixedTokens(5, 0, "model", name)) == ["abc", "def", "g"]
    with pytest.raises(ConfigError, match=r"chunk_size: expected more than overlap and 2 special"):
        cut("abc", FixedTokens(3, 1, "model", name))
