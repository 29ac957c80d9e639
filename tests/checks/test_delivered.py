from typing import Any

import polars as pl
import pytest

from pipeline.checks.delivered import check_delivered, check_recorded
from pipeline.checks.documents import document_table
from pipeline.checks.questions import question_table
from pipeline.checks.tables import response_table
from pipeline.contract.tables import RESPONSE_KEY
from tests.sets import DOCUMENTS, QUESTION, RESPONSE, checked

IDS = [*DOCUMENTS, {"doc_id": "tides", "text": "Low water."}]


def of(cutoff: int, *responses: dict[str, Any]) -> list[str]:
    """Faults by the frozen tables; those by the records have to be the same."""
    rows = [{**RESPONSE, "system": f"s{n}", **row} for n, row in enumerate(responses)]
    found = checked(IDS, [QUESTION], rows)
    documents = document_table(found.collection.documents)
    questions = question_table(found.questions)
    responses_ = response_table(found.responses, found.rankings, questions)
    contexts = responses_.select(*RESPONSE_KEY, chunks=pl.col("retrieved").list.head(cutoff))
    words = f"the first {cutoff} ranked"
    faults = check_delivered(responses_, contexts, documents, questions, words)
    assert check_recorded(found.responses, cutoff) == faults
    return [str(fault) for fault in faults]


RANKING = ["boats", "hours", "tides"]


@pytest.mark.parametrize(
    ("cutoff", "delivered"),
    [(1, ["boats"]), (2, ["boats", "hours"]), (3, RANKING), (9, RANKING), (2, None)],
)
def test_the_first_of_the_ranking_is_right(cutoff: int, delivered: list[str] | None) -> None:
    assert of(cutoff, {"retrieved": RANKING, "delivered": delivered}) == []


def test_nothing_retrieved_is_nothing_delivered() -> None:
    assert of(2, {"retrieved": [], "delivered": []}) == []


@pytest.mark.parametrize(
    ("delivered", "got"),
    [
        (["boats"], "'boats'"),
        (["hours", "boats"], "'hours', 'boats'"),
        (["boats", "tides"], "'boats', 'tides'"),
        (RANKING, "'boats', 'hours', 'tides'"),
        ([], "none"),
    ],
)
def test_any_other_context_is_refused_with_both_lists(delivered: list[str], got: str) -> None:
    good = {"retrieved": RANKING, "delivered": ["boats", "hours"]}
    assert of(2, good, {"retrieved": RANKING, "delivered": delivered}) == [
        "responses.jsonl:2: s1 / price: expected the first 2 ranked as delivered context: "
        f"'boats', 'hours', got {got}"
    ]


def test_a_failed_response_without_a_ranking_is_let_pass() -> None:
    failed = {"status": "failed", "error": "x", "retrieved": None, "claims": None}
    assert of(2, failed) == []
