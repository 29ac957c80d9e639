"""Span metrics of one question, worked out by hand."""

from tests.scoring.cases import scored
from tests.scoring.worlds import Asked, Mark, Said, World

TEXT = "0123456789" * 3


def row(
    marks: list[Mark], ranking: list[int], cuts: list[tuple[int, int]], k: int = 2, people: int = 1
) -> dict[str, object]:
    votes = {mark[0] for mark in marks}
    question = Asked(
        "q", relevant={"a": (len(votes), people)}, support={("c", "a"): (len(votes), people)},
        marks=marks,
    )  # fmt: skip
    world = World(
        {"a": None, "b": None}, ["a"] * (len(cuts) - 1) + ["b"], [question],
        [Said("rag", 1, "q", ranking, [])], k, cuts=cuts, texts={"a": TEXT, "b": TEXT},
    )  # fmt: skip
    (found,) = scored(world)
    return found


def mark(start: int, end: int, who: str = "p") -> Mark:
    return (who, "a", "c", (start, end))


THREE = [(0, 10), (10, 20), (20, 30), (0, 30)]
"""Document a in three chunks, document b in one."""


def test_the_four_metrics_count_characters() -> None:
    # G = [5, 15); delivered: chunk [0, 10) and all 30 of document b
    found = row([mark(5, 15)], [0, 3], THREE)
    assert found["span_recall"] == 5 / 10
    assert found["span_precision"] == 5 / 40
    assert found["span_iou"] == 5 / (40 + 5)
    # the chunks that touch G are [0, 10) and [10, 20)
    assert found["precision_omega"] == 10 / 20
    # one chunk of the two is relevant, at rank 1, and the document is reached
    assert (found["precision"], found["reciprocal_rank"], found["recall"]) == (1 / 2, 1.0, 1.0)
    assert (found["hits"], found["context_length"]) == (1, 40)


def test_a_chunk_of_a_relevant_document_without_evidence_is_not_relevant() -> None:
    # G = [5, 8) lies in the first chunk; the third is delivered first
    found = row([mark(5, 8)], [2, 0], THREE)
    assert (found["precision"], found["reciprocal_rank"]) == (1 / 2, 1 / 2)
    found = row([mark(5, 8)], [2, 3, 0], THREE)
    assert (found["precision"], found["reciprocal_rank"], found["recall"]) == (0.0, 0.0, 1.0)
    assert found["causes"] == ["below_cutoff", "false_abstention"]


def test_chunks_that_overlap_count_twice_in_what_was_delivered_and_once_in_what_was_found() -> None:
    cuts = [(0, 20), (10, 30), (0, 30)]
    found = row([mark(12, 18)], [0, 1], cuts)
    assert (found["span_recall"], found["span_precision"]) == (1.0, 6 / 40)
    assert found["precision_omega"] == 6 / 30


def test_by_the_publishers_rule_a_chunk_that_only_touches_counts_as_overlapping() -> None:
    # G = [10, 20) is the second chunk; the publisher adds the first and the third
    found = row([mark(10, 20)], [1], THREE)
    assert found["precision_omega"] == 1.0
    # but every chunk's text is first found at 0, which only touches G at 10
    assert found["precision_omega_publisher"] == 0.0
    assert found["span_recall_publisher"] == 0.0


def test_readings_of_two_annotators_give_bounds() -> None:
    # one marks [0, 4), the other [0, 8): recall of chunk [0, 10) is 1 either way,
    # precision 4/10 to 8/10 of it
    found = row([mark(0, 4, "p"), mark(0, 8, "r")], [0], THREE, people=2)
    assert found["span_recall"] == 1.0
    assert (found["span_precision"], found["span_precision_reason"]) == (None, "unresolved")
    assert (found["span_precision_low"], found["span_precision_high"]) == (4 / 10, 8 / 10)
    assert (found["precision_omega_low"], found["precision_omega_high"]) == (4 / 10, 8 / 10)
    assert found["precision_omega_publisher_reason"] == "unresolved"
    # both mark the same chunk, so that which chunks are relevant is not in dispute
    assert found["precision"] == 1 / 2


def test_where_annotators_mark_different_chunks_their_relevance_is_in_dispute() -> None:
    # first or second chunk: with either one of two delivered chunks, with both both
    found = row([mark(0, 4, "p"), mark(12, 15, "r")], [0, 1], THREE, people=2)
    assert found["precision"] is None
    assert (found["precision_low"], found["precision_high"]) == (1 / 2, 1.0)
    assert (found["reciprocal_rank_low"], found["reciprocal_rank_high"]) == (1 / 2, 1.0)
    assert found["recall"] == 1.0


def test_a_citation_of_a_chunk_has_to_overlap_the_claims_span() -> None:
    cases: dict[str, list[str | int]] = {"right": [0], "other": [2], "unseen": [1], "both": [0, 2]}
    question = Asked("q", relevant={"a": (1, 1)}, support={("c", "a"): (1, 1)}, marks=[mark(5, 8)])
    world = World(
        {"a": None, "b": None}, ["a", "a", "a", "b"], [question],
        [
            Said(name, 1, "q", [0, 2], [("c", cited)])
            for name, cited in cases.items()
        ],
        2, cuts=THREE, texts={"a": TEXT, "b": TEXT},
    )  # fmt: skip
    found = {row["system"]: row for row in scored(world)}
    assert {name: row["support"] for name, row in found.items()} == {
        "right": 1.0, "other": 0.0, "unseen": 0.0, "both": 0.0,
    }  # fmt: skip
    assert found["other"]["causes"] == ["miscited"]
    assert found["unseen"]["causes"] == ["cited_not_visible"]


def test_a_question_without_a_marked_span_has_no_span_metric() -> None:
    found = row([("p", "a", "c", None)], [0], THREE)
    assert (found["span_recall"], found["span_recall_reason"]) == (None, "not_labelled")
    assert found["precision"] == 1 / 2
