"""The eleven measures of entailment: by hand, against plain loops, and within their bounds."""

import json
import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contract.metrics import ENTAILMENT
from pipeline.contract.tables import Verdicts
from pipeline.scoring.entailment import entailment
from tests.entailed import oracle, result, table

REAL = Path(os.environ.get("RAG_ASSAY_DATA", "/nonexistent")) / "ragchecker"
NAMES = [metric.name for metric in ENTAILMENT]
OF_ANSWER = (
    "entailment_precision", "noise_sensitivity_in_relevant", "noise_sensitivity_in_irrelevant",
    "hallucination", "self_knowledge", "faithfulness",
)  # fmt: skip
OF_REFERENCE = ("entailment_recall", "claim_recall", "context_precision", "context_utilization")


def measured(found: dict[str, Any]) -> dict[str, Any]:
    (row,) = entailment(table(found)).iter_rows(named=True)
    return {name: row[name] for name in NAMES}


def test_each_measure_is_what_its_definition_says() -> None:
    # The answer makes 5 claims, 2 of them right. Passage 0 entails a claim of the reference,
    # so it is relevant, passage 1 entails none.
    found = measured(result(
        "q", precise="EENNC", recalled="ENEN",
        held=("EN", "NN", "EE", "NE", "NN"), expected=("EN", "EN", "NN", "NC"),
    ))  # fmt: skip
    assert found == {
        "entailment_precision": 2 / 5,
        "entailment_recall": 2 / 4,
        "entailment_f1": pytest.approx(2 * 0.4 * 0.5 / 0.9),
        "claim_recall": 2 / 4,
        "context_precision": 1 / 2,
        "context_utilization": 1 / 2,  # of the two claims in passage 0 the answer has one
        "noise_sensitivity_in_relevant": 1 / 5,  # the third claim; both passages entail it
        "noise_sensitivity_in_irrelevant": 1 / 5,  # the fourth
        "hallucination": 1 / 5,  # the fifth
        "self_knowledge": 1 / 5,  # the second
        "faithfulness": 3 / 5,
    }


def test_a_wrong_claim_in_both_kinds_of_passages_counts_for_the_relevant_ones_only() -> None:
    found = measured(result("q", precise="N", recalled="E", held=("EE",), expected=("EN",)))
    assert found["noise_sensitivity_in_relevant"] == 1.0
    assert found["noise_sensitivity_in_irrelevant"] == 0.0


def test_a_contradiction_is_no_entailment() -> None:
    found = measured(result("q", precise="C", recalled="C", held=("C",), expected=("C",)))
    zero = dict.fromkeys(NAMES, 0.0)
    assert found == zero | {"hallucination": 1.0, "context_utilization": None}


def test_an_answer_without_claims_is_not_applicable_but_has_a_recall_of_0() -> None:
    found = measured(result("q", precise="", recalled="NN", held=(), expected=("E", "N")))
    assert {name: found[name] for name in OF_ANSWER} == dict.fromkeys(OF_ANSWER)
    assert found["entailment_f1"] is None
    assert [found[name] for name in OF_REFERENCE] == [0.0, 1 / 2, 1.0, 0.0]


def test_a_reference_without_claims_leaves_the_sides_that_need_it_not_applicable() -> None:
    found = measured(result("q", precise="NN", recalled="", held=("E", "N"), expected=()))
    needing = (*OF_REFERENCE, "entailment_f1", *OF_ANSWER[1:3])
    assert {name: found[name] for name in needing} == dict.fromkeys(needing)
    assert (found["entailment_precision"], found["faithfulness"]) == (0.0, 1 / 2)
    assert (found["hallucination"], found["self_knowledge"]) == (1 / 2, 0.0)


def test_without_passages_nothing_is_retrieved_and_every_claim_stands_alone() -> None:
    found = measured(result("q", held=("", ""), expected=("", "")))
    assert (found["claim_recall"], found["context_precision"]) == (0.0, 0.0)
    assert found["context_utilization"] is None
    assert (found["faithfulness"], found["self_knowledge"], found["hallucination"]) == (0, 0.5, 0.5)


def test_no_verdicts_give_no_rows_and_verdicts_of_other_kinds_none_either() -> None:
    assert entailment(Verdicts.empty()).is_empty()
    other = table(result("q")).with_columns(kind=pl.lit("eligible"))
    assert entailment(other).is_empty()


@st.composite
def results(draw: st.DrawFn) -> dict[str, Any]:
    claims, expected, passages = (draw(st.integers(0, 4)) for _ in range(3))
    letters = st.sampled_from("EENC")

    def word(length: int) -> str:
        return "".join(draw(st.lists(letters, min_size=length, max_size=length)))

    return result(
        "q", word(claims), word(expected),
        tuple(word(passages) for _ in range(claims)),
        tuple(word(passages) for _ in range(expected)),
        retrieved_context=[{"doc_id": str(at), "text": "x"} for at in range(passages)],
    )  # fmt: skip


@given(st.lists(results(), max_size=4), st.randoms(use_true_random=False))
def test_it_agrees_with_plain_loops_whatever_the_order_of_rows(
    drawn: list[dict[str, Any]], random: Any
) -> None:
    frames = [table(found, question) for question, found in enumerate(drawn)]
    verdicts = pl.concat([Verdicts.empty(), *frames])
    shuffled = verdicts.sample(fraction=1, shuffle=True, seed=random.randrange(1000))
    rows = entailment(shuffled).to_dicts()
    assert [row["question"] for row in rows] == list(range(len(drawn)))
    assert [{name: row[name] for name in NAMES} for row in rows] == [
        {name: value if value is None else pytest.approx(value) for name, value in wanted.items()}
        for wanted in map(oracle, drawn)
    ]


@given(results())
def test_values_are_fractions_and_the_claims_of_an_answer_divide_among_them(
    drawn: dict[str, Any],
) -> None:
    found = measured(drawn)
    assert all(value is None or 0 <= value <= 1 for value in found.values())
    if found["faithfulness"] is not None:
        parts = ("faithfulness", "hallucination", "self_knowledge")
        assert sum(found[name] for name in parts) == pytest.approx(1)
    if found["noise_sensitivity_in_relevant"] is not None:
        wrong = ("noise_sensitivity_in_relevant", "noise_sensitivity_in_irrelevant", parts[1])
        assert sum(found[name] for name in wrong) == pytest.approx(1 - found[NAMES[0]])


@given(results(), st.sampled_from(["answer2response", "response2answer"]))
def test_one_more_entailment_never_lowers_precision_recall_or_f1(
    drawn: dict[str, Any], field: str
) -> None:
    if drawn[field]:
        better = drawn | {field: ["Entailment", *drawn[field][1:]]}
        before, after = measured(drawn), measured(better)
        for name in NAMES[:3]:
            assert before[name] is None or after[name] >= before[name]


@pytest.mark.skipif(not REAL.is_dir(), reason="RAG_ASSAY_DATA names no folder with ragchecker")
def test_the_stored_values_of_each_question_come_out_exactly() -> None:
    stored = json.loads((REAL / "checking_outputs.json").read_text("utf-8"))["results"]
    assert len(stored) == 2
    for found in stored:
        values = measured(found)
        for name, value in found["metrics"].items():
            own = name if name in values else f"entailment_{name}"
            assert values[own] == pytest.approx(value, abs=1e-15), name
        assert len(found["metrics"]) == len(values) == 11
