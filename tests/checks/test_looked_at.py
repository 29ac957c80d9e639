"""What people looked at: known documents, each once, all labels among them; thin labels."""

from typing import Any

import pytest

from pipeline.checks.documents import document_table
from pipeline.checks.looked_at import looked_at_table, thin_notes
from pipeline.contract.records import Question, Response
from tests.sets import QUESTION, checked


def faults(**changed: Any) -> list[str]:
    return [
        f"{one.expected}, got {one.got}"
        for one in checked(questions=[{**QUESTION, **changed}]).faults
    ]


def test_documents_that_were_looked_at_are_part_of_a_good_question() -> None:
    assert faults(judged=["hours", "boats"]) == []


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"judged": []}, "a document or more in judged (left out: the whole corpus), got none"),
        ({"judged": ["boats", "sea"]}, "documents of the corpus in judged, got 'sea' at 1"),
        ({"judged": ["boats", "boats"]}, "no id twice in judged"),
        ({"judged": ["hours"]}, "only documents that are in judged called relevant, got 'boats'"),
        (
            {"judged": ["hours"], "relevant": None, "support": None},
            "labels beside judged (relevant, evidence or annotators), got none",
        ),
        (
            {"judged": ["hours"], "relevant": None, "support": None,
             "evidence": [{"doc_id": "boats", "claim_id": "nine"}]},
            "only documents that are in judged called relevant, got 'boats'",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused(changed: dict[str, Any], fault: str) -> None:
    assert any(one.startswith(fault) for one in faults(**changed)), faults(**changed)


def test_a_no_on_a_document_says_nothing_of_the_others() -> None:
    no = {"doc_id": "hours", "grade": 0.0}
    assert faults(judged=["boats"], evidence=[no]) == []


def test_the_table_has_a_row_for_each_document_that_was_looked_at() -> None:
    found = checked(questions=[{**QUESTION, "judged": ["hours", "boats"]}])
    table = looked_at_table(found.questions.rows, document_table(found.collection.documents))
    assert table.rows() == [(0, 0), (0, 1)]


def test_labels_are_thin_where_more_than_a_fifth_was_looked_at_by_nobody() -> None:
    asked = [Question("q", "?", relevant=["a"], judged=["a", "b"]), Question("r", "?", relevant=[])]
    rows = [Response("good", "q", retrieved=["b", "a"]), Response("good", "r", retrieved=["z"]),
            Response("new", "q", retrieved=["a", "x"])]  # fmt: skip
    # of new's two documents one is in the pool: 1/2; r says nothing of what was looked at
    (note,) = thin_notes(asked, rows, 2)
    assert note.startswith("labels are thin for new: 0.50 of what it retrieved")
    assert thin_notes(asked, rows, 1) == []
