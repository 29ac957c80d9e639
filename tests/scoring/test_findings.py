from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.contract.metrics import COMPARED, METRICS
from pipeline.contract.results import Deltas
from pipeline.scoring.aggregates import aggregate
from pipeline.scoring.deltas import deltas
from pipeline.scoring.findings import findings
from pipeline.scoring.values import score
from tests.per_question import answered, failed, per_question
from tests.scoring.worlds import a_world, tables

Rows = list[dict[str, Any]]


def found(*rows: dict[str, Any]) -> dict[str, Any]:
    values = per_question(*rows)
    return findings(deltas(values, "A"), values)


def named(found: dict[str, Any], which: str) -> list[str]:
    return [entry["question_id"] for entry in found[which]]


def average(found: dict[str, Any], metric: str) -> dict[str, Any]:
    (row,) = (row for row in found["averages"] if row["metric"] == metric)
    return dict(row)


def test_a_question_with_one_worse_value_is_a_regression_with_both_values_and_its_causes() -> None:
    result = found(
        answered("A", "x", support=1.0, causes=["not_used"]),
        answered("B", "x", support=0.5, causes=["not_used", "extra_claim"]),
        *(answered(system, "y") for system in "AB"),
    )
    change = {"metric": "support", "before": 1.0, "before_reason": None}
    change |= {"after": 0.5, "after_reason": None}
    assert result["regressions"] == [
        {
            "question_id": "x",
            "metrics": [change],
            "causes": ["not_used", "extra_claim"],
            "new_causes": ["extra_claim"],
            "leaks": [],
        }
    ]
    assert named(result, "improvements") == []


def at_cutoffs(**moved: tuple[float, float | str]) -> Rows:
    """Deltas of question x, `metric_k` -> what it was and what it became."""
    rows = []
    for name, (before, after) in moved.items():
        lost = after if isinstance(after, str) else None
        change = 0.0 if isinstance(after, str) else after - before
        rows.append(
            {
                "baseline": "A", "candidate": "B", "question_id": "x",
                "metric": name.replace("_", "@"), "before": before, "before_reason": None,
                "after": None if lost else after, "after_reason": lost,
                "delta": None if lost else change,
                "direction": "unpaired" if lost else "worse" if change < 0 else "better",
                "causes": [],
            }
        )  # fmt: skip
    return rows


def among(*rows: dict[str, Any], more: Rows) -> dict[str, Any]:
    values = per_question(*rows)
    cut = pl.DataFrame(more, schema=Deltas.schema)
    return findings(pl.concat([deltas(values, "A"), cut]), values)


def test_a_fall_at_one_cutoff_alone_is_a_regression_with_causes_of_retrieval_alone() -> None:
    causes = ["below_cutoff", "not_used", "extra_claim"]
    result = among(
        answered("A", "x"), answered("B", "x", causes=causes), more=at_cutoffs(ndcg_1=(1.0, 0.5))
    )
    (entry,) = result["regressions"]
    assert [row["metric"] for row in entry["metrics"]] == ["ndcg@1"]
    assert entry["causes"] == entry["new_causes"] == ["below_cutoff"]
    assert average(result, "ndcg@1")["worse"] == 1


def test_beside_a_fall_of_the_whole_response_all_its_causes_are_named() -> None:
    result = among(
        answered("A", "x"), answered("B", "x", support=0.5, causes=["extra_claim"]),
        more=at_cutoffs(ndcg_1=(1.0, 0.5)),
    )  # fmt: skip
    assert result["regressions"][0]["causes"] == ["extra_claim"]


@pytest.mark.parametrize("after", [0.5, 1.0, "failed"])
def test_how_far_labels_reach_makes_no_question_worse_or_better(after: float | str) -> None:
    result = among(answered("A", "x"), answered("B", "x"), more=at_cutoffs(judged_10=(0.8, after)))
    assert result["regressions"] == result["improvements"] == []
    assert average(result, "judged@10")["n"] == (after != "failed")


def test_a_question_that_is_better_here_and_worse_there_is_named_in_both_lists() -> None:
    result = found(
        answered("A", "x", recall=0.5, support=1.0), answered("B", "x", recall=1.0, support=0.5)
    )
    assert named(result, "regressions") == named(result, "improvements") == ["x"]
    assert [row["metric"] for row in result["regressions"][0]["metrics"]] == ["support"]
    assert result["questions"]["mixed"] == 1


def test_a_value_lost_to_an_error_is_a_regression() -> None:
    result = found(answered("A", "x", support=0.0), failed("B", "x"))
    assert named(result, "regressions") == ["x"]
    lost = {row["metric"]: row["after_reason"] for row in result["regressions"][0]["metrics"]}
    assert lost["support"] == "failed"


def test_a_value_lost_for_want_of_claims_is_unpaired_and_no_regression_by_itself() -> None:
    result = found(answered("A", "x", support=0.5), answered("B", "x", support="no_claims"))
    assert named(result, "regressions") == []
    assert named(result, "unpaired") == ["x"]


def test_an_error_of_the_baseline_is_unpaired_and_no_improvement() -> None:
    result = found(failed("A", "x"), answered("B", "x"))
    assert named(result, "improvements") == named(result, "regressions") == []
    assert named(result, "unpaired") == ["x"]
    assert result["questions"]["no_pair"] == 1


def test_a_question_outside_the_population_on_both_sides_is_no_missing_pair() -> None:
    result = found(*(answered(system, "x", population="unanswerable") for system in "AB"))
    assert named(result, "unpaired") == []
    assert average(result, "recall")["unpaired"] == 0


def test_a_question_that_nobody_labelled_is_no_missing_pair() -> None:
    result = found(*(answered(system, "x", support="not_labelled") for system in "AB"))
    assert named(result, "unpaired") == []


@pytest.mark.parametrize("reason", ["not_labelled", "unanswerable", "answerable"])
def test_a_pair_that_one_side_alone_puts_outside_the_population_is_listed(reason: str) -> None:
    # one system's claims were recorded, the other's were not
    for before, after in ((1.0, reason), (reason, 1.0)):
        result = found(answered("A", "x", support=before), answered("B", "x", support=after))
        (entry,) = result["unpaired"]
        (row,) = entry["metrics"]
        assert (row["metric"], row["before_reason"] or row["after_reason"]) == ("support", reason)


def test_improvements_are_listed_with_their_values() -> None:
    result = found(answered("A", "x", recall=0.5), answered("B", "x"))
    (entry,) = result["improvements"]
    assert [(row["metric"], row["before"], row["after"]) for row in entry["metrics"]] == [
        ("recall", 0.5, 1.0)
    ]


def test_a_new_leak_is_a_regression_however_good_the_values_are() -> None:
    result = found(
        answered("A", "x", recall=0.5, leaks=["old"]),
        answered("B", "x", recall=1.0, leaks=["old", "secret"], causes=["leak"]),
    )
    assert [(e["question_id"], e["leaks"]) for e in result["regressions"]] == [("x", ["secret"])]


def test_a_leak_that_the_baseline_had_is_no_regression() -> None:
    result = found(answered("A", "x", leaks=["old"]), answered("B", "x", leaks=["old"]))
    assert named(result, "regressions") == []


def test_averages_are_over_pairs_alone_with_their_number() -> None:
    # pairs: x (1 → 0.5) and y (0 → 1); z has no value for A. before 1/2, after 3/4
    result = found(
        answered("A", "x", support=1.0), answered("B", "x", support=0.5),
        answered("A", "y", support=0.0), answered("B", "y", support=1.0),
        answered("A", "z", support="no_claims"), answered("B", "z", support=0.0),
    )  # fmt: skip
    assert average(result, "support") == {
        "metric": "support", "before": 0.5, "after": 0.75, "delta": 0.25,
        "n": 2, "better": 1, "worse": 1, "same": 0, "unpaired": 1,
    }  # fmt: skip


def test_an_average_without_a_pair_is_null() -> None:
    row = average(found(answered("A", "x"), answered("B", "x")), "abstention")
    assert (row["before"], row["after"], row["delta"], row["n"]) == (None, None, None, 0)


def test_averages_do_not_depend_on_the_order_of_summing() -> None:
    # nine tenths and a third, summed in any order, to the last bit
    numbers = [0.1, 0.7, 1 / 3, 0.9, 0.3, 2 / 3, 0.6]
    rows = [answered("A", f"q{at}", recall=v) for at, v in enumerate(numbers)]
    rows += [answered("B", f"q{at}", recall=v) for at, v in enumerate(reversed(numbers))]
    row = average(found(*rows), "recall")
    assert row["before"] == row["after"]


def test_every_question_is_counted_once_as_moved_or_not() -> None:
    result = found(
        answered("A", "worse"), answered("B", "worse", recall=0.0),
        answered("A", "better", recall=0.0), answered("B", "better"),
        answered("A", "both", recall=0.0), answered("B", "both", coverage=0.0),
        answered("A", "same"), answered("B", "same"),
        failed("A", "lost"), failed("B", "lost"),
    )  # fmt: skip
    assert result["questions"] == {
        "asked": 5, "worse": 2, "better": 2, "mixed": 1, "same": 1, "unpaired": 1, "no_pair": 1,
    }  # fmt: skip


values = st.sampled_from([0.0, 1 / 3, 0.5, 1.0])
sides = st.lists(st.one_of(values, st.just("failed")), min_size=1, max_size=3)


@settings(deadline=None)
@given(sides, sides, st.data())
def test_turning_a_value_of_the_candidate_into_an_error_never_helps(
    before: list[float | str], after: list[float | str], data: st.DataObject
) -> None:
    def result(candidate: list[float | str]) -> dict[str, Any]:
        rows: Rows = []
        for system, side in (("A", before), ("B", candidate)):
            for repeat, value in enumerate(side, 1):
                row = failed if value == "failed" else answered
                rows.append(row(system, "x", repeat, recall=value))
        return found(*rows)

    at = data.draw(st.integers(0, len(after) - 1))
    worse = [*after[:at], "failed", *after[at + 1 :]]
    assert set(named(result(after), "regressions")) <= set(named(result(worse), "regressions"))
    assert set(named(result(worse), "improvements")) <= set(named(result(after), "improvements"))


@pytest.mark.parametrize("status", ["failed", "judge_failed"])
def test_a_system_set_against_its_double_is_never_worse_or_better(status: str) -> None:
    rows: Rows = []
    for system in "AB":
        rows += [
            answered(system, "x", 1, recall=1 / 3),
            answered(system, "x", 2, status=status, support=status, coverage=status),
        ]
    result = found(*rows)
    assert named(result, "regressions") == named(result, "improvements") == []


def test_lists_are_in_order_of_question_and_metrics_as_they_are_shown() -> None:
    lower: dict[str, Any] = dict.fromkeys(("support", "recall", "coverage", "precision"), 0.0)
    result = found(
        *(answered("A", q) for q in ("b", "a")), *(answered("B", q, **lower) for q in ("b", "a"))
    )
    assert named(result, "regressions") == ["a", "b"]
    shown = [metric.name for metric in METRICS if metric.name in lower]
    assert [row["metric"] for row in result["regressions"][0]["metrics"]] == shown


def test_averages_name_every_metric_in_the_order_in_which_it_is_shown() -> None:
    names = [row["metric"] for row in found(answered("A", "x"), answered("B", "x"))["averages"]]
    assert names == [metric.name for metric in COMPARED]


@pytest.mark.parametrize("seed", range(40))
def test_averages_over_all_questions_are_the_macro_means_of_the_aggregates(seed: int) -> None:
    world = a_world(seed)
    frozen = tables(world)
    policy: Any = world.policy
    scored = score(frozen, cutoff=world.cutoff, policy=policy, with_claims=world.with_claims)
    overall = aggregate(scored, frozen.questions["attributes"], bounded=True).filter(attribute="")
    macro = {(row["system"], row["metric"]): row["macro"] for row in overall.to_dicts()}
    rows = deltas(scored, "A")
    for row in findings(rows, scored)["averages"] if len(rows) else []:
        if row["n"] and not row["unpaired"]:
            assert row["before"] == pytest.approx(macro["A", row["metric"]], rel=1e-12)
            assert row["after"] == pytest.approx(macro["B", row["metric"]], rel=1e-12)


def test_deltas_of_other_systems_do_not_enter() -> None:
    values = per_question(
        answered("A", "x"), answered("B", "x"), answered("C", "x", recall=0.0, leaks=["d"])
    )
    rows = deltas(values, "A").filter(pl.col("candidate") == "B")
    assert named(findings(rows, values), "regressions") == []
