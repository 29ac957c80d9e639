from typing import Any

import pytest

from pipeline.checks.labels import carries_claims
from pipeline.contract.records import Question
from tests.sets import QUESTION, RESPONSE, faults, part

PLAIN = {key: QUESTION[key] for key in ("question_id", "text")}
NINE = {"doc_id": "boats", "claim_id": "nine", "annotator": "ada"}


def of(carries: bool | str = "auto", **fields: Any) -> list[str]:
    """Faults of a question with these labels and no others."""
    return faults(questions=[{**PLAIN, **fields}], responses=[], claims=carries)


@pytest.mark.parametrize(
    "labels",
    [
        {"relevant": ["boats"], "support": {"nine": ["boats"]}, "claims": {"nine": "Nine."}},
        {"relevant": ["boats", "hours"], "support": {"nine": ["boats"]}},
        {"relevant": [], "support": {}},
        {"relevant": []},
        {"relevant": ["boats"]},
        {"evidence": [NINE], "claims": {"nine": "Nine.", "ten": "Ten."}},
        {"evidence": [{"doc_id": "boats"}]},
        {"evidence": [{"doc_id": "boats", "grade": 0}], "annotators": ["ada"]},
        {"annotators": ["ada"]},
        {"annotators": ["ada"], "evidence": []},
        {"relevant": ["boats"], "support": {"nine": ["boats"]}, "evidence": [NINE]},
        {"relevant": [], "support": {}, "evidence": [{"doc_id": "boats", "grade": 0}]},
        {},
    ],
)
def test_labels_that_agree_are_good(labels: dict[str, Any]) -> None:
    assert of(**labels) == []


@pytest.mark.parametrize(
    ("labels", "fault"),
    [
        (
            {"relevant": ["boats", "Hours", "x"]},
            "expected documents of the corpus in relevant, "
            "got 'Hours' at 1 ('hours' is one: differs in case), 'x' at 2",
        ),
        (
            {"relevant": ["boats", "boats"]},
            "expected no id twice in relevant, got 'boats' at 0 and at 1",
        ),
        (
            {"relevant": ["boats"], "support": {"nine": ["boats", "boats"]}},
            "expected no id twice in support.nine, got 'boats' at 0 and at 1",
        ),
        (
            {"relevant": ["boats"], "support": {"nine": []}},
            "expected a document or more in support.nine, got none",
        ),
        (
            {"relevant": ["boats"], "support": {"nine": ["hours"]}},
            "expected only documents that are in relevant in support.nine, got 'hours'",
        ),
        (
            {"relevant": ["boats"], "support": {"": ["boats"]}},
            "expected 1 to 256 printable characters without white space at the ends in support, "
            "got an empty text",
        ),
        (
            {"relevant": ["boats"], "support": {}},
            "expected support beside relevant documents (the set carries claim labels), got none",
        ),
        (
            {"relevant": [], "support": {"nine": ["boats"]}},
            "expected no claims in support where relevant is empty, got 'nine'",
        ),
        ({"support": {"nine": ["boats"]}}, "expected relevant beside support, got none"),
        ({"support": {}}, "expected relevant beside support, got none"),
        (
            {"relevant": ["boats"], "support": {"nine": ["boats"]}, "claims": {"ten": "Ten."}},
            "expected texts only of claims that are in support, got 'ten'",
        ),
        (
            {"relevant": ["boats"], "support": {"nine": ["boats"]}, "claims": {"nine": " "}},
            "expected claims.nine that is not blank, got ' '",
        ),
        (
            {"claims": {"nine": "Nine."}},
            "expected labels beside claims (relevant, evidence or annotators), got none",
        ),
        (
            {"evidence": []},
            "expected relevant or annotators beside an empty evidence, got neither",
        ),
        (
            {"relevant": ["hours"], "evidence": [{"doc_id": "boats"}]},
            "expected evidence[0] on a document that is in relevant, got 'boats'",
        ),
        (
            {"relevant": ["boats"], "support": {"ten": ["boats"]}, "evidence": [NINE]},
            "expected evidence[0] on a document that is in support of its claim, "
            "got 'boats' for 'nine'",
        ),
    ],
)
def test_each_fault_of_labels_is_named(labels: dict[str, Any], fault: str) -> None:
    assert of(**labels) == [f"questions.jsonl:1: price: {fault}"]


def test_unknown_support_is_named_with_its_claim() -> None:
    assert of(relevant=["boats"], support={"nine": ["boats ", "boats"]}) == [
        "questions.jsonl:1: price: expected documents of the corpus in support.nine, "
        "got 'boats ' at 0 ('boats' is one: differs in white space)",
        "questions.jsonl:1: price: expected only documents that are in relevant in support.nine, "
        "got 'boats '",
    ]


def test_a_declared_set_with_claims_needs_them_on_every_answerable_question() -> None:
    wanted = "expected support beside relevant documents (the set carries claim labels), got none"
    assert of(relevant=["boats"], carries=True) == [f"questions.jsonl:1: price: {wanted}"]
    assert of(relevant=["boats"], carries=False) == []


def test_votes_for_a_document_need_a_vote_for_a_claim_where_the_set_carries_claims() -> None:
    marks = [{"doc_id": "boats"}, {**NINE, "grade": 0}]
    assert of(evidence=marks) == [
        "questions.jsonl:1: price: expected a claim_id in one piece of evidence or more "
        "(the set carries claim labels), got none"
    ]


def test_a_list_may_hold_100_ids_under_the_narrow_rule() -> None:
    documents = [{"doc_id": f"d{n}", "text": "x"} for n in range(101)]
    question = {**PLAIN, "relevant": [f"d{n}" for n in range(101)]}
    response = {**RESPONSE, "system": "A", "retrieved": [], "claims": []}
    assert faults(documents, [question], [response], rule="narrow") == [
        "questions.jsonl:1: price: expected at most 100 ids in relevant, got 101"
    ]
    assert faults(documents, [question], [response]) == []


@pytest.mark.parametrize(
    ("labels", "carries"),
    [
        ({"relevant": ["boats"]}, False),
        ({"relevant": [], "support": {}}, True),
        ({"evidence": [{"doc_id": "boats"}]}, False),
        ({"evidence": [NINE]}, True),
    ],
)
def test_a_set_carries_claims_when_any_question_has_some(
    labels: dict[str, Any], carries: bool
) -> None:
    plain = {"question_id": "other", "text": "?", "relevant": []}
    questions = part([plain, {**PLAIN, **labels}], Question, "f")
    assert carries_claims(questions, "auto") is carries
    assert carries_claims(questions, True) is True
    assert carries_claims(questions, False) is False
