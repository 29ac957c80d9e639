from typing import Any

import polars as pl

from pipeline.contract.metrics import COMPARED, SPANS
from pipeline.contract.tables import PAIRS
from pipeline.scoring.aggregates import aggregate
from pipeline.verbs.terminal.aggregates import aggregate_lines
from pipeline.verbs.terminal.text import cells
from tests.per_question import answered, failed, per_question


def shown(*rows: dict[str, Any], heldout: str = "", topic: str | None = None) -> list[str]:
    values = per_question(*rows)
    n = values["question_id"].n_unique()
    pairs = [] if topic is None else [{"key": "topic", "value": topic}]
    attributes = pl.Series([pairs] * n, dtype=PAIRS)
    averages = aggregate(values, attributes, bounded=True)
    lines = aggregate_lines(averages, values, 80, heldout)
    assert all(cells(line.text) <= 80 for line in lines)
    return [line.text for line in lines]


def cell(lines: list[str], metric: str, column: str) -> str:
    """What stands in a table under a head, aligned to its right end."""
    head = next(line for line in lines if line.lstrip().startswith("macro"))
    end = head.index(column) + len(column)
    row = next(line for line in lines if line.startswith(f"  {metric}  "))
    return row[24:end].split("  ")[-1].strip() if len(row) >= end else ""


def test_each_system_has_a_block_with_its_questions() -> None:
    rows = shown(
        answered("B", "x"),
        answered("A", "x"),
        *(answered(s, "y", population="unanswerable", support="no_claims") for s in "AB"),
    )
    assert [line for line in rows if line and not line.startswith(" ")] == [
        "A: 2 questions (1 answerable, 1 unanswerable)",
        "B: 2 questions (1 answerable, 1 unanswerable)",
    ]


def test_macro_pooled_and_n_stand_in_columns() -> None:
    # support: (1/1 + 1/3) / 2 = 0.6667 by question, 2/4 = 0.5 over all claims
    rows = shown(
        answered("A", "x", support=1.0, claims=1, supported=1),
        answered("A", "y", support=1 / 3, claims=3, supported=1),
    )
    found = [cell(rows, "support", column) for column in ("macro", "pooled", "n")]
    assert found == ["0.6667", "0.5000", "2"]
    assert cell(rows, "RR@2", "pooled") == ""


def test_strict_is_shown_where_it_differs_and_only_there() -> None:
    # recall 1 and failed: 1.0 over what there is, (1 + 0) / 2 = 0.5 with the error as worst
    rows = shown(answered("A", "x"), failed("A", "y", hits=1, precision=0.5))
    assert cell(rows, "R@2", "strict") == "0.5000"
    assert cell(rows, "P@2", "strict") == ""
    assert not any("strict" in line for line in shown(answered("A", "x")))


def test_what_is_left_out_is_counted_by_reason() -> None:
    rows = shown(answered("A", "x", support="no_claims"), failed("A", "y"), answered("A", "z"))
    notes = [line.strip() for line in rows if line.startswith("  n/a")]
    assert "n/a, failed (1 response), no claims (1 response): support" in notes
    assert notes[0] == "n/a, failed (1 response): P@2, R@2, RR@2, coverage, false abstention"


def test_a_long_list_of_reasons_is_broken_between_them() -> None:
    rows = shown(
        answered("A", "v", support="no_claims"),
        failed("A", "w"),
        answered("A", "x", support="judge_failed", status="judge_failed"),
        *(answered("A", why, support=why) for why in ("unresolved", "not_labelled")),
    )  # `shown` holds every line to 80 columns
    at = next(i for i, line in enumerate(rows) if line.startswith("  n/a, not labelled"))
    assert rows[at : at + 2] == [
        "  n/a, not labelled (1 response), in dispute (1 response), failed (1 response),",
        "    judge failed (1 response), no claims (1 response): support",
    ]


def test_questions_of_the_other_population_are_not_called_left_out() -> None:
    rows = shown(
        answered("A", "x"),
        answered("A", "y", population="unanswerable", support="no_claims"),
    )
    assert not any("unanswerable (1" in line or "answerable: " in line for line in rows[1:])


def test_a_range_is_shown_where_labels_are_in_dispute() -> None:
    # recall 1, and somewhere in 0 to 1/2: the mean may come to 0.5 or to 0.75
    disputed: dict[str, Any] = {"recall_low": 0.0, "recall_high": 0.5}
    rows = shown(answered("A", "x"), answered("A", "y", recall="unresolved", **disputed))
    assert cell(rows, "R@2", "low–high") == "0.5000–0.7500"
    assert cell(rows, "R@2", "macro") == "1.0000"
    assert not any("low–high" in line for line in shown(answered("A", "x")))


def test_a_value_that_a_question_in_dispute_has_if_any_is_shown_as_a_range() -> None:
    # 1/2 in every resolution in which the question is answerable, no value in the others
    disputed: dict[str, Any] = {"recall_low": 0.5, "recall_high": 0.5}
    rows = shown(answered("A", "x", recall="unresolved", **disputed))
    assert cell(rows, "R@2", "macro") == "n/a"
    assert cell(rows, "R@2", "low–high") == "0.5000–0.5000"


def test_support_never_stands_without_coverage_false_abstention_and_n() -> None:
    rows = shown(answered("A", "x", coverage="failed", false_abstention="failed"))
    for metric in ("support", "coverage", "false abstention"):
        assert cell(rows, metric, "n").isdigit()


def test_metrics_that_the_set_has_no_labels_for_are_named_once() -> None:
    none: dict[str, Any] = dict.fromkeys(
        ("support", "coverage", "false_abstention"), "not_labelled"
    )
    rows = shown(answered("A", "x", **none))
    assert rows[-2:] == [
        "  not labelled in this set: support, coverage, false abstention,",
        "    support (unanswerable)",
    ]


def test_every_metric_with_a_value_has_its_row_in_the_order_in_which_they_are_shown() -> None:
    rows = shown(answered("A", "x"), answered("A", "y", population="unanswerable"))
    names = [line[2:24].rstrip() for line in rows[2:10]]
    assert names == [metric.label.replace("@k", "@2") for metric in COMPARED if metric not in SPANS]


def test_repeats_are_named() -> None:
    assert shown(answered("A", "x", 1), answered("A", "x", 2))[0] == (
        "A: 1 question (1 answerable), 2 repeats"
    )


def test_the_count_of_looks_stands_beside_held_out_numbers() -> None:
    head = shown(answered("A", "x"), heldout="; held-out questions opened 3 times")[0]
    assert head == "A: 1 question (1 answerable); held-out questions opened 3 times"


def test_slices_are_pointed_to() -> None:
    rows = shown(answered("A", "x"), topic="t")
    assert rows[-1] == "slices by topic: data/score/aggregates.csv"
    assert sum(line.startswith("  support  ") for line in rows) == 1
