"""Marks `[n]` in an answer: what each sentence cites, strictly."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.answerers.marks import MARK, cited

CONTEXT = [40, 7, 23]


def read(answer: str, context: list[int] = CONTEXT) -> list[tuple[str, list[int]]]:
    return [(answer[s["start"] : s["end"]], s["chunks"]) for s in cited(answer, context, "en")]


def test_a_mark_cites_the_chunk_of_that_number() -> None:
    assert read("Cats pay [1]. Dogs walk [3][2].") == [
        ("Cats pay [1].", [40]),
        ("Dogs walk [3][2].", [23, 7]),
    ]


def test_a_number_that_was_not_delivered_is_a_wrong_citation() -> None:
    (found,) = cited("Cats pay [4][0][01][99999999999999999999].", CONTEXT, "en")
    assert found["chunks"] == [-1, -1, -1, -1]
    assert found["marks"] == ["[4]", "[0]", "[01]", "[99999999999999999999]"]
    assert cited("Nothing was sent [1].", [], "en")[0]["chunks"] == [-1]


def test_what_is_not_exactly_a_mark_is_none() -> None:
    for words in ("[1, 2]", "[1-3]", "[ 1 ]", "[a]", "[]", "(1)", "[１]", "[^1]"):
        assert read(f"Cats pay {words}.") == [(f"Cats pay {words}.", [])], words


def test_marks_behind_the_full_stop_belong_to_the_sentence_before() -> None:
    assert read("Cats pay. [1][2] Dogs walk. [3]") == [
        ("Cats pay. [1][2]", [40, 7]),
        ("Dogs walk. [3]", [23]),
    ]


def test_a_mark_counts_once_in_a_sentence() -> None:
    assert read("Cats [2] pay [2].") == [("Cats [2] pay [2].", [7])]


def test_a_sentence_without_marks_cites_nothing() -> None:
    assert read("Cats pay.\n\nDogs walk [1].") == [("Cats pay.", []), ("Dogs walk [1].", [40])]


def test_no_words_are_no_sentence() -> None:
    assert read("") == read(" \n ") == []


@given(st.text(st.sampled_from("ab .!?[]0123\n"), max_size=60))
def test_every_mark_is_read_in_exactly_one_sentence(answer: str) -> None:
    found = cited(answer, CONTEXT, "en")
    for before, after in pairwise(found):
        assert before["end"] <= after["start"]
    inside = [
        at.start()
        for at in MARK.finditer(answer)
        for s in found
        if s["start"] <= at.start() and at.end() <= s["end"]
    ]
    assert inside == [at.start() for at in MARK.finditer(answer)]
    assert all(len(s["chunks"]) == len(s["marks"]) for s in found)
    assert all(answer[s["start"] : s["end"]].strip() for s in found)
