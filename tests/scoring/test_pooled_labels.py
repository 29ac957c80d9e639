"""Judged@k: what people looked at of the first k, against a plain loop and ir_measures."""

from typing import Any

import ir_measures
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import Judged, Qrel, ScoredDoc

from pipeline.contract.tables import CODES, LookedAt, Ranking, Relevance
from pipeline.scoring.pooled_labels import judged_at, summary

DOCS = 6
Lists = list[list[int] | None]


def frames(
    rankings: Lists, looked: list[tuple[int, int]], relevant: list[int], unlabelled: list[int]
) -> tuple[Any, ...]:
    """One system, one repeat; question n has the n-th ranking; each chunk is a document."""
    count = len(rankings)
    ranking = pl.DataFrame(
        {"system": ["A"] * count, "repeat": [1] * count, "question": range(count),
         "chunks": pl.Series(rankings, dtype=CODES), "scores": [None] * count},
        schema_overrides=Ranking.schema,
    )  # fmt: skip
    doc = pl.Series(range(DOCS), dtype=pl.UInt32)
    questions = pl.DataFrame({"labelled": [q not in unlabelled for q in range(count)]})
    relevance = pl.DataFrame(
        [(q, 0, 1, 1, 1.0) for q in relevant], schema=Relevance.schema, orient="row"
    )
    return (
        ranking, doc, questions, relevance,
        pl.DataFrame(sorted(looked), schema=LookedAt.schema, orient="row"),
    )  # fmt: skip


def test_it_divides_by_the_cutoff_and_what_nobody_saw_by_what_came_back() -> None:
    # looked at: 0 and 1. [0, 2, 1], k = 2: 1/2 judged, 1/2 unseen; [1], k = 2: 1/2 and 0/1
    looked = [(0, 0), (0, 1), (1, 0), (1, 1)]
    found = judged_at(*frames([[0, 2, 1], [1]], looked, [0, 1], []), cutoff=2)
    assert found.select("judged", "unseen", "reason").rows() == [(0.5, 0.5, None), (0.5, 0.0, None)]


def test_a_question_that_says_nothing_was_labelled_over_the_whole_corpus() -> None:
    found = judged_at(*frames([[5, 4], [5, 4]], [(1, 0)], [0, 1], []), cutoff=2)
    assert found["judged"].to_list() == [1.0, 0.0]


def test_without_labels_evidence_or_a_ranking_there_is_a_reason_and_no_value() -> None:
    found = judged_at(
        *frames([[0], [0], None, []], [(0, 0), (1, 0), (2, 0), (3, 0)], [2, 3], [0]), cutoff=2
    )
    assert found.select("judged", "unseen", "reason").rows() == [
        (None, None, "not_labelled"), (None, None, "unanswerable"), (None, None, "failed"),
        (0.0, None, None),
    ]  # fmt: skip


def test_the_summary_averages_repeats_before_questions() -> None:
    # question 0: repeats 1 and 0, mean 1/2; question 1: 1, in one repeat only; (1/2 + 1) / 2
    values = pl.DataFrame(
        {"system": ["A"] * 4, "repeat": [1, 1, 2, 2], "question": [0, 1, 0, 1],
         "judged": [1.0, 1.0, 0.0, None], "unseen": [0.0, 0.0, 1.0, None],
         "reason": [None, None, None, "failed"]},
    )  # fmt: skip
    assert summary(values) == {
        "A": {"macro": 0.75, "unseen": 0.25, "n": 2, "n_values": 3, "na": {"failed": 1}}
    }


def test_nothing_to_average_is_none_and_not_zero() -> None:
    values = judged_at(*frames([[0]], [(0, 0)], [], [0]), cutoff=1)
    assert summary(values)["A"]["macro"] is None


orders = st.lists(st.integers(0, DOCS - 1), unique=True)
lists = st.lists(orders, min_size=1, max_size=4)
pairs = st.sets(st.tuples(st.integers(0, 3), st.integers(0, DOCS - 1)), min_size=1)


@settings(deadline=None)
@given(rankings=lists, looked=pairs, cutoff=st.none() | st.integers(1, DOCS + 1))
def test_it_agrees_with_a_plain_loop(
    rankings: Lists, looked: set[tuple[int, int]], cutoff: int | None
) -> None:
    count = len(rankings)
    kept = [(q, doc) for q, doc in looked if q < count]
    found = judged_at(*frames(rankings, kept, list(range(count)), []), cutoff=cutoff)
    for q, (ranked, row) in enumerate(zip(rankings, found.iter_rows(named=True), strict=True)):
        pool = {doc for of, doc in kept if of == q} or set(range(DOCS))
        first = (ranked or [])[: cutoff or DOCS]
        k = cutoff or len(first)
        seen = len(pool & set(first))
        assert row["judged"] == pytest.approx(seen / k if k else 0.0)
        assert row["unseen"] == (pytest.approx(1 - seen / len(first)) if first else None)


@settings(deadline=None)
@given(rankings=lists, looked=pairs, cutoff=st.integers(1, DOCS))
def test_it_is_the_value_of_ir_measures_where_k_came_back(
    rankings: Lists, looked: set[tuple[int, int]], cutoff: int
) -> None:
    full = [order for order in rankings if order is not None and len(order) >= cutoff]
    kept = [(q, doc) for q, doc in looked if q < len(full)]
    if not kept:
        return
    found = judged_at(*frames([*full], kept, list(range(len(full))), []), cutoff=cutoff)
    qrels = [Qrel(str(q), str(doc), 1) for q, doc in kept]
    run = [
        ScoredDoc(str(q), str(doc), float(-rank))
        for q, order in enumerate(full)
        for rank, doc in enumerate(order)
    ]
    for one in ir_measures.iter_calc([Judged @ cutoff], qrels, run):
        assert found["judged"][int(one.query_id)] == pytest.approx(one.value)
