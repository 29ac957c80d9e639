from typing import Any

import pytest

from pipeline.checks.documents import document_table
from pipeline.contract.records import Document
from pipeline.contract.tables import Documents, check
from tests.sets import DOCUMENTS, faults, part


def of(**fields: Any) -> list[str]:
    """Faults of a third document, `extra`, with these fields."""
    return faults([*DOCUMENTS, {"doc_id": "extra", "text": "More.", **fields}])


def test_a_good_corpus_has_no_fault() -> None:
    assert of(title="", date="2024-05", provider="w", version="1", access_groups=[]) == []
    assert of(attributes={"blank": "", "least": -(2**63) + 1, "most": 2**63 - 1}) == []


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"text": None}, "expected text, got none"),
        ({"text": " \u200b"}, r"expected text that is not blank, got ' \u200b'"),
        (
            {"text": "a\ud800"},
            "expected whole characters in text, got the lone surrogate U+D800 at character 1",
        ),
        (
            {"title": "\udfff"},
            "expected whole characters in title, got the lone surrogate U+DFFF at character 0",
        ),
        ({"date": "May"}, "expected an ISO 8601 date in date, got 'May'"),
        (
            {"version": ""},
            "expected 1 to 256 printable characters without white space at the ends in version, "
            "got an empty text",
        ),
        (
            {"access_groups": ["staff", ""]},
            "expected 1 to 256 printable characters without white space at the ends in "
            "access_groups[1], got an empty text",
        ),
        (
            {"access_groups": ["staff", "hr", "staff"]},
            "expected no id twice in access_groups, got 'staff' at 0 and at 2",
        ),
        (
            {"attributes": {" ": "x"}},
            "expected the name of an attribute that is not blank, got ' '",
        ),
        (
            {"attributes": {"n": float("nan")}},
            "expected a finite number of at most 64 bits in attributes.n, got nan",
        ),
        (
            {"attributes": {"n": 2**63}},
            "expected a finite number of at most 64 bits in attributes.n, got 9223372036854775808",
        ),
    ],
)
def test_each_fault_of_a_document_is_named(fields: dict[str, Any], fault: str) -> None:
    assert of(**fields) == [f"documents.jsonl:3: extra: {fault}"]


def test_an_id_twice_names_both_lines() -> None:
    assert faults([*DOCUMENTS, {"doc_id": "hours", "text": "Again."}]) == [
        "documents.jsonl:3: hours: expected each doc_id once, got it again, first on line 1"
    ]


def test_a_malformed_id_is_refused_by_the_rubrics_rule() -> None:
    assert faults([*DOCUMENTS, {"doc_id": "Extra", "text": "x"}]) == []
    assert faults([*DOCUMENTS, {"doc_id": "Extra", "text": "x"}], responses=[], rule="narrow") == [
        "documents.jsonl:3: Extra: expected at most 32 lower-case letters, digits and hyphens, "
        "a letter first in doc_id, got 'Extra'"
    ]


def test_a_corpus_needs_a_document() -> None:
    assert faults([], [{"question_id": "q", "text": "?", "relevant": []}], []) == [
        "documents: expected one document or more, got none"
    ]


def test_the_table_is_in_order_of_ids_with_sorted_groups_and_attributes_in_words() -> None:
    rows: list[dict[str, Any]] = [
        {"doc_id": "b", "text": "B", "access_groups": ["z", "a"]},
        {"doc_id": "a", "text": "A", "attributes": {"y": True, "x": 1.0, "w": 0.5, "v": "1"}},
    ]
    frame = check(Documents, document_table(part(rows, Document, "f")))
    assert frame["doc"].to_list() == [0, 1]
    assert frame["doc_id"].to_list() == ["a", "b"]
    assert frame["access_groups"].to_list() == [None, ["a", "z"]]
    assert frame["attributes"].to_list()[0] == [
        {"key": "v", "value": "1"},
        {"key": "w", "value": "0.5"},
        {"key": "x", "value": "1"},
        {"key": "y", "value": "true"},
    ]
    assert frame["attributes"].to_list()[1] == []
