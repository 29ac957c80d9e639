"""The means at several cutoffs as the terminal sets them."""

from typing import Any

from pipeline.contract.metrics import RANKED, at
from pipeline.verbs.terminal.cutoffs import cutoff_lines
from pipeline.verbs.terminal.text import cells


def rows(*cutoffs: int, **changed: Any) -> list[dict[str, Any]]:
    mean = {"macro": 0.5, "low": 0.5, "high": 0.5, "n": 3, **changed}
    return [{**mean, "metric": at(metric, k).name} for k in cutoffs for metric in RANKED]


def shown(given: list[dict[str, Any]], tied: dict[int, int]) -> list[str]:
    lines = [line.text for line in cutoff_lines(given, tied, 80)]
    assert all(cells(line) <= 80 for line in lines)
    return lines


def test_each_cutoff_has_a_column_and_ap_the_first() -> None:
    lines = shown(rows(1, 10), {})
    assert lines[0] == "  k                1      10        n"
    assert lines[5] == "  nDCG@k      0.5000  0.5000        3"
    assert lines[7] == "  AP          0.5000                3"


def test_without_cutoffs_there_is_nothing() -> None:
    assert shown([{"metric": "recall", "macro": 0.5}], {}) == []


def test_more_cutoffs_than_fit_go_on_below() -> None:
    lines = shown(rows(*range(1, 12)), {})
    heads = [line for line in lines if line.startswith("  k ")]
    assert [head.split()[1:-1] for head in heads] == [
        ["1", "2", "3", "4", "5", "6", "7"],
        ["8", "9", "10", "11"],
    ]
    assert sum(line.startswith("  AP") for line in lines) == 1


def test_what_is_open_stands_below_with_the_responses_whose_ties_cross_a_cutoff() -> None:
    given = rows(1)
    given[4] |= {"low": 0.25, "high": 0.75}
    lines = shown(given, {1: 2, 5: 0})
    assert lines[-2:] == [
        "  low–high: nDCG@1 0.2500–0.7500",
        "  ids decide between equal scores: at k = 1 in 2 responses",
    ]


def test_a_mean_without_a_value_is_na() -> None:
    assert "     n/a" in shown(rows(1, macro=None, low=None, high=None, n=0), {})[1]
