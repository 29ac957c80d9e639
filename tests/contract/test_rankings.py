"""What is told of rankings at cutoffs."""

from typing import Any

from pipeline.contract.metrics import RANKED
from pipeline.contract.rankings import lacking, rankings, told
from pipeline.contract.words import change

Row = dict[str, Any]


def moved(metric: str, before: float | None, after: float | None) -> Row:
    reason = "failed" if after is None else None
    return {"metric": metric, "before": before, "after": after, "after_reason": reason}


def test_of_many_changes_at_cutoffs_the_deepest_are_told_each_of_another_metric() -> None:
    main = [moved("recall", 1.0, 0.5), moved("support", 1.0, 0.9)]
    cut = [
        moved("recall@1", 1.0, 0.0),  # recall is told already
        moved("ndcg@1", 1.0, 0.1),
        moved("ndcg@5", 1.0, 0.2),  # nDCG too, by then
        moved("success@1", 1.0, 0.3),
    ]
    rows, more = told([*main, *cut])
    assert [row["metric"] for row in rows] == ["recall", "support", "ndcg@1", "success@1"]
    assert more == 2


def test_changes_of_one_metric_alone_are_told_deepest_first_and_in_their_order() -> None:
    rows, more = told([moved(f"ndcg@{k}", 1.0, k / 10) for k in (5, 1, 3)])
    assert [row["metric"] for row in rows] == ["ndcg@1", "ndcg@3"]
    assert more == 1


def test_a_value_that_was_lost_counts_as_the_deepest_fall() -> None:
    rows, _ = told([moved("ndcg@1", 1.0, 0.1), moved("success@1", 1.0, None), moved("ap", 1, 0.2)])
    assert [row["metric"] for row in rows] == ["ndcg@1", "success@1"]


def test_without_cutoffs_all_is_told() -> None:
    rows = [moved("recall", 1.0, 0.5)]
    assert told(rows) == (rows, 0)


def test_a_change_too_small_for_two_decimals_has_four() -> None:
    row = moved("ndcg@5", 0.7612, 0.7649) | {"before_reason": None}
    assert change(row, 5) == "nDCG@5 0.7612 → 0.7649"


def test_the_sides_that_lack_a_cutoff_are_named() -> None:
    assert lacking(None) == lacking({"missing": {}}) == ""
    assert lacking({"missing": {"A": [1, 20], "B": [5]}}) == (
        "not compared: A was not measured at k = 1, 20; B was not measured at k = 5 (conf: cutoffs)"
    )


def at(cutoff: int, **given: Any) -> Row:
    row: Row = {"cutoff": cutoff}
    for metric in RANKED:
        value = given.get(metric.name, 0.5)
        reason = value if isinstance(value, str) else None
        row |= {metric.name: None if reason else value, f"{metric.name}_reason": reason}
        row |= {f"{metric.name}_low": None, f"{metric.name}_high": None}
    return row


def test_a_ranking_is_a_row_a_metric_and_a_column_a_cutoff_with_ap_once() -> None:
    found = rankings([at(5, ndcg=0.25), at(1, ndcg=1.0)])
    assert found["cutoffs"] == [1, 5]
    rows = {name: cells for name, *cells in found["rows"]}
    assert rows["nDCG@k"] == ["1.00", "0.25"]
    assert rows["AP"] == ["0.50"]


def test_what_is_open_has_its_ends_and_what_is_lost_is_na() -> None:
    open_ = at(1, ndcg="unresolved", recall="failed") | {"ndcg_low": 0.2, "ndcg_high": 0.6}
    rows = {name: cells for name, *cells in rankings([open_])["rows"]}
    assert rows["nDCG@k"] == ["0.20–0.60"]
    assert rows["R@k"] == ["n/a"]


def test_a_question_that_rankings_are_not_measured_on_has_no_rows() -> None:
    every: Row = {metric.name: "unanswerable" for metric in RANKED}
    assert rankings([at(1, **every)])["rows"] == []
    assert rankings([]) == {"cutoffs": [], "rows": []}
