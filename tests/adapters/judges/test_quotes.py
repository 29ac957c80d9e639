"""Answers made of quotes: what people marked in the quoted words is what they state."""

from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.judges.labels import Labels
from pipeline.contract.tables import (
    Answers,
    Chunks,
    Claims,
    Evidence,
    Questions,
    Relevance,
    Statements,
    Verdicts,
    check,
)
from tests.adapters.frames import documents

Quote = tuple[int, int, int]
Mark = tuple[int, int, int | None, int | None, int | None, float | None]
DOCUMENTS = documents(["x" * 40, "y" * 40])
# d0 in chunks 0 to 2, that overlap, d1 in chunk 3
SPANS = [(0, 0, 20), (0, 10, 30), (0, 20, 40), (1, 0, 40)]
CHUNKS = pl.DataFrame(
    [
        {"chunk": at, "chunk_id": f"d{doc}#{a}-{b}", "doc": doc, "start": a, "end": b}
        for at, (doc, a, b) in enumerate(SPANS)
    ],
    schema=Chunks.schema,
)
# question 0 expects the claims 0 and 1, question 1 claim 2, question 2 none
CLAIMS = pl.DataFrame(
    {
        "claim": [0, 1, 2],
        "question": [0, 0, 1],
        "claim_id": ["x", "y", "x"],
        "text": [None] * 3,
    },
    schema=Claims.schema,
)
MARKED: list[Mark] = [(0, 0, 0, 5, 8, None), (0, 1, 1, 0, 9, None), (1, 0, 2, 15, 25, None)]


def judged(answers: Sequence[tuple[int, list[Quote] | None]], marks: list[Mark]) -> pl.DataFrame:
    """Statements on answers (question, quotes) to marks (question, doc, claim, span, grade)."""
    rows: list[dict[str, Any]] = [
        {
            "system": "rag",
            "repeat": 1,
            "question": question,
            "status": "ok",
            "context_recorded": True,
            "claim_ids": ["x"] if quotes is None else None,
            "citations": [["d1", "nowhere"]] if quotes is None else None,
            "quotes": quotes
            and [{"chunk": chunk, "start": start, "end": end} for chunk, start, end in quotes],
        }
        for question, quotes in answers
    ]
    columns = ("question", "doc", "claim", "start", "end", "grade")
    evidence = [dict(zip(columns, mark, strict=True)) for mark in marks]
    statements, _ = Labels().judge(
        pl.DataFrame(rows, schema=Answers.schema),
        Questions.empty(),
        CLAIMS,
        Relevance.empty(),
        pl.DataFrame(evidence, schema=Evidence.schema),
        CHUNKS,
        DOCUMENTS,
        Verdicts.empty(),
    )
    return check(Statements, statements)


def one(question: int, quotes: list[Quote], marks: list[Mark] | None = None) -> dict[str, Any]:
    return judged([(question, quotes)], MARKED if marks is None else marks).row(0, named=True)


def test_a_quote_states_the_claim_that_is_marked_in_it_and_cites_its_chunk() -> None:
    said = one(0, [(0, 0, 10)])
    assert said["judged"]
    assert (said["claims"], said["cited"]) == ([0], [1])
    assert (said["citations"], said["chunks"]) == ([0], [0])
    assert (said["claim_ids"], said["cited_ids"]) == (["x"], [["d0#0-20"]])


def test_a_quote_without_a_mark_is_an_extra_claim_named_by_its_place() -> None:
    said = one(0, [(1, 10, 20), (3, 30, 40)])
    assert (said["claims"], said["chunks"]) == ([-1, -1], [1, 3])
    assert said["claim_ids"] == ["d0#10-20", "d1#30-40"]


@pytest.mark.parametrize(
    ("quote", "claim"),
    [((0, 0, 5), -1), ((0, 0, 6), 0), ((0, 7, 20), 0), ((0, 8, 20), -1), ((0, 6, 7), 0)],
)
def test_one_shared_code_point_is_enough_and_touching_is_not(quote: Quote, claim: int) -> None:
    assert one(0, [quote])["claims"] == [claim]  # the mark is [5, 8)


def test_a_claim_is_one_statement_that_cites_each_chunk_once_in_order_of_the_quotes() -> None:
    wide: list[Mark] = [(0, 0, 0, 0, 40, None), (0, 0, 1, 0, 12, None)]
    said = one(0, [(1, 20, 30), (3, 0, 4), (1, 10, 15), (0, 0, 9)], wide)
    # claim 0 is in quotes 1, 3, 4; quote 2 has no mark; claim 1 is in quotes 3 and 4
    assert said["claims"] == [0, -1, 1]
    assert said["cited"] == [2, 1, 2]
    assert said["chunks"] == [1, 0, 3, 1, 0]
    assert said["citations"] == [0, 0, 1, 0, 0]
    assert said["cited_ids"] == [["d0#10-30", "d0#0-20"], ["d1#0-40"], ["d0#10-30", "d0#0-20"]]


def test_marks_of_another_question_document_or_of_no_count() -> None:
    assert one(1, [(0, 0, 10)])["claims"] == [-1], "question 1 marks [15, 25)"
    no: list[Mark] = [(1, 0, 2, 0, 9, 0.0), (1, 0, 2, 15, 25, 2.0), (1, 0, None, 0, 9, None)]
    assert one(1, [(0, 0, 9)], no)["claims"] == [-1]
    assert one(1, [(3, 15, 25)], no)["claims"] == [-1]
    assert one(1, [(0, 15, 20)], no)["claims"] == [2]


def test_where_an_expected_claim_has_no_span_nothing_is_known_of_any_answer_of_quotes() -> None:
    whole: list[Mark] = [(0, 0, 0, 5, 8, None), (0, 1, 1, None, None, None)]
    statements = judged([(0, [(0, 0, 10)]), (0, []), (1, [])], [*whole, (1, 0, 2, 1, 2, 0.0)])
    for name in ("claims", "cited", "citations", "chunks", "claim_ids", "cited_ids"):
        assert statements[name].to_list() == [None, None, None], name
    assert statements["judged"].all()


def test_an_abstention_makes_no_claim_and_an_unanswerable_question_has_extra_claims_only() -> None:
    statements = judged([(0, []), (2, []), (2, [(0, 0, 10)])], MARKED)
    assert statements["claims"].to_list() == [[], [], [-1]]
    assert statements["chunks"].to_list() == [[], [], [0]]
    assert statements["cited_ids"].to_list() == [[], [], [["d0#0-20"]]]


def test_recorded_answers_beside_answers_of_quotes_name_documents() -> None:
    statements = judged([(0, None), (0, [(0, 0, 10)]), (1, None)], MARKED)
    assert statements["question"].to_list() == [0, 0, 1]
    assert statements["claims"].to_list() == [[0], [0], [2]]
    assert statements["chunks"].to_list() == [None, [0], None]
    assert statements["citations"].to_list() == [[1, -1], [0], [1, -1]]


def test_nothing_is_judged_to_nothing() -> None:
    assert len(judged([], [])) == 0


def quotes_of(draw: Any) -> Quote:
    chunk = draw(st.integers(0, 3))
    _, low, high = SPANS[chunk]
    start = draw(st.integers(low, high - 1))
    return chunk, start, draw(st.integers(start + 1, high))


quote = st.composite(quotes_of)()
span = st.none() | st.tuples(st.integers(0, 38), st.integers(1, 12)).map(lambda s: (s[0], sum(s)))
owner = st.sampled_from([(0, 0), (0, 1), (1, 2), (0, None), (2, None)])
mark = st.tuples(owner, st.integers(0, 1), span, st.sampled_from([None, 0.0, 1.0])).map(
    lambda m: (m[0][0], m[1], m[0][1], *(m[2] or (None, None)), m[3])
)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.none() | st.lists(quote, max_size=4)), max_size=5),
    st.lists(mark, max_size=8),
)
def test_it_agrees_with_a_plain_loop(
    answers: list[tuple[int, list[Quote] | None]], marks: list[Mark]
) -> None:
    found = judged(answers, marks)
    for (question, quotes), said in zip(answers, found.iter_rows(named=True), strict=True):
        if quotes is None:
            assert said["chunks"] is None
            continue
        yes = [
            (doc, claim, set(range(start, end)))
            for _, doc, claim, start, end, grade in marks
            if start is not None and end is not None and (grade is None or grade > 0)
        ]
        asked = [c for c, q in ((0, 0), (1, 0), (2, 1)) if q == question]
        if any(claim not in {marked for _, marked, _ in yes} for claim in asked):
            assert said["claims"] is None
            assert said["chunks"] is None
            continue
        stated: dict[tuple[int, int], list[int]] = {}
        names = []
        for at, (chunk, start, end) in enumerate(quotes):
            doc = SPANS[chunk][0]
            hits = {
                claim
                for of, claim, span in yes
                if claim in asked and of == doc and span & set(range(start, end))
            }
            for claim in sorted(hits) or [-1]:
                key = (claim, 0 if claim >= 0 else at)
                if key not in stated:
                    names.append("xyx"[claim] if claim >= 0 else f"d{doc}#{start}-{end}")
                cites = stated.setdefault(key, [])
                cites += [] if chunk in cites else [chunk]
        assert said["claims"] == [claim for claim, _ in stated]
        assert said["cited"] == [len(cites) for cites in stated.values()]
        assert said["chunks"] == [c for cites in stated.values() for c in cites]
        assert said["citations"] == [SPANS[c][0] for c in said["chunks"]]
        assert said["claim_ids"] == names
        ids = CHUNKS["chunk_id"].to_list()
        assert said["cited_ids"] == [[ids[c] for c in cites] for cites in stated.values()]
