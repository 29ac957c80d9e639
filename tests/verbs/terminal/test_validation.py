"""A judge's rates come with their correction and n, or with the word unvalidated."""

from typing import Any

import pytest

from pipeline.verbs.terminal.validation import standing_lines, validation_lines


def rate(common: int, value: float | None = None) -> dict[str, Any]:
    ends = {"low": 0.05, "high": 0.25} if value is not None else {"low": None, "high": None}
    return {
        "ruled": 150, "failed": 0, "common": common, "disputed": 0,
        "raw": {"value": 0.12, "low": 0.1, "high": 0.2, "n": 150},
        "powered": {"value": value, **ends},
    }  # fmt: skip


def report(
    labels: int,
    metrics: dict[str, Any],
    rulings: str | None = "data/judge/rulings.jsonl",
    **changed: Any,
) -> dict[str, Any]:
    return {
        "judge": "gpt-4o-mini", "draws": 1, "annotators": 2, "labels": labels, "stale": 0,
        "sides": {"rag": {"rulings": rulings, "metrics": metrics}}, **changed,
    }  # fmt: skip


def texts(found: dict[str, Any] | None, width: int = 80) -> list[str]:
    return [line.text for line in validation_lines(found, width)]


def test_no_judge_no_word() -> None:
    assert texts(None) == []


def test_an_unvalidated_judge_is_called_so_with_the_way_out() -> None:
    assert texts(report(0, {"deflection": rate(0)})) == [
        "unvalidated judge: gpt-4o-mini; no ruling of it stands beside a person's",
        "  → python -m pipeline judge-sample data/judge/rulings.jsonl --out sheet.csv",
    ]


def test_verdicts_of_unknown_origin_have_no_way_out() -> None:
    assert texts(report(0, {}, rulings=None, judge="recorded")) == [
        "unvalidated judge: recorded; no ruling of it stands beside a person's"
    ]


def test_rates_stand_raw_and_corrected_with_their_n() -> None:
    found = report(40, {"deflection": rate(40, 0.15), "supported": rate(0)}, stale=3)
    assert texts(found) == [
        "The judge gpt-4o-mini held to 2 people: its share of yes, corrected with a 95 %",
        "  interval",
        "  rag              raw  corrected                   labelled",
        "    deflection  0.1200  0.1500 [0.0500, 0.2500]    40 of 150",
        "    supported   0.1200  n/a (no labels)             0 of 150",
        "unvalidated judge: gpt-4o-mini; for supported, no ruling of it stands beside a",
        "  person's",
        "  → python -m pipeline judge-sample data/judge/rulings.jsonl --metric supported",
        "  --out sheet.csv",
        "not used: 3 labels of people on other words than these",
    ]


@pytest.mark.parametrize("width", [60, 80])
def test_every_line_fits(width: int) -> None:
    found = report(40, {"deflection": rate(40, 0.15), "supported": rate(0)}, stale=3)
    assert max(map(len, texts(found, width))) <= width


def test_under_the_averages_stands_whether_anybody_checked_the_judge() -> None:
    found = report(40, {"deflection": rate(40, 0.15), "supported": rate(0)})
    (line,) = standing_lines(found, ["rag"], 100)
    assert line.text == (
        "  judge gpt-4o-mini: held to 40 labels of 2 people; unvalidated for supported"
    )
    assert line.style == "yellow"
    (line,) = standing_lines(report(40, {"deflection": rate(40, 0.15)}), ["rag"], 100)
    assert (line.text, line.style) == ("  judge gpt-4o-mini: held to 40 labels of 2 people", "")
    (line,) = standing_lines(report(0, {}, judge="\x1b[31mm"), ["rag"], 100)
    assert line.text.startswith("  judge \\x1b[31mm: unvalidated, no label")
    assert standing_lines(None, ["rag"], 100) == []


def test_labels_that_are_words_are_not_called_missing() -> None:
    found = report(3, {"factual_all": rate(3)})
    assert "    factual_all  0.1200  n/a (not yes or no)         3 of 150" in texts(found)
