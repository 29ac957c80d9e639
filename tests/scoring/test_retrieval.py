import numpy as np
import polars as pl
import pytest

from pipeline.scoring.arrays import Ragged
from pipeline.scoring.gold import settle
from pipeline.scoring.retrieval import (
    NEVER,
    NOTHING,
    precision,
    reach,
    recall,
    reciprocal_rank,
    visible,
)
from tests.scoring.cases import asked, one, said


def test_the_context_is_the_first_k_of_each_ranking_padded_past_its_end() -> None:
    ranking = Ragged.of(pl.Series([[4, 5, 6], [7], None], dtype=pl.List(pl.Int32)))
    context = visible(ranking, np.full(3, 2))
    assert context.tolist() == [[4, 7, NOTHING], [5, NOTHING, NOTHING]]
    assert context.dtype == np.int32


def test_precision_divides_by_the_cutoff() -> None:
    assert precision(np.array([0, 1, 2]), np.array([4])).tolist() == [0.0, 1 / 4, 1 / 2]


def test_recall_divides_by_the_relevant_documents() -> None:
    assert recall(np.array([0, 1, 3]), np.array([2, 2, 3])).tolist() == [0.0, 1 / 2, 1.0]


def test_the_reciprocal_rank_counts_ranks_from_1_and_is_0_without_a_hit() -> None:
    assert reciprocal_rank(np.array([0, 1, 3, NEVER])).tolist() == [1.0, 1 / 2, 1 / 4, 0.0]


@pytest.mark.parametrize(
    ("ranking", "cutoff", "values"),
    [
        ("ab", 2, (1 / 2, 1 / 2, 1.0)),  # a is relevant, c is not there
        ("a", 2, (1 / 2, 1 / 2, 1.0)),  # one hit over k = 2, whatever came back
        ("ba", 2, (1 / 2, 1 / 2, 1 / 2)),
        ("bac", 2, (1 / 2, 1 / 2, 1 / 2)),  # c is below the cutoff
        ("bac", 3, (2 / 3, 1.0, 1 / 2)),
        ("bd", 2, (0.0, 0.0, 0.0)),
        ("", 2, (0.0, 0.0, 0.0)),  # nothing retrieved for an answerable question
        ("ca", 1, (1.0, 1 / 2, 1.0)),
    ],
)
def test_retrieval_values_of_a_question_with_relevant_a_and_c(
    ranking: str, cutoff: int, values: tuple[float, float, float]
) -> None:
    row = one(asked("ac", {"x": "ac"}), said(ranking, {}), cutoff)
    assert (row["precision"], row["recall"], row["reciprocal_rank"]) == values


def test_several_chunks_of_a_document_each_count_for_precision_and_once_for_recall() -> None:
    # chunks 0, 1, 2 are of a, 3 of b, 4 of c, 5 of d; relevant are a and b
    chunks = ["a", "a", "a", "b", "c", "d"]
    response = said("", {})
    response.ranking = [4, 0, 2, 3]
    row = one(asked("ab", {"x": "ab"}), response, 3, chunks=chunks)
    assert row["precision"] == 2 / 3  # chunks 0 and 2, of three
    assert row["recall"] == 1 / 2  # a, of a and b
    assert row["reciprocal_rank"] == 1 / 2  # chunk 0 at rank 2
    assert (row["hits"], row["reached"], row["relevant"]) == (2, 1, 2)
    assert row["causes"] == [
        "below_cutoff", "not_used", "false_abstention",
    ]  # fmt: skip


def test_a_lost_ranking_is_no_empty_one() -> None:
    lost = one(asked("a", {"x": "a"}), said(None, {"x": "a"}))
    assert lost["precision"] is lost["recall"] is lost["reciprocal_rank"] is None
    assert {lost[f"{name}_reason"] for name in ("precision", "recall", "support", "coverage")} == {
        "failed"
    }
    assert lost["hits"] is lost["reached"] is lost["supported"] is None
    assert lost["claims"] == 1
    assert lost["causes"] == ["failed"]


def test_reach_says_how_far_each_labelled_document_came() -> None:
    # of a and c: a twice in the context, from rank 0; c below it; of d nothing
    gold = settle(
        np.ones(2, np.bool_),
        {
            "question": np.array([0, 0, 1]),
            "doc": np.array([0, 2, 3]),
            "yes": np.array([1, 1, 1]),
            "votes": np.array([1, 2, 1]),
        },
        {name: np.zeros(0, np.int64) for name in ("question", "claim", "doc", "yes", "votes")},
        np.zeros(0, np.int64),
        "interval",
    )
    ranking = Ragged.of(pl.Series([[0, 0, 1, 2], [1]], dtype=pl.List(pl.Int32)))
    k = np.array([3, 3])
    found = reach(gold, np.array([0, 1]), ranking, k)
    assert found.lists.offsets.tolist() == [0, 2, 3]
    assert found.first.tolist() == [0, NEVER, NEVER]
    assert found.chunks.tolist() == [2, 0, 0]
    assert found.stored.tolist() == [True, True, False]
    assert found.sure.tolist() == [True, False, True]
    assert found.needed.tolist() == [True, True, True]
    assert found.first.dtype == found.chunks.dtype == np.int64
