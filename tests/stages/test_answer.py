"""What is delivered: the first k chunks, or as many as a budget holds."""

from pathlib import Path

import pytest

from pipeline.contract.errors import DataError
from pipeline.contract.files import read_json
from pipeline.contract.results import PerQuestion
from pipeline.contract.tables import Answers, read
from tests.built_in import built
from tests.finished import FIXTURE, finish, hand_in

DOCUMENTS = [
    {"doc_id": "five", "text": "one two three four five"},
    {"doc_id": "three", "text": "one two three"},
    {"doc_id": "two", "text": "one two"},
]
QUESTION = {"question_id": "q", "text": "?", "relevant": ["two"], "support": {"c": ["two"]}}


def delivered(tmp_path: Path, budget: int | None, **response: object) -> list[str]:
    """Ids of the context that is delivered of the ranking three, two, five."""
    row = {"system": "A", "question_id": "q", "retrieved": ["three", "two", "five"], "claims": []}
    source = hand_in(
        tmp_path / "set", documents=DOCUMENTS, questions=[QUESTION], responses=[row | response]
    )
    data = finish(tmp_path / "data", source, cutoff=2, budget=budget)
    ids = ["five", "three", "two"]
    return [ids[code] for code in read(data / "answer", Answers)["context"][0]]


@pytest.mark.parametrize(
    ("budget", "held"),
    [
        (2, []),  # three words do not fit, and what comes after is not tried
        (4, ["three"]),
        (5, ["three", "two"]),  # 3 + 2 words
        (9, ["three", "two"]),
        (10, ["three", "two", "five"]),  # above the cutoff, which a budget replaces
    ],
)
def test_a_budget_delivers_the_longest_head_of_the_ranking_that_fits(
    tmp_path: Path, budget: int, held: list[str]
) -> None:
    assert delivered(tmp_path, budget) == held


def test_without_a_budget_the_cutoff_decides(tmp_path: Path) -> None:
    assert delivered(tmp_path, None) == ["three", "two"]


def test_under_a_budget_precision_is_over_what_was_delivered(tmp_path: Path) -> None:
    delivered(tmp_path, 10)
    (row,) = read(tmp_path / "data" / "score", PerQuestion).iter_rows(named=True)
    # one hit among three delivered chunks of 13 + 7 + 23 characters
    assert (row["cutoff"], row["precision"], row["context_length"]) == (3, 1 / 3, 43)
    assert row["reciprocal_rank"] == 1 / 2
    settings = read_json(tmp_path / "data" / "score" / "settings.json")
    assert (settings["cutoff"], settings["budget"]) == (None, 10)


def test_where_nothing_fits_nothing_is_found(tmp_path: Path) -> None:
    delivered(tmp_path, 1)
    (row,) = read(tmp_path / "data" / "score", PerQuestion).iter_rows(named=True)
    assert (row["precision"], row["recall"], row["reciprocal_rank"]) == (0.0, 0.0, 0.0)
    assert (row["cutoff"], row["context_length"]) == (0, 0)


def test_a_recorded_context_has_to_be_what_the_budget_delivers(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        delivered(tmp_path, 5, delivered=["three"])
    assert "the first ranked that fit 5 words as delivered context: 'three', 'two'" in str(
        caught.value
    )


def test_recorded_systems_have_to_have_as_many_repeats_as_are_set(tmp_path: Path) -> None:
    finish(tmp_path / "one", repeats=1)
    with pytest.raises(DataError) as caught:
        finish(tmp_path / "three", repeats=3)
    assert [str(fault) for fault in caught.value.faults] == [
        "responses: A: expected 3 repeats, as set, got 1",
        "responses: B: expected 3 repeats, as set, got 1",
    ]


def test_recorded_repeats_do_not_bind_a_system_that_answers_itself(tmp_path: Path) -> None:
    folder = built(tmp_path, FIXTURE, repeats=3)
    assert read(folder / "answer", Answers).select("system", "repeat").unique().rows() == [
        ("rag", 1)  # quotes are drawn once: they would be the same each time
    ]
