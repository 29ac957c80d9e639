"""The labels judge: a claim is the expected claim whose id it bears, or an extra one."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.judges.labels import Labels
from pipeline.contract.errors import ConfigError
from pipeline.contract.tables import (
    Answers,
    Chunks,
    Claims,
    Evidence,
    Relevance,
    Statements,
    Verdicts,
    check,
)

DOCUMENTS = pl.DataFrame(
    {"doc": [0, 1], "doc_id": ["d", "e"]}, schema={"doc": pl.UInt32, "doc_id": pl.String}
)
QUESTIONS = pl.DataFrame({"question_id": ["q0", "q1", "q2"]})
CLAIMS = pl.DataFrame(
    {"claim": [0, 1], "question": [0, 1], "claim_id": ["x", "x"], "text": [None, None]},
    schema=Claims.schema,
)
Stated = list[tuple[str, list[str]]] | None


def judged(
    rows: list[tuple[int, Stated]], without: str = "failed"
) -> list[tuple[object, object, object]]:
    """Claims, how many citations each has, and these; `without`: status where none are."""
    answers = pl.DataFrame(
        {
            "system": ["A"] * len(rows),
            "repeat": [1] * len(rows),
            "question": [question for question, _ in rows],
            "status": [without if c is None else "ok" for _, c in rows],
            "claim_ids": [None if c is None else [name for name, _ in c] for _, c in rows],
            "citations": [None if c is None else [cited for _, cited in c] for _, c in rows],
            "quotes": [None] * len(rows),
            "sentences": [None] * len(rows),
        },
        schema={
            name: Answers.schema[name]
            for name in (
                "system",
                "repeat",
                "question",
                "status",
                "claim_ids",
                "citations",
                "quotes",
                "sentences",
            )
        },
    )
    statements, verdicts = Labels().judge(
        answers,
        QUESTIONS,
        CLAIMS,
        Relevance.empty(),
        Evidence.empty(),
        Chunks.empty(),
        DOCUMENTS,
        Verdicts.empty(),
    )
    check(Statements, statements)
    assert check(Verdicts, verdicts).is_empty()
    assert statements["judged"].all()
    assert statements["chunks"].null_count() == len(rows)
    assert statements["claim_ids"].equals(answers["claim_ids"], null_equal=True)
    assert statements["cited_ids"].equals(answers["citations"], null_equal=True)
    return statements.select("claims", "cited", "citations").rows()


def test_claims_and_citations_become_codes_and_unknown_ones_minus_one() -> None:
    rows: list[tuple[int, Stated]] = [
        (0, [("x", ["e", "d"]), ("other", [])]),
        (1, [("x", ["nowhere"])]),
    ]
    assert judged(rows) == [([0, -1], [2, 0], [1, 0]), ([1], [1], [-1])]


def test_no_claims_and_no_record_of_claims_are_two_things() -> None:
    assert judged([(0, []), (0, None)]) == [([], [], []), (None, None, None)]


def test_recorded_answers_in_words_only_are_refused_where_claims_are_expected() -> None:
    with pytest.raises(ConfigError) as caught:
        judged([(0, [("x", [])]), (1, None)], without="ok")
    assert str(caught.value) == (
        "conf: judge: expected claims by id in responses.jsonl, which is all that labels can "
        "read, got 1 answer of A without, to q1; "
        "add `claims` to them, or let a model read them: judge=openai"
    )


def test_nothing_is_judged_to_nothing() -> None:
    assert judged([]) == []


names = st.sampled_from(["x", "y", "z"])
stated = st.none() | st.lists(
    st.tuples(names, st.lists(st.sampled_from(["d", "e", "f"]), max_size=3)), max_size=3
)


@given(st.lists(st.tuples(st.sampled_from([0, 1, 2]), stated), max_size=6))
def test_it_agrees_with_a_plain_loop(rows: list[tuple[int, Stated]]) -> None:
    docs, claims = {"d": 0, "e": 1}, {(0, "x"): 0, (1, "x"): 1}
    wanted = [
        (None, None, None)
        if told is None
        else (
            [claims.get((question, name), -1) for name, _ in told],
            [len(cited) for _, cited in told],
            [docs.get(doc, -1) for _, cited in told for doc in cited],
        )
        for question, told in rows
    ]
    assert judged(rows) == wanted
