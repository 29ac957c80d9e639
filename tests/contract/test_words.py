import pytest

from pipeline.contract import words
from pipeline.contract.metrics import AGGREGATED, CAUSES, METRICS, REASONS


def test_every_reason_and_every_cause_has_words() -> None:
    assert tuple(words.REASON) == REASONS
    assert tuple(words.CAUSE) == CAUSES


def test_labels_name_the_cutoff() -> None:
    shown = [words.label(metric, 5) for metric in METRICS]
    assert shown[:3] == ["P@5", "R@5", "RR@5"]


@pytest.mark.parametrize(
    ("metric", "number", "shown"),
    [
        ("recall", 1.0, "1.00"),
        ("recall", 1 / 3, "0.33"),
        ("recall", None, "n/a"),
        ("abstention", 1.0, "yes"),
        ("abstention", 0.0, "no"),
        ("false_abstention", 0.5, "0.50"),
    ],
)
def test_values_have_two_decimals_and_yes_or_no_where_they_are(
    metric: str, number: float | None, shown: str
) -> None:
    assert words.value(metric, number) == shown


def test_a_change_says_why_a_side_is_missing() -> None:
    row = {"metric": "support", "before": 1.0, "before_reason": None}
    lost = row | {"after": None, "after_reason": "judge_failed"}
    assert words.change(lost, 2) == "support 1.00 → n/a (judge failed)"
    partly = row | {"after": 0.5, "after_reason": "failed"}
    assert words.change(partly, 2) == "support 1.00 → 0.50 (failed)"


def test_a_change_of_every_metric_has_its_name() -> None:
    for metric in AGGREGATED:
        row = {"metric": metric.name, "before": 0.25, "before_reason": None}
        row |= {"after": 0.75, "after_reason": None}
        assert words.change(row, 3) == f"{words.label(metric, 3)} 0.25 → 0.75"


def test_counts_know_one_from_many() -> None:
    assert words.counted(1, "question") == "1 question"
    assert words.counted(2400, "question") == "2,400 questions"


def test_what_differs_is_shown_with_as_many_digits_as_it_takes() -> None:
    assert words.apart("recall", 0.5, 1.0) == ("0.50", "1.00")
    assert words.apart("recall", 0.501, 0.502) == ("0.5010", "0.5020")
    assert words.apart("recall", 0.019912, 0.019931) == ("0.01991", "0.01993")
    assert words.apart("recall", 0.5, 0.5) == ("0.50", "0.50")
    assert words.apart("recall", None, 0.5) == ("n/a", "0.50")
