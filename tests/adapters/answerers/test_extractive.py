"""Answers made of quotes: the sentences that cover most of a question, or none."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import log
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.answerers.asking import ENGLISH
from pipeline.adapters.answerers.extractive import LOST, Extractive
from pipeline.adapters.answerers.passages import Corpus
from pipeline.adapters.chunkers.document import Document
from pipeline.adapters.chunkers.fixed_tokens import FixedTokens
from pipeline.adapters.retrievers.terms import analysis
from pipeline.contract.errors import ConfigError
from pipeline.contract.tables import Answers, Ranking, Responses, Usage, check
from pipeline.settings.adapters import adapter
from tests.adapters.frames import documents, questions

PLAIN = Extractive(
    sentences=2,
    longest=1000,
    threshold=0.1,
    within=0.0,
    title=0.0,
    around=0.0,
    stemmer=None,
    stop_words=None,
    language="en",
)
Quotes = list[tuple[int, int, int]] | None


def rankings(rows: Sequence[tuple[str, int, list[int] | None]]) -> pl.DataFrame:
    made = [
        {"system": system, "repeat": 1, "question": question, "chunks": chunks, "scores": None}
        for system, question, chunks in rows
    ]
    return pl.DataFrame(made, schema=Ranking.schema)


def answered(
    asked: list[str],
    texts: list[str],
    contexts: Sequence[tuple[str, int, list[int] | None]],
    answerer: Extractive = PLAIN,
    chunker: Any = None,
    titles: Sequence[str | None] | None = None,
) -> pl.DataFrame:
    docs = documents(texts)
    if titles:
        docs = docs.with_columns(title=pl.Series(titles, dtype=pl.String))
    chunks = (chunker or Document()).cut(docs)
    ranked = rankings(contexts)
    answers, usage = answerer.answer(questions(asked), chunks, docs, ranked, Responses.empty())
    assert check(Usage, usage).select(answers.columns[:3]).equals(ranked.select(Ranking.key))
    return check(Answers, answers)


def quoted(answers: pl.DataFrame) -> list[Quotes]:
    return [
        None if row is None else [(q["chunk"], q["start"], q["end"]) for q in row]
        for row in answers["quotes"].to_list()
    ]


def said(answers: pl.DataFrame, texts: list[str]) -> list[list[str]]:
    """The quoted words of each answer, where a chunk is a document."""
    return [[texts[c][a:b] for c, a, b in row or []] for row in quoted(answers)]


TEXTS = [
    "Dogs are carried. Cats pay two coins. Birds are free.",
    "Boats leave at eight. Cats stay.",
]


def test_the_sentences_that_cover_most_of_the_question_are_quoted_best_first() -> None:
    answers = answered(["cats pay coins"], TEXTS, [("rag", 0, [1, 0])])
    # `cats pay two coins` has three of three terms, `cats stay` the most frequent one of them
    assert said(answers, TEXTS) == [["Cats pay two coins.", "Cats stay."]]
    assert answers["answer"].to_list() == ["Cats pay two coins. [2] Cats stay. [1]"]
    assert answers["context"].to_list() == [[1, 0]]
    assert answers.select("status", "error", "context_recorded").rows() == [("ok", None, True)]


def test_a_score_is_the_share_of_the_questions_idf_and_an_unknown_term_is_the_rarest() -> None:
    # two chunks; n(cats) = 2: ln(1 + 0.5/2.5), n(pay) = 1: ln(1 + 1.5/1.5), n(zebra) = 0:
    # ln(1 + 2.5/0.5). `Cats pay two coins` covers the first two.
    cats, pay, zebra = log(1.2), log(2), log(6)
    share = (cats + pay) / (cats + pay + zebra)
    for threshold, count in ((share - 1e-9, 1), (share + 1e-9, 0)):
        answerer = replace(PLAIN, threshold=threshold)
        answers = answered(["cats pay zebra"], TEXTS, [("rag", 0, [0])], answerer)
        assert len(said(answers, TEXTS)[0]) == count


def test_below_the_threshold_it_abstains_without_words_and_without_failing() -> None:
    answers = answered(["zebra of the moon", ""], TEXTS, [("rag", 0, [0, 1]), ("rag", 1, [0, 1])])
    assert quoted(answers) == [[], []]
    assert answers["answer"].to_list() == [None, None]
    assert answers["status"].to_list() == ["ok", "ok"]


def test_without_a_term_of_the_question_nothing_is_quoted_even_at_threshold_zero() -> None:
    answerer = replace(PLAIN, threshold=0.0, title=1.0, around=1.0)
    answers = answered(["zebra"], ["No such animal."], [("rag", 0, [0])], answerer, None, ["Zebra"])
    assert quoted(answers) == [[]]


def test_a_term_of_the_title_or_of_the_rest_of_the_chunk_counts_its_part() -> None:
    texts = ["Cats pay two coins. Dogs pay nine.", "Cats pay two coins. Dogs pay nine."]
    asked, contexts = ["harbour dogs"], [("rag", 0, [0, 1])]
    titles = [None, "Harbour fares"]
    # harbour is in no chunk: ln(1 + 2.5/0.5); dogs in both: ln(1 + 0.5/2.5)
    harbour, dogs = log(6), log(1.2)
    share = (0.5 * harbour + dogs) / (harbour + dogs)
    for threshold, wanted in ((share - 1e-9, [[(1, 20, 34)]]), (share + 1e-9, [[]])):
        answerer = replace(PLAIN, threshold=threshold, title=0.5)
        assert quoted(answered(asked, texts, contexts, answerer, None, titles)) == wanted
    # cats stand elsewhere in the chunk of `Dogs pay nine.`
    both = replace(PLAIN, sentences=1, threshold=0.7, around=0.5)
    assert said(answered(["cats dogs"], texts, contexts, both), texts) == [["Cats pay two coins."]]


def test_an_answer_does_not_depend_on_what_was_asked_before() -> None:
    texts, titles = ["Cats pay two coins."], ["Zebra line"]
    answerer = replace(PLAIN, threshold=0.5, title=1.0)
    alone = answered(["zebra cats"], texts, [("rag", 0, [0])], answerer, None, titles)
    contexts = [("rag", 0, [0]), ("rag", 1, [0])]
    later = answered(["cats", "zebra cats"], texts, contexts, answerer, None, titles)
    # one chunk, so cats weigh ln(4/3) and zebra, only in the title, ln 4: 0.29 of 1.67 alone
    assert quoted(alone) == [[(0, 0, 19)]]
    assert quoted(later)[1] == quoted(alone)[0]


def test_what_falls_short_of_the_best_quote_is_left_out() -> None:
    answers = answered(["cats pay coins"], TEXTS, [("rag", 0, [0, 1])], replace(PLAIN, within=0.9))
    assert said(answers, TEXTS) == [["Cats pay two coins."]]


def test_equal_scores_go_by_rank_and_then_by_place() -> None:
    texts = ["Cats run. Cats sleep.", "Cats eat."]
    answerer = replace(PLAIN, sentences=3)
    answers = answered(["cats"], texts, [("rag", 0, [1, 0]), ("x", 0, [0, 1])], answerer)
    assert said(answers, texts) == [
        ["Cats eat.", "Cats run.", "Cats sleep."],
        ["Cats run.", "Cats sleep.", "Cats eat."],
    ]


def test_chunks_that_share_words_do_not_make_the_same_quote_twice() -> None:
    text = "Dogs stay. Cats pay two coins. Birds are free."
    chunker = FixedTokens(chunk_size=7, overlap=5, unit="words", model=None)
    answers = answered(["cats pay coins"], [text], [("rag", 0, [0, 1])], PLAIN, chunker)
    assert [text[a:b] for _, a, b in (quoted(answers)[0] or [])] == ["Cats pay two coins."]


def test_words_that_only_ask_count_for_nothing() -> None:
    texts = ["How much is said here. Parking costs two coins."]
    answerer = replace(PLAIN, sentences=1, stop_words="en", stemmer="english")
    answers = answered(["How much does parking cost?"], texts, [("rag", 0, [0])], answerer)
    assert said(answers, texts) == [["Parking costs two coins."]]
    assert all(word.islower() and word.isalpha() for word in ENGLISH)


def test_a_long_sentence_is_quoted_by_line() -> None:
    table = "Route one   £5\nRoute two   £7\r\nRoute three £9"  # 15 + 16 + 14 code points
    for longest, wanted in ((44, "Route two   £7"), (45, table)):
        answerer = replace(PLAIN, sentences=1, longest=longest)
        answers = answered(["two"], [table], [("rag", 0, [0])], answerer)
        assert said(answers, [table]) == [[wanted]]


def test_without_a_ranking_there_is_no_answer_and_that_is_no_abstention() -> None:
    answers = answered(["cats"], TEXTS, [("A", 0, None), ("B", 0, [1])])
    assert answers["status"].to_list() == ["failed", "ok"]
    assert answers["error"].to_list() == [LOST, None]
    assert quoted(answers)[0] is None
    assert answers["system"].to_list() == ["A", "B"]


def test_an_empty_context_is_an_abstention() -> None:
    assert quoted(answered(["cats"], TEXTS, [("rag", 0, [])])) == [[]]


def test_nothing_asked_is_nothing_answered() -> None:
    assert len(answered([], TEXTS, [])) == 0
    assert len(answered([], [], [])) == 0


def test_offsets_count_code_points_of_the_document() -> None:
    text = "🛳🛳 Fähre zuerst. Żółw płaci dwa."
    answers = answered(["żółw"], [text], [("rag", 0, [0])])
    assert said(answers, [text]) == [["Żółw płaci dwa."]]


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("sentences", 0, "a whole number, 1 or more"),
        ("threshold", 1.5, "a number from 0 to 1"),
        ("within", float("nan"), "a number from 0 to 1"),
        ("title", -0.1, "a number from 0 to 1"),
        ("stop_words", "de", "one of en"),
    ],
)
def test_a_field_out_of_range_is_refused(field: str, value: Any, expected: str) -> None:
    target = {"_target_": "pipeline.adapters.answerers.extractive.Extractive"}
    fields = {**target, **vars(PLAIN), field: value}
    with pytest.raises(ConfigError, match=f"conf: answerer.{field}: expected {expected}"):
        adapter("answerer", {"answerer": fields})


word = st.sampled_from(["cat", "dog", "owl", "fee", "bay"])
sentence = st.lists(word, min_size=1, max_size=4).map(lambda words: f"{' '.join(words)}. ")
text = st.lists(sentence, min_size=1, max_size=4).map("".join)


@given(
    st.lists(text, min_size=1, max_size=3),
    st.lists(word, max_size=3).map(" ".join),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.4, 0.9]),
    st.sampled_from([0.0, 0.8]),
    st.data(),
)
def test_what_is_quoted_is_what_a_plain_search_finds(
    texts: list[str], asked: str, most: int, threshold: float, within: float, data: st.DataObject
) -> None:
    chunker = FixedTokens(chunk_size=6, overlap=3, unit="words", model=None)
    docs = documents(texts)
    chunks = chunker.cut(docs)
    context = data.draw(st.permutations(range(len(chunks))))[:3]
    answerer = replace(PLAIN, sentences=most, threshold=threshold, within=within, around=0.5)
    answers = answered([asked], texts, [("rag", 0, context)], answerer, chunker)
    found = quoted(answers)[0] or []

    # every sentence of the context with its score, by sets of words alone
    words = [
        set(texts[d][a:b].replace(".", " ").split())
        for d, a, b in chunks["doc", "start", "end"].rows()
    ]
    count = len(words)
    idf = {}
    for term in dict.fromkeys(asked.split()):
        n = sum(term in having for having in words)
        idf[term] = log(1 + (count - n + 0.5) / (n + 0.5))
    corpus = Corpus.of(chunks, docs, analysis(None, None), language="en", longest=1000, ignored=())
    every = []
    for rank, code in enumerate(context):
        for (start, end), _ in corpus.chunk(code).sentences:
            own = set(texts[chunks["doc"][code]][start:end].replace(".", " ").split())
            got = sum(
                weight * (1 if term in own else 0.5 * (term in words[code]))
                for term, weight in idf.items()
            )
            if own & idf.keys() and got / sum(idf.values()) >= threshold - 1e-12:
                every.append((round(-got / sum(idf.values()), 9), rank, start, end, code))
    best = sorted(every)
    wanted: list[tuple[int, int, int]] = []
    for lost, _, start, end, code in best:
        clash = any(
            chunks["doc"][c] == chunks["doc"][code] and a < end and start < b for c, a, b in wanted
        )
        if len(wanted) < most and not clash and -lost >= within * -best[0][0] - 1e-9:
            wanted.append((code, start, end))
    assert found == wanted
    for one, other in combinations(found, 2):
        same = chunks["doc"][one[0]] == chunks["doc"][other[0]]
        assert not (same and one[1] < other[2] and other[1] < one[2])
