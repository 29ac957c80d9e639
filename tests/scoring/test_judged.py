"""Values that come from verdicts: which response has one, and why the others have none."""

from typing import Any

import polars as pl
import pytest

from pipeline.contract.metrics import ENTAILMENT, FAMILIES, GROUNDED, JUDGED, REASONS
from pipeline.contract.results import Judged, present
from pipeline.contract.tables import PAIRS, RESPONSE_KEY, Answers, Statements, Verdicts
from pipeline.scoring.aggregates import aggregate, summary
from pipeline.scoring.deltas import deltas
from pipeline.scoring.judged import FAMILY, judged
from tests.entailed import result, table

IDS = pl.Series(["p", "q"])
NAMES = [metric.name for metric in ENTAILMENT]


def ruled(
    *verdicts: pl.DataFrame,
    status: tuple[str, str] = ("ok", "ok"),
    judge: tuple[bool, bool] = (True, True),
) -> pl.DataFrame:
    """Judged of one system's answers to two questions."""
    key: dict[str, Any] = {"system": ["A", "A"], "repeat": [1, 1], "question": [0, 1]}
    schema = {name: Answers.schema[name] for name in (*RESPONSE_KEY, "status")}
    answers = pl.DataFrame({**key, "status": status}, schema=schema)
    schema = {name: Statements.schema[name] for name in (*RESPONSE_KEY, "judged")}
    statements = pl.DataFrame({**key, "judged": judge}, schema=schema)
    return judged(pl.concat([Verdicts.empty(), *verdicts]), answers, statements, IDS)


def reasons(frame: pl.DataFrame, row: int) -> dict[str, str]:
    found = {name: frame[f"{name}_reason"][row] for name in NAMES}
    assert all((frame[name][row] is None) == (why is not None) for name, why in found.items())
    return {name: why for name, why in found.items() if why is not None}


ONE, OTHER = table(result("p"), 0), table(result("q"), 1)


def test_every_family_is_computed() -> None:
    assert (*(family.metrics for family in FAMILY), GROUNDED) == FAMILIES
    assert len({metric.name for metric in JUDGED}) == len(JUDGED) == 20


def test_without_verdicts_the_table_is_empty_and_holds_no_family() -> None:
    assert ruled().is_empty()
    assert present(ruled()) == ()


def test_verdicts_of_other_kinds_are_no_label_of_this_family() -> None:
    frame = ruled(ONE.with_columns(kind=pl.lit("eligible")))
    assert set(reasons(frame, 0).values()) == {"not_labelled"}
    assert present(frame) == ()


def test_each_response_has_its_row_in_order_with_its_questions_id() -> None:
    frame = ruled(ONE, OTHER)
    assert frame.select("system", "repeat", "question", "question_id").rows() == [
        ("A", 1, 0, "p"), ("A", 1, 1, "q"),
    ]  # fmt: skip
    assert reasons(frame, 0) == reasons(frame, 1) == {}
    assert present(frame) == ENTAILMENT


def test_an_answer_nobody_ruled_on_is_the_judges_failure_not_a_missing_label() -> None:
    frame = ruled(ONE)
    assert reasons(frame, 1) == dict.fromkeys(NAMES, "judge_failed")
    assert set(reasons(ruled(ONE, OTHER, judge=(True, False)), 1).values()) == {"judge_failed"}


def test_an_answer_that_failed_says_so() -> None:
    assert set(reasons(ruled(ONE, status=("ok", "failed")), 1).values()) == {"failed"}


def test_a_failed_answer_keeps_what_its_passages_were_ruled_to_hold() -> None:
    lost = reasons(ruled(ONE, OTHER, status=("ok", "failed")), 1)
    assert set(NAMES) - set(lost) == {"claim_recall", "context_precision"}


def test_no_claims_is_the_reason_where_there_is_none() -> None:
    silent = table(result("q", precise="", held=()), 1)
    lost = reasons(ruled(ONE, silent), 1)
    assert set(lost.values()) == {"no_claims"}
    assert "entailment_recall" not in lost


def test_reasons_are_those_of_the_contract() -> None:
    frame = ruled(ONE)
    assert set(frame["faithfulness_reason"].drop_nulls()) <= set(REASONS)


def averaged(frame: pl.DataFrame) -> dict[str, Any]:
    attributes = pl.Series([[], []], dtype=PAIRS)
    return summary(aggregate(frame, attributes, bounded=True, metrics=ENTAILMENT))["A"]


def test_an_error_counts_as_the_worst_in_a_strict_mean_and_silence_counts_for_nothing() -> None:
    # precision 1/2 and failed: macro 1/2, strict (1/2 + 0)/2; hallucination 1/2: strict (1/2 + 1)/2
    found = averaged(ruled(ONE, status=("ok", "failed")))
    means = {name: (found[name]["macro"], found[name]["strict"]) for name in NAMES}
    assert means["entailment_precision"] == (0.5, 0.25)
    assert means["hallucination"] == (0.5, 0.75)
    silent = averaged(ruled(ONE, table(result("q", precise="", held=()), 1)))
    precise = silent["entailment_precision"]
    assert (precise["macro"], precise["strict"], precise["n"]) == (0.5, 0.5, 1)
    assert precise["na"] == {"no_claims": 1}


def test_f1_is_the_mean_of_the_questions_f1() -> None:
    # p: P = 1/2, R = 1, F1 = 2/3; q: P = 1, R = 1/2, F1 = 2/3; F1 of the means would be 3/4
    other = table(result("q", precise="EE", recalled="EN"), 1)
    assert averaged(ruled(ONE, other))["entailment_f1"]["macro"] == pytest.approx(2 / 3)


def test_two_systems_are_compared_by_these_metrics_too_and_lower_may_be_better() -> None:
    rows = ruled(ONE, OTHER)
    worse = rows.with_columns(
        system=pl.lit("B"), hallucination=pl.lit(1.0), faithfulness=pl.lit(0.0)
    )
    causes = pl.DataFrame(
        {"system": ["B", "B"], "question_id": ["p", "q"], "causes": [[], []]},
        schema_overrides={"causes": pl.List(pl.String)},
    )
    both = pl.concat([rows, worse])
    found = deltas(both, "A", metrics=ENTAILMENT, causes=causes)
    ways = dict(found.filter(question_id="p").select("metric", "direction").iter_rows())
    assert (ways["hallucination"], ways["faithfulness"]) == ("worse", "worse")
    assert set(ways) == set(NAMES)


def test_the_table_is_what_is_declared() -> None:
    assert ruled(ONE).schema == Judged.schema
