"""Whole sentences, joined."""

from pipeline.adapters.chunkers.sentence import WINDOW, Sentence, sentences
from pipeline.contract.spans import chunk_texts
from tests.adapters.frames import documents


def cut(text: str, chunk_size: int, overlap: int) -> list[str]:
    frame = documents([text])
    return chunk_texts(Sentence(chunk_size, overlap, "words", None, "en").cut(frame), frame)


def test_sentences_are_joined_while_they_fit() -> None:
    # 2 + 2 words make 4; the third sentence has 3
    assert cut("One two. Three four. Five six seven.", 4, 0) == [
        "One two. Three four.",
        "Five six seven.",
    ]


def test_an_abbreviation_ends_no_sentence() -> None:
    assert cut("Dr. Smith left. He went home.", 3, 0) == ["Dr. Smith left.", "He went home."]


def test_neighbours_share_whole_sentences_up_to_the_overlap() -> None:
    # 2 words a sentence, 4 a chunk, 2 of them shared
    assert cut("One two. Three four. Five six.", 4, 2) == [
        "One two. Three four.",
        "Three four. Five six.",
    ]


def test_a_sentence_longer_than_a_chunk_is_cut_and_its_rest_joined_to_the_next() -> None:
    assert cut("One two three four five. Six.", 2, 0) == ["One two", "three four", "five. Six."]


def test_windows_do_not_show_in_the_sentences() -> None:
    # 15 code points each, so that windows end inside of sentences
    text = "It is so, Dr. X. " * (3 * WINDOW // 17)
    found = [text[start:end] for start, end in sentences(text, "en")]
    assert set(found) == {"It is so, Dr. X. "}


def test_a_sentence_longer_than_a_window_comes_in_parts_without_a_gap() -> None:
    text = "a" * (2 * WINDOW + 5)
    assert list(sentences(text, "en")) == [
        (0, WINDOW),
        (WINDOW, 2 * WINDOW),
        (2 * WINDOW, 2 * WINDOW + 5),
    ]
