"""BM25 in Lucene's variant, its ties and what it must not return."""

import math
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.adapters.chunkers.document import Document
from pipeline.adapters.retrievers.bm25 import BM25
from pipeline.contract.errors import ConfigError
from pipeline.contract.tables import Ranking, Responses, check
from tests.adapters.frames import Groups, documents, questions

PLAIN = BM25(1.2, 0.75, None, None, permissions=True)


def ranked(
    made: Any, asked: list[str], texts: list[str], depth: int = 10, access: Groups | None = None,
    callers: Groups | None = None,
) -> pl.DataFrame:  # fmt: skip
    frame = documents(texts, access)
    chunks = Document().cut(frame)
    return check(
        Ranking,
        made.rank(questions(asked, callers), chunks, frame, Responses.empty(), depth),
    )


def found(made: Any, asked: str, texts: list[str], depth: int = 10) -> list[int]:
    [chunks] = ranked(made, [asked], texts, depth)["chunks"].to_list()
    return list(chunks)


def test_the_score_is_lucenes() -> None:
    # N = 3, "fox" in n = 1: idf = ln(1 + 2.5 / 1.5); lengths 2, 4, 3: mean 3
    # tf = 2, length 4: 2 / (2 + 1.2 * (0.25 + 0.75 * 4 / 3)) = 2 / 3.5
    ranking = ranked(PLAIN, ["fox"], ["red dog", "fox den fox den", "a dog barks"])
    assert ranking["chunks"].to_list() == [[1]]
    [[score]] = ranking["scores"].to_list()
    assert score == pytest.approx(math.log(1 + 2.5 / 1.5) * 2 / 3.5, abs=1e-12)


WORDS = st.lists(st.sampled_from(["ab", "cd", "ef", "gh", "ij"]), max_size=8).map(" ".join)


@settings(deadline=None)
@given(texts=st.lists(WORDS, min_size=1, max_size=8), asked=WORDS, k1=st.sampled_from([0.5, 1.2]),
       b=st.sampled_from([0.0, 0.75, 1.0]))  # fmt: skip
def test_it_agrees_with_a_plain_loop(texts: list[str], asked: str, k1: float, b: float) -> None:
    split = [text.split() for text in texts]
    mean = sum(map(len, split)) / len(split)
    wanted = {}
    for at, words in enumerate(split):
        total = 0.0
        for term in asked.split():
            n = sum(term in other for other in split)
            tf = words.count(term)
            if tf:
                idf = math.log(1 + (len(split) - n + 0.5) / (n + 0.5))
                total += idf * tf / (tf + k1 * (1 - b + b * len(words) / mean))
        if total:
            wanted[at] = total
    ranking = ranked(BM25(k1, b, None, None, permissions=True), [asked], texts)
    [chunks], [scores] = ranking["chunks"].to_list(), ranking["scores"].to_list()
    assert dict(zip(chunks, scores, strict=True)) == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    assert chunks == sorted(chunks, key=lambda c: (-scores[chunks.index(c)], c))


def test_a_chunk_without_a_common_term_is_no_hit() -> None:
    assert found(PLAIN, "fox", ["dog", "fox", "", "cat"]) == [1]


@pytest.mark.parametrize("asked", ["", "?!", "unheard of"])
def test_a_question_without_a_known_term_has_an_empty_ranking(asked: str) -> None:
    assert found(PLAIN, asked, ["dog", "fox"]) == []


def test_a_corpus_without_a_term_has_empty_rankings() -> None:
    assert found(BM25(1.2, 0.75, None, "en", permissions=True), "the", ["the", "?!"]) == []


def test_ties_are_in_order_of_chunk_also_at_the_cut() -> None:
    texts = ["dog fox", "fox dog", "cat", "dog fox", "fox fox"]
    assert found(PLAIN, "fox", texts, depth=3) == [4, 0, 1]


def test_stemming_and_stop_words_are_switches() -> None:
    texts = ["the runner", "running shoes", "the shop"]
    assert found(PLAIN, "the runs", texts) == [0, 2]
    assert found(BM25(1.2, 0.75, "english", "en", permissions=True), "the runs", texts) == [1]


def test_what_the_caller_may_not_read_is_held_back_before_the_cut() -> None:
    texts, access = ["fox fox", "fox", "fox dog"], [["hr"], None, ["it"]]
    asked, callers = ["fox", "fox", "fox"], [["it"], [], None]
    held = ranked(PLAIN, asked, texts, 2, access, callers)
    assert held["chunks"].to_list() == [[1, 2], [1], [0, 1]]
    opened = BM25(1.2, 0.75, None, None, permissions=False)
    assert ranked(opened, asked, texts, 2, access, callers)["chunks"].to_list() == [[0, 1]] * 3


@pytest.mark.parametrize(
    ("k1", "b", "key"),
    [
        (0.0, 0.75, "k1"),
        (math.inf, 0.75, "k1"),
        (math.nan, 0.75, "k1"),
        (1.2, -0.1, "b"),
        (1.2, 1.1, "b"),
    ],
)
def test_constants_out_of_range_are_refused(k1: float, b: float, key: str) -> None:
    with pytest.raises(ConfigError, match=rf"conf: retriever.{key}: expected a number"):
        BM25(k1, b, None, None, permissions=True)
