from typing import Any

import pytest

from pipeline.contract.metrics import BASIC, METRICS, REASONS
from tests.scoring.cases import asked, one, said
from tests.scoring.worlds import Asked

ANSWERABLE, UNANSWERABLE = asked("a", {"c": "a"}), asked()
UNLABELLED = Asked("q", labelled=False)
SPLIT = Asked("q", relevant={"a": (1, 2)}, support={("c", "a"): (1, 2)})
"""Two annotators: for one the question is answerable, for the other it is not."""


def reasons(row: dict[str, Any]) -> dict[str, str | None]:
    """Reasons of the metrics of documents and claims; no span is labelled here."""
    return {metric.name: row[f"{metric.name}_reason"] for metric in BASIC}


def expect(row: dict[str, Any], **some: str | None) -> None:
    found = reasons(row)
    assert found == {**found, **some}


def test_the_order_of_precedence_is_the_contracts() -> None:
    assert REASONS == (
        "not_labelled", "unanswerable", "answerable", "unresolved", "failed", "judge_failed",
        "no_claims",
    )  # fmt: skip


def test_without_labels_nothing_has_a_value() -> None:
    for response in (said("a", {"c": "a"}), said("a", failed=True), said("a", {}, judged=False)):
        row = one(UNLABELLED, response)
        assert set(reasons(row).values()) == {"not_labelled"}
        assert row["population"] == "not_labelled"
        assert row["hits"] is row["reached"] is row["supported"] is None
    assert one(UNLABELLED, said("a", {"c": "a"}))["claims"] == 1


def test_unanswerable_comes_before_failed() -> None:
    row = one(UNANSWERABLE, said(None, failed=True))
    retrieval = dict.fromkeys(("precision", "recall", "reciprocal_rank"), "unanswerable")
    expect(row, **retrieval, coverage="unanswerable", false_abstention="unanswerable")
    expect(row, support="failed", abstention="failed")
    assert row["status"] == "failed"


def test_a_failed_answer_keeps_the_values_of_its_stored_ranking() -> None:
    row = one(ANSWERABLE, said("ba", failed=True))
    assert (row["precision"], row["recall"], row["reciprocal_rank"]) == (1 / 2, 1.0, 1 / 2)
    expect(row, precision=None, support="failed", coverage="failed", false_abstention="failed")
    assert (row["claims"], row["supported"], row["hits"]) == (None, None, 1)
    assert row["causes"] == ["failed"]


def test_a_failed_answer_without_a_ranking_has_no_value() -> None:
    row = one(ANSWERABLE, said(None, failed=True))
    assert set(reasons(row).values()) == {"failed", "answerable"}
    expect(row, abstention="answerable", recall="failed")


def test_an_answer_that_the_judge_failed_on_keeps_what_needs_no_judge() -> None:
    row = one(ANSWERABLE, said("a", {"c": "a"}, judged=False))
    assert row["recall"] == 1.0
    expect(row, support="judge_failed", coverage="judge_failed", false_abstention="judge_failed")
    assert row["status"] == "judge_failed"
    assert row["claims"] is None
    assert row["causes"] == ["judge_failed"]


def test_a_failed_answer_is_not_the_judges_failure() -> None:
    row = one(ANSWERABLE, said("a", failed=True, judged=False))
    expect(row, support="failed", coverage="failed", false_abstention="failed")
    assert row["status"] == "failed"
    assert row["causes"] == ["failed"]


def test_silence_leaves_support_without_a_value() -> None:
    row = one(ANSWERABLE, said("a", {}))
    expect(row, support="no_claims", coverage=None, false_abstention=None)
    assert row["status"] == "ok"


@pytest.mark.parametrize("question", [asked("a"), UNANSWERABLE])
def test_a_set_without_claim_labels_has_no_support_and_no_coverage(question: Asked) -> None:
    row = one(question, said("a", {"c": "a"}), with_claims=False)
    expect(row, support="not_labelled", coverage="not_labelled")
    assert row["supported"] is None
    assert row["abstention"] == (None if question.relevant else 0.0)
    assert row["false_abstention"] == (0.0 if question.relevant else None)


def test_an_answer_without_a_record_of_claims_says_nothing_of_silence() -> None:
    row = one(asked("a"), said("a", None), with_claims=False)
    expect(row, abstention="not_labelled", false_abstention="not_labelled", recall=None)
    assert row["causes"] == []
    assert one(asked("a"), said("a", None))["support_reason"] == "not_labelled"
    assert one(asked("a"), said("a", None))["coverage_reason"] == "not_labelled"


def test_a_question_that_is_answerable_for_some_only_is_unresolved() -> None:
    row = one(SPLIT, said("a", {"c": "a"}))
    assert row["population"] == "unresolved"
    assert set(reasons(row).values()) == {"unresolved"}
    # over the resolution in which there is a value
    assert (row["recall_low"], row["recall_high"]) == (1.0, 1.0)
    assert (row["precision_low"], row["precision_high"]) == (1 / 2, 1 / 2)
    assert (row["coverage_low"], row["coverage_high"]) == (1.0, 1.0)
    assert (row["abstention_low"], row["abstention_high"]) == (0.0, 0.0)
    assert (row["false_abstention_low"], row["false_abstention_high"]) == (0.0, 0.0)
    # supported where the question is answerable, unsupported where it is not
    assert (row["support_low"], row["support_high"]) == (0.0, 1.0)


def test_unresolved_comes_before_failed_and_then_has_no_bounds() -> None:
    row = one(SPLIT, said(None, failed=True))
    expect(row, recall="unresolved", coverage="unresolved", abstention="unresolved")
    # with or without evidence the system failed
    expect(row, support="failed")
    bounds = [row[f"{metric.name}_{end}"] for metric in METRICS for end in ("low", "high")]
    assert set(bounds) == {None}


def test_a_dispute_that_cannot_change_the_value_leaves_it_alone() -> None:
    # b may be relevant, but is not retrieved: precision and rank stand, recall does not
    question = Asked("q", relevant={"a": (2, 2), "b": (1, 2)}, support={("c", "a"): (2, 2)})
    row = one(question, said("a", {"c": "a"}))
    assert (row["precision"], row["reciprocal_rank"], row["recall"]) == (1 / 2, 1.0, None)
    assert (row["recall_low"], row["recall_high"]) == (1 / 2, 1.0)
    assert row["precision_low"] is row["precision_high"] is None
    assert (row["support"], row["coverage"]) == (1.0, 1.0)


def test_excluding_disputed_values_leaves_no_bounds() -> None:
    question = Asked("q", relevant={"a": (2, 2), "b": (1, 2)}, support={("c", "a"): (2, 2)})
    row = one(question, said("a", {"c": "a"}), policy="exclude")
    assert (row["recall"], row["recall_reason"]) == (None, "unresolved")
    assert row["recall_low"] is row["recall_high"] is None
    assert row["precision"] == 1 / 2
