from typing import Any

import pytest

from tests.sets import QUESTION, RESPONSE, faults

FAILED = {"system": "A", "question_id": "price", "status": "failed", "error": "timed out"}
UNLABELLED = {**QUESTION, "relevant": ["boats"], "support": None}


def of(**fields: Any) -> list[str]:
    """Faults of the response with these fields."""
    return faults(responses=[{**RESPONSE, **fields}])


def test_a_failed_response_needs_nothing_but_its_error() -> None:
    assert faults(responses=[FAILED]) == []
    assert faults(responses=[{**FAILED, "retrieved": ["boats"]}]) == []


def test_a_citation_of_a_document_that_the_corpus_lacks_is_valid() -> None:
    assert of(claims=[{"claim_id": "nine", "citations": ["elsewhere"]}]) == []


def test_claims_may_be_left_out_only_where_the_set_carries_none() -> None:
    without = {key: RESPONSE[key] for key in ("system", "question_id", "retrieved")}
    assert faults(questions=[UNLABELLED], responses=[without]) == []
    assert faults(responses=[without]) == [
        "responses.jsonl:1: A / price: expected claims, since the set carries claim labels "
        "([]: none were made), got none"
    ]


def test_claims_may_be_left_out_by_a_system_whose_answers_are_all_in_words() -> None:
    worded = {key: RESPONSE[key] for key in ("system", "question_id", "retrieved")}
    worded["answer"] = "Nine [1]."
    assert faults(responses=[worded, {**worded, "repeat": 2}]) == []
    # a system that names its claims once may not fall silent elsewhere
    (fault,) = faults(responses=[worded, {**RESPONSE, "repeat": 2}])
    assert fault.startswith("responses.jsonl:1: A / price: expected claims")
    # nor may one that has no words for some of its answers
    assert len(faults(responses=[worded, {**worded, "repeat": 2, "answer": None}])) == 2


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        (
            {"retrieved": ["Boats", "hours", "x"]},
            "expected documents of the corpus in retrieved, "
            "got 'Boats' at 0 ('boats' is one: differs in case), 'x' at 2",
        ),
        (
            {"retrieved": ["boats", "hours", "boats"]},
            "expected no id twice in retrieved, got 'boats' at 0 and at 2",
        ),
        (
            {"delivered": ["boats", "boats"]},
            "expected no id twice in delivered, got 'boats' at 0 and at 1",
        ),
        (
            {"delivered": ["boats", "nowhere"]},
            "expected documents of the corpus in delivered, got 'nowhere' at 1",
        ),
        (
            {"scores": [1.0]},
            "expected as many scores as retrieved documents, 2, got 1",
        ),
        (
            {"scores": [1.0, float("nan")]},
            "expected a finite number in scores[1], got nan",
        ),
        (
            {"retrieved": None},
            "expected retrieved in a response that did not fail ([]: nothing), got none",
        ),
        ({"error": "odd"}, "expected status failed where an error is given, got ok"),
        (
            {"claims": [{"claim_id": "a", "citations": []}, {"claim_id": "a", "citations": []}]},
            "expected no id twice in claims, got 'a' at 0 and at 1",
        ),
        (
            {"claims": [{"claim_id": "a", "citations": ["x", "x"]}]},
            "expected no id twice in claims[0].citations, got 'x' at 0 and at 1",
        ),
        (
            {"claims": [{"claim_id": " a", "citations": []}]},
            "expected 1 to 256 printable characters without white space at the ends in "
            "claims[0].claim_id, got ' a', which has white space at its ends",
        ),
        (
            {"claims": [{"claim_id": "a", "citations": ["boats "]}]},
            "expected 1 to 256 printable characters without white space at the ends in "
            "claims[0].citations[0], got 'boats ', which has white space at its ends "
            "('boats' is one: differs in white space)",
        ),
        (
            {"claims": [{"claim_id": "a", "citations": [], "text": "\ud800"}]},
            "expected whole characters in claims[0].text, "
            "got the lone surrogate U+D800 at character 0",
        ),
        (
            {"answer": "\ud800"},
            "expected whole characters in answer, got the lone surrogate U+D800 at character 0",
        ),
        ({"attempts": 0}, "expected a whole number from 1 to 4294967295 in attempts, got 0"),
        (
            {"latency_s": 1e308},  # two of them have no finite sum
            "expected a finite number of 0 or more, at most 64 bits, in latency_s, got 1e+308",
        ),
        ({"latency_s": -0.5}, "expected a finite number of 0 or more in latency_s, got -0.5"),
        (
            {"usage": {"input_tokens": -1}},
            "expected a whole number from 0 to 9223372036854775807 in usage.input_tokens, got -1",
        ),
        (
            {"usage": {"output_tokens": 2**63}},
            "expected a whole number from 0 to 9223372036854775807 in usage.output_tokens, "
            "got 9223372036854775808",
        ),
        (
            {"usage": {"cost_usd": float("nan")}},
            "expected a finite number of 0 or more in usage.cost_usd, got nan",
        ),
    ],
)
def test_each_fault_of_a_response_is_named(fields: dict[str, Any], fault: str) -> None:
    assert of(**fields) == [f"responses.jsonl:1: A / price: {fault}"]


def test_an_answer_and_the_words_of_a_claim_may_be_blank() -> None:
    assert of(answer="", claims=[{"claim_id": "nine", "citations": [], "text": " "}]) == []


def test_numbers_may_be_at_their_limits() -> None:
    most = {"input_tokens": 2**63 - 1, "output_tokens": 0, "cost_usd": 0.0}
    assert of(attempts=1, latency_s=0.0, usage=most) == []
    assert of(attempts=2**32 - 1) == []
    assert len(of(attempts=2**32)) == 1


def test_an_unknown_id_that_is_half_a_surrogate_pair_is_named() -> None:
    assert of(retrieved=["boats", "\ud800"]) == [
        "responses.jsonl:1: A / price: expected documents of the corpus in retrieved, "
        r"got '\ud800' at 1"
    ]


def test_two_unknown_ids_are_not_taken_for_one_twice() -> None:
    assert of(retrieved=["x", "y"]) == [
        "responses.jsonl:1: A / price: expected documents of the corpus in retrieved, "
        "got 'x' at 0, 'y' at 1"
    ]


def test_a_failed_response_says_why() -> None:
    assert faults(responses=[{**FAILED, "error": None}]) == [
        "responses.jsonl:1: A / price: expected error where status is failed, got none"
    ]
    assert faults(responses=[{**FAILED, "error": " "}]) == [
        "responses.jsonl:1: A / price: expected error that is not blank, got ' '"
    ]


def test_a_delivered_context_needs_the_ranking_it_is_the_first_of() -> None:
    assert faults(responses=[{**FAILED, "delivered": ["boats"]}]) == [
        "responses.jsonl:1: A / price: expected retrieved beside delivered, got none"
    ]


def test_a_response_to_no_question_is_refused_with_what_comes_near() -> None:
    extra = {**RESPONSE, "question_id": "Price"}
    assert faults(responses=[RESPONSE, extra]) == [
        "responses.jsonl:2: A / Price: expected a question of the set in question_id, "
        "got 'Price' ('price' is one: differs in case)"
    ]


def test_a_second_response_names_the_first() -> None:
    assert faults(responses=[RESPONSE, RESPONSE]) == [
        "responses.jsonl:2: A / price: expected one response a system, repeat and question, "
        "got another, the first is on line 1"
    ]


def test_a_repeat_counts_from_one() -> None:
    assert faults(responses=[RESPONSE, {**RESPONSE, "repeat": 0}]) == [
        "responses.jsonl:2: A / price / repeat 0: expected a whole number from 1 to 4294967295 "
        "in repeat, got 0"
    ]


def test_a_malformed_system_is_refused_on_each_line() -> None:
    other = {**QUESTION, "question_id": "other"}
    responses = [{**RESPONSE, "system": "A ", "question_id": id_} for id_ in ("price", "other")]
    wrong = (
        "expected 1 to 256 printable characters without white space at the ends in system, "
        "got 'A ', which has white space at its ends"
    )
    assert faults(questions=[QUESTION, other], responses=responses) == [
        f"responses.jsonl:1: 'A ' / price: {wrong}",
        f"responses.jsonl:2: 'A ' / other: {wrong}",
    ]


def test_under_the_narrow_rule_claims_and_citations_are_narrow_and_lists_short() -> None:
    claims = [{"claim_id": "Nine", "citations": ["Elsewhere"]}]
    documents = [{"doc_id": f"d{n}", "text": "x"} for n in range(101)]
    question = {"question_id": "price", "text": "?", "relevant": ["d0"]}
    response = {**RESPONSE, "retrieved": [f"d{n}" for n in range(101)], "claims": claims}
    rule = "at most 32 lower-case letters, digits and hyphens, a letter first"
    assert faults(documents, [question], [response], rule="narrow") == [
        "responses.jsonl:1: A / price: expected at most 100 ids in retrieved, got 101",
        f"responses.jsonl:1: A / price: expected {rule} in claims[0].claim_id, got 'Nine'",
        f"responses.jsonl:1: A / price: expected {rule} in claims[0].citations[0], got 'Elsewhere'",
    ]
