"""The shipped example: four questions, two systems, and the table they have to give."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.scoring.cases import averaged, scored
from tests.scoring.worlds import Asked, Said, World

FIXTURE = Path(__file__).parents[2] / "data" / "raw" / "fixture" / "v1"
COLUMNS = ("precision", "recall", "reciprocal_rank", "support", "coverage", "abstention")


def fixture(cutoff: int = 2) -> World:
    def lines(name: str) -> list[dict[str, Any]]:
        text = (FIXTURE / f"{name}.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    documents = [row["doc_id"] for row in lines("documents")]
    questions = [
        Asked(
            row["question_id"],
            relevant=dict.fromkeys(row["relevant"], (1, 1)),
            support={
                (claim, doc): (1, 1) for claim, docs in row["support"].items() for doc in docs
            },
        )
        for row in lines("questions")
    ]
    responses = [
        Said(
            row["system"],
            1,
            row["question_id"],
            [documents.index(doc) for doc in row["retrieved"]],
            [(claim["claim_id"], claim["citations"]) for claim in row["claims"]],
        )
        for row in lines("responses")
    ]
    return World(dict.fromkeys(documents), documents, questions, responses, cutoff)


def shown(name: str, value: float | None) -> str:
    if value is None:
        return "n/a"
    return ("no", "yes")[int(value)] if name == "abstention" else f"{value:.2f}"


def test_the_table_is_exactly_the_expected_one() -> None:
    rows = {(row["question_id"], row["system"]): row for row in scored(fixture())}
    head, *lines = (FIXTURE / "expected.txt").read_text(encoding="utf-8").splitlines()
    table = [head]
    for line in lines:
        question, system = line.split(" | ")[0].split()
        cells = [shown(name, rows[question, system][name]) for name in COLUMNS]
        table.append(f"{question} {system} | {' '.join(cells)}")
    assert table == [head, *lines]
    assert len(lines) == len(rows) == 8


@pytest.mark.parametrize(
    ("system", "metric", "macro", "pooled"),
    [
        # A finds 1 of 1, 1 of 2, 1 of 1; B all
        ("A", "recall", (1 + 1 / 2 + 1) / 3, 3 / 4),
        ("B", "recall", 1.0, 4 / 4),
        # A: both its claims on launch and rollback hold, that on owner cites the wrong document
        ("A", "support", 2 / 3, 2 / 3),
        # B: one of two on launch, two of two on rollback, one of one on owner
        ("B", "support", (1 / 2 + 1 + 1) / 3, 4 / 5),
        ("A", "coverage", (1 + 1 / 2 + 0) / 3, 2 / 4),
        ("B", "coverage", 1.0, 4 / 4),
        ("A", "precision", 1 / 2, 3 / 6),
        ("B", "precision", (1 / 2 + 1 + 1 / 2) / 3, 4 / 6),
        ("A", "reciprocal_rank", (1 + 1 + 1 / 2) / 3, None),
        ("A", "abstention", 0.0, None),
        ("B", "abstention", 1.0, None),
        ("A", "false_abstention", 0.0, None),
        # A claims something on region, which nothing can support; B claims nothing there
        ("A", "support_unanswerable", 0.0, 0 / 1),
        ("B", "support_unanswerable", None, None),
    ],
)
def test_the_averages_are_over_the_answerable_questions(
    system: str, metric: str, macro: float | None, pooled: float | None
) -> None:
    row = averaged(fixture())[system, "", "", metric]
    assert row["macro"] == macro
    assert row["pooled"] == pooled
    assert row["strict"] == macro


def test_the_causes_name_what_went_wrong() -> None:
    causes = {(row["question_id"], row["system"]): row["causes"] for row in scored(fixture())}
    assert causes["launch", "B"] == ["extra_claim"]
    assert causes["rollback", "A"] == ["not_retrieved"]
    assert causes["owner", "A"] == ["miscited"]
    assert causes["region", "A"] == ["claim_on_unanswerable"]
    perfect = {key for key, found in causes.items() if not found}
    assert perfect == {("launch", "A"), ("rollback", "B"), ("owner", "B"), ("region", "B")}


def test_with_a_cutoff_of_one_rollback_b_loses_the_claim_whose_document_is_not_visible() -> None:
    rows = {(row["question_id"], row["system"]): row for row in scored(fixture(cutoff=1))}
    assert rows["rollback", "B"]["support"] == 1 / 2
    assert rows["rollback", "B"]["causes"] == ["below_cutoff", "cited_not_visible"]
