"""Rankings at several cutoffs in a comparison: what is compared, what is missing, what is worse."""

import dataclasses
from datetime import UTC, datetime
from math import log2
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.comparison.comparable import changed
from pipeline.comparison.cutoffs import Cutoffs
from pipeline.comparison.gathered import gather
from pipeline.contract.metrics import RANKED
from pipeline.contract.naming import named
from pipeline.contract.policy import Acceptance, Limits, QuestionRule, Rule, Share, Tolerance
from pipeline.contract.results import Deltas
from pipeline.scoring.deltas import causes_of, deltas, deltas_at
from pipeline.scoring.ranked import ranked
from pipeline.scoring.values import score
from pipeline.sides.folder import one_in
from pipeline.sides.ruled import weighed
from pipeline.verbs.terminal.comparison import comparison_lines
from tests.comparing import NONE, UNCERTAINTY
from tests.comparison.chances import two_systems
from tests.ranked_sides import RANKED as RANKED_AS
from tests.ranked_sides import ranked_run, two_sides
from tests.scoring.worlds import tables

Row = dict[str, Any]
NOW = datetime(2026, 6, 15, tzinfo=UTC)
AT_TWO = {"precision@2": "precision", "recall@2": "recall", "reciprocal_rank@2": "reciprocal_rank"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same answers, measured at other cutoffs."""
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DVC_ROOT", str(folder))
        asked = {"all": [1, 2, 3], "few": [3], "one": [1], "none": None}
        return {name: ranked_run(folder / name, cutoffs) for name, cutoffs in asked.items()}


@pytest.fixture(autouse=True)
def _own_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))


def set_against(
    before: Path, after: Path, policy: Acceptance = NONE, uncertainty: Any = UNCERTAINTY
) -> tuple[pl.DataFrame, Row, Row]:
    """Deltas, the document and B's entry in it."""
    baseline, candidate = two_sides(before, after)
    _, rows, document = weighed(
        baseline, [candidate], same=False, acceptance=policy, uncertainty=uncertainty, seed=7,
        now=NOW,
    )  # fmt: skip
    return rows, document, document["candidates"]["B"]


def entry(found: Row, which: str, question: str) -> Row:
    (row,) = (row for row in found[which] if row["question_id"] == question)
    return dict(row)


def test_shared_are_the_cutoffs_of_all_sides_and_the_rest_is_missing_by_name() -> None:
    found = Cutoffs({"A": (1, 5, 10), "B": (5, 10), "C": (5, 20)}, 5)
    assert found.shared == [5]
    assert found.missing == {"A": [20], "B": [1, 20], "C": [1, 10]}


def test_at_the_visible_cutoff_the_metrics_of_the_context_are_left_out_and_no_others() -> None:
    found = Cutoffs({"A": (1, 2), "B": (1, 2)}, 2)
    assert {k: [one.name for one in metrics] for k, metrics in found.compared.items()} == {
        0: ["ap"],
        1: ["precision", "recall", "reciprocal_rank", "success", "ndcg", "judged"],
        2: ["success", "ndcg", "judged"],
    }
    budget = Cutoffs({"A": (2,), "B": (2,)}, None)  # a budget is no cutoff
    assert len(budget.compared[2]) == 6
    assert budget.same == {}


def test_sides_without_a_shared_cutoff_share_ap_and_a_side_without_any_shares_nothing() -> None:
    assert list(Cutoffs({"A": (1,), "B": (3,)}, 2).compared) == [0]
    assert Cutoffs({"A": (1,), "B": ()}, 2).compared == {}


def test_what_is_left_out_is_what_stands_under_the_other_name(runs: dict[str, Path]) -> None:
    gathered = gather(*_listed(two_sides(runs["all"], runs["all"])), same=False)
    assert gathered.cutoffs.same == AT_TWO
    key = ["system", "repeat", "question_id"]
    ranked = gathered.ranked.filter(cutoff=2).sort(key)
    values = gathered.values.sort(key)
    for name in AT_TWO.values():
        assert ranked[name].equals(values[name], null_equal=True)
        assert values[name].n_unique() > 1


def _listed(sides: tuple[Any, Any]) -> tuple[Any, list[Any]]:
    return sides[0], [sides[1]]


def test_deltas_have_a_row_for_each_metric_and_shared_cutoff(runs: dict[str, Path]) -> None:
    rows, document, _ = set_against(runs["all"], runs["all"])
    assert document["cutoffs"] == {"compared": [1, 2, 3], "missing": {}, "same_as": AT_TWO}
    there = {name for name in rows["metric"] if "@" in name or name == "ap"}
    assert there == {
        *(f"{name}@{k}" for name in ("success", "ndcg", "judged") for k in (1, 2, 3)),
        *(f"{name}@{k}" for name in ("precision", "recall", "reciprocal_rank") for k in (1, 3)),
        "ap",
    }
    assert not set(AT_TWO) & there
    found = rows.filter(question_id="third", metric="ndcg@3").row(0, named=True)
    best = 1 + 1 / log2(3)
    # relevant at ranks 2 and 3, then at rank 2 alone; the best order has ranks 1 and 2
    assert found["before"] == pytest.approx((1 / log2(3) + 1 / log2(4)) / best)
    assert found["after"] == pytest.approx((1 / log2(3)) / best)
    assert found["direction"] == "worse"
    unanswerable = rows.filter(question_id="none", metric="ndcg@3").row(0, named=True)
    assert unanswerable["direction"] == "unpaired"
    assert unanswerable["before_reason"] == "unanswerable"


def test_a_question_worse_below_the_context_alone_is_named_with_causes_of_retrieval_alone(
    runs: dict[str, Path],
) -> None:
    _, _, found = set_against(runs["all"], runs["all"])
    regression = entry(found, "regressions", "third")
    assert [row["metric"] for row in regression["metrics"]] == [
        "ap", "precision@3", "recall@3", "ndcg@3",
    ]  # fmt: skip
    # both sides make a claim that no label expects: that is no cause of a lower rank
    assert regression["causes"] == regression["new_causes"] == ["not_retrieved"]
    _, _, without = set_against(runs["none"], runs["none"])
    assert [row["question_id"] for row in without["regressions"]] == ["first"]


def test_a_regression_in_the_context_too_keeps_its_causes_and_is_listed_once_a_cutoff(
    runs: dict[str, Path],
) -> None:
    _, _, found = set_against(runs["all"], runs["all"])
    metrics = [row["metric"] for row in entry(found, "regressions", "first")["metrics"]]
    assert metrics == [
        "reciprocal_rank", "ap", "precision@1", "recall@1", "reciprocal_rank@1", "success@1",
        "ndcg@1", "ndcg@2", "reciprocal_rank@3", "ndcg@3",
    ]  # fmt: skip


def test_judged_is_compared_and_makes_no_question_worse(runs: dict[str, Path]) -> None:
    rows, _, found = set_against(runs["all"], runs["all"])
    # d1 and d2 were looked at, d5 was not: 2/2, then 1/2
    pool = rows.filter(question_id="pool", metric="judged@2").row(0, named=True)
    assert (pool["before"], pool["after"]) == (1.0, 0.5)
    assert "pool" not in [row["question_id"] for row in found["regressions"]]
    assert found["questions"]["same"] == 2  # it and `none`
    (row,) = (row for row in found["uncertainty"] if row["metric"] == "judged@2")
    assert row["low"] is not None
    assert row["p"] is row["p_holm"] is None


def test_the_family_counts_every_metric_and_cutoff_that_has_a_p_value(
    runs: dict[str, Path],
) -> None:
    _, document, found = set_against(runs["all"], runs["all"])
    _, before, _ = set_against(runs["none"], runs["none"])
    tested = [row["metric"] for row in found["uncertainty"] if row["p_holm"] is not None]
    # AP, six metrics at 1 and 3 and three at 2, less Judged@k at each of them
    assert document["method"]["family"] == before["method"]["family"] + 1 + 5 + 2 + 5
    assert document["method"]["family"] == len(tested)
    averages = [row["metric"] for row in found["averages"]]
    assert averages[-6:] == [
        "precision@3", "recall@3", "reciprocal_rank@3", "success@3", "ndcg@3", "judged@3",
    ]  # fmt: skip


def test_metrics_at_cutoffs_can_be_chosen_for_the_family_under_either_name(
    runs: dict[str, Path],
) -> None:
    few = dataclasses.replace(UNCERTAINTY, metrics=("ndcg@3", "recall@2"))
    _, document, found = set_against(runs["all"], runs["all"], uncertainty=few)
    assert [row["metric"] for row in found["uncertainty"]] == ["recall", "ndcg@3"]
    assert document["method"]["family"] == 2
    assert "unmeasured" not in document["method"]


def test_a_metric_to_be_tested_at_a_cutoff_that_was_not_measured_is_named(
    runs: dict[str, Path],
) -> None:
    few = dataclasses.replace(UNCERTAINTY, metrics=("recall", "ndcg@3", "ap"))
    _, document, _ = set_against(runs["all"], runs["none"], uncertainty=few)
    assert document["method"]["unmeasured"] == ["ndcg@3", "ap"]
    said = "uncertainty.metrics: nDCG@3, AP was not measured on all sides"
    lines = [line.text.strip() for line in comparison_lines(document, list(RANKED_AS), 2, 100, "")]
    assert said in lines


def test_where_sides_were_measured_at_others_the_shared_ones_are_compared(
    runs: dict[str, Path],
) -> None:
    rows, document, found = set_against(runs["all"], runs["few"])
    assert document["cutoffs"] == {"compared": [3], "missing": {"B": [1, 2]}, "same_as": {}}
    assert {name.partition("@")[2] for name in rows["metric"]} == {"", "3"}
    assert found["differs"] == {}  # how often a ranking is measured changes nothing of it
    _, document, _ = set_against(runs["few"], runs["one"])
    assert document["cutoffs"]["missing"] == {"A": [1], "B": [3]}


def test_a_side_without_cutoffs_is_compared_as_before_and_said_by_name(
    runs: dict[str, Path],
) -> None:
    rows, document, _ = set_against(runs["none"], runs["all"])
    plain, without, _ = set_against(runs["none"], runs["none"])
    assert document["cutoffs"] == {"compared": [], "missing": {"A": [1, 2, 3]}, "same_as": {}}
    assert rows.equals(plain, null_equal=True)
    assert "cutoffs" not in without


def test_cutoffs_are_no_change_of_the_system() -> None:
    assert changed({"cutoffs": [1]}, {"cutoffs": [1, 5], "retriever": "x"}) == {
        "retriever": {"before": None, "after": "x"}
    }


def test_old_results_have_no_such_table_and_still_are_a_side(runs: dict[str, Path]) -> None:
    path = runs["none"] / "score" / "ranked.parquet"
    content = path.read_bytes()
    path.unlink()
    try:
        assert one_in(runs["none"], "dir:old", "A").system == "A"
        _, document, _ = set_against(runs["none"], runs["none"])
    finally:
        path.write_bytes(content)
    assert document["candidates"]["B"]["questions"]["worse"] == 1


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 100_000), st.integers(1, 4))
def test_at_each_cutoff_the_changes_are_those_of_runs_with_that_cutoff(seed: int, k: int) -> None:
    of = tables(two_systems(seed))
    rules: Any = {"policy": "interval", "with_claims": True}
    values = score(of, cutoff=k, **rules)
    measured = ranked(of, cutoffs=[1, k, 5], **rules)
    asked = {k: [metric for metric in RANKED if metric.name in AT_TWO.values()]}
    (rows,) = deltas_at(measured, "A", asked, causes_of(values))
    plain = deltas(values, "A", metrics=[named(name) for name in AT_TWO.values()])
    renamed = plain.with_columns(pl.col("metric") + f"@{k}").sort(Deltas.key)
    assert rows.equals(renamed, null_equal=True)


def judged_by(
    runs: dict[str, Path], *rules: Rule | QuestionRule, sides: str = "all all", na: Any = ()
) -> list[Row]:
    """What became of each rule."""
    policy = Acceptance(
        "mine",
        tuple(rule for rule in rules if isinstance(rule, Rule)),
        tuple(rule for rule in rules if isinstance(rule, QuestionRule)),
        Limits(leaks=None, na=na),
    )
    before, after = (runs[name] for name in sides.split())
    _, _, found = set_against(before, after, policy)
    return list(found["acceptance"]["rules"])


def test_a_rule_reads_the_value_the_change_or_the_interval_at_a_cutoff(
    runs: dict[str, Path],
) -> None:
    value, delta, interval = judged_by(
        runs,
        Rule("v", "ndcg@3", 0.5),
        Rule("d", "ndcg@3", -0.1, reads="delta"),
        Rule("i", "success@1", 0.0, reads="interval"),
    )
    # first: 1/log2(3), third: (1/log2(3)) / (1 + 1/log2(3)), pool: 1
    second = 1 / log2(3)
    assert value["measured"] == pytest.approx((second + second / (1 + second) + 1) / 3)
    assert (value["outcome"], value["n"]) == ("pass", 3)
    # first: 1 to second; third loses 1/log2(4) of what its best order gives; pool: the same
    assert delta["measured"] == pytest.approx((second - 1 - 0.5 / (1 + second)) / 3)
    assert (delta["outcome"], delta["questions"]) == ("fail", ["first", "third"])
    assert interval["outcome"] == "fail"
    assert interval["measured"] < 0


def test_a_pooled_rule_sums_what_stands_at_that_cutoff(runs: dict[str, Path]) -> None:
    (row,) = judged_by(runs, Rule("r", "recall@3", 0.5, aggregate="pooled"))
    assert row["measured"] == 3 / 4  # 1 of 1, 1 of 2 and 1 of 1


def test_a_metric_of_the_visible_cutoff_is_the_same_under_either_name(
    runs: dict[str, Path],
) -> None:
    rules = [
        Rule("a", "reciprocal_rank@2", 0.9),
        Rule("b", "reciprocal_rank", 0.9),
        Rule("c", "reciprocal_rank@2", 0.9, reads="interval"),
        Rule("d", "reciprocal_rank", 0.9, reads="interval"),
    ]
    for sides in ("all all", "none none"):  # measured there, or not at all
        rows = judged_by(runs, *rules, sides=sides)
        for one, other in ((rows[0], rows[1]), (rows[2], rows[3])):
            assert one["measured"] == other["measured"] is not None
            assert one["outcome"] == other["outcome"] == "fail"
    tolerated = QuestionRule(
        "q", "no_regression", ids=("first",), metrics=("reciprocal_rank@2",),
        tolerate=(Tolerance("first", "known", "2026-12-31", "reciprocal_rank@2"),),
    )  # fmt: skip
    (row,) = judged_by(runs, tolerated)
    assert row["outcome"] == "pass"
    assert len(row["tolerated"]) == 1


NOT_THERE = "was not measured for"


@pytest.mark.parametrize(
    ("sides", "reads", "who"),
    [
        ("all all", "value", "the candidate"),
        ("all all", "delta", "the candidate and the baseline"),
        ("all all", "interval", "the candidate and the baseline"),
        ("none none", "value", "the candidate"),
    ],
)
def test_a_cutoff_that_was_not_measured_is_unmeasurable_and_says_so(
    runs: dict[str, Path], sides: str, reads: Any, who: str
) -> None:
    (row,) = judged_by(runs, Rule("r", "ndcg@20", 0.0, reads=reads, least=0), sides=sides)
    assert row["outcome"] == "unmeasurable"
    assert row["why"] == f"nDCG@20 {NOT_THERE} {who} (conf: cutoffs)"


def test_a_value_needs_the_candidate_alone_and_a_change_both(runs: dict[str, Path]) -> None:
    value, delta = judged_by(
        runs,
        Rule("v", "ndcg@1", 0.0), Rule("d", "ndcg@1", -1.0, reads="delta"),
        sides="few all",
    )  # fmt: skip
    assert value["outcome"] == "pass"
    assert delta["why"] == f"nDCG@1 {NOT_THERE} the baseline (conf: cutoffs)"


def test_single_questions_and_limits_do_not_pass_over_what_was_not_measured(
    runs: dict[str, Path],
) -> None:
    rule = QuestionRule("q", "no_regression", metrics=("ndcg@20",))
    single, share = judged_by(runs, rule, na=(Share("ap", 1.0),), sides="none none")
    assert single["outcome"] == "unmeasurable"
    assert single["why"] == f"nDCG@20 {NOT_THERE} the candidate and the baseline (conf: cutoffs)"
    assert share["why"] == f"AP {NOT_THERE} the candidate (conf: cutoffs)"
    (broken,) = judged_by(runs, QuestionRule("q", "no_regression", metrics=("ndcg@3",)))
    assert (broken["outcome"], broken["questions"]) == ("fail", ["first", "third"])
    (share,) = judged_by(runs, na=(Share("ndcg@3", 0.0),))
    assert (share["outcome"], share["measured"], share["n"]) == ("pass", 0.0, 3)
