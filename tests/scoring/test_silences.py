"""Abstention in the record and deflection by the judge are two things: where they disagree."""

from typing import Any

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contract.results import Silences
from pipeline.contract.tables import Statements, Verdicts
from pipeline.scoring.silences import silences

Told = tuple[int | None, str | None]
"""Claims on record, None: no record; the label of the deflection, None: no ruling."""

IDS = pl.Series([f"q{at}" for at in range(6)])


def listed(*answers: Told, more: list[dict[str, Any]] | None = None) -> list[tuple[Any, ...]]:
    keys = [{"system": "A", "repeat": 1, "question": at} for at in range(len(answers))]
    statements = [
        {**key, "judged": True, "claims": None if n is None else [-1] * n}
        for key, (n, _) in zip(keys, answers, strict=True)
    ]
    verdicts = [
        {**key, "kind": "deflection", "label": label}
        for key, (_, label) in zip(keys, answers, strict=True)
        if label is not None
    ]
    found = silences(
        pl.DataFrame([*verdicts, *(more or [])], schema=Verdicts.schema),
        pl.DataFrame(statements, schema=Statements.schema),
        IDS,
    )
    assert found.schema == Silences.schema
    return found.select("question_id", "abstained", "deflected").rows()


def test_both_ways_of_disagreeing_are_listed_and_agreement_is_not() -> None:
    # q0 and q3 agree; q1 claims nothing and does not deflect, q2 claims and deflects
    assert listed((0, "Yes"), (0, "No"), (2, "Yes"), (1, "No")) == [
        ("q1", True, False), ("q2", False, True),
    ]  # fmt: skip


def test_where_either_is_missing_there_is_nothing_to_disagree_on() -> None:
    assert listed((None, "Yes"), (0, None), (0, "maybe")) == []


def test_only_the_ruling_on_the_whole_answer_counts() -> None:
    key = {"system": "A", "repeat": 1, "question": 0}
    more = [
        {**key, "kind": "deflection", "item": 0, "label": "No"},
        {**key, "kind": "eligibility", "label": "No"},
    ]
    assert listed((0, "Yes"), more=more) == []


@given(
    st.lists(
        st.tuples(
            st.none() | st.integers(0, 2), st.none() | st.sampled_from(["Yes", "No", "other"])
        ),
        max_size=6,
    )
)
def test_it_agrees_with_a_plain_loop(answers: list[Told]) -> None:
    wanted = []
    for at, (claims, label) in enumerate(answers):
        if claims is None or label not in ("Yes", "No"):
            continue
        if (claims == 0) != (label == "Yes"):
            wanted.append((f"q{at}", claims == 0, label == "Yes"))
    assert listed(*answers) == wanted
