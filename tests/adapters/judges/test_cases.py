"""What a judge is told of an answer: its words, its marks, what of its context is relevant."""

from typing import Any

import polars as pl

from pipeline.adapters.chunkers.spoken import spoken
from pipeline.adapters.judges.cases import Case, cases
from pipeline.adapters.judges.relevant import GROUNDS
from pipeline.calls.fence import numbered
from pipeline.contract.tables import (
    Answers,
    Chunks,
    Claims,
    Documents,
    Evidence,
    Questions,
    Relevance,
)


def case(
    answer: dict[str, Any],
    *,
    relevant: tuple[int, ...] = (),
    marked: tuple[tuple[int, int, int], ...] = (),
    told: dict[int, str] | None = None,
    **question: Any,
) -> Case:
    """The case of one answer over three documents of ten characters, each in two chunks."""
    docs = [
        {
            "doc": at, "doc_id": f"d{at}", "text": "0123456789",
            "attributes": [{"key": GROUNDS, "value": told[at]}] if told and at in told else [],
        }
        for at in range(3)
    ]  # fmt: skip
    chunks = [
        {"chunk": 2 * at + half, "chunk_id": "c", "doc": at, "start": 5 * half, "end": 5 * half + 5}
        for at in range(3)
        for half in range(2)
    ]
    asked = {"question": 0, "question_id": "q", "text": "?", "labelled": True, "attributes": []}
    said = {"system": "A", "repeat": 1, "question": 0, "status": "ok", "context": [0, 1, 2, 4]}
    rows = [{"question": 0, "doc": doc, "yes": 1, "votes": 1, "grade": 1.0} for doc in relevant]
    marks = [{"question": 0, "doc": doc, "start": a, "end": b} for doc, a, b in marked]
    (found,) = cases(
        pl.DataFrame([said | answer], schema=Answers.schema),
        pl.DataFrame([asked | question], schema=Questions.schema),
        Claims.empty(),
        pl.DataFrame(rows, schema=Relevance.schema),
        pl.DataFrame(marks, schema=Evidence.schema),
        pl.DataFrame(chunks, schema=Chunks.schema),
        pl.DataFrame(docs, schema=Documents.schema),
    )
    return found


WORDS = {"answer": "So."}


def test_a_chunk_is_relevant_with_its_document_or_where_a_span_of_it_is_marked() -> None:
    # the context: both halves of d0, the first ones of d1 and d2
    assert case(WORDS, relevant=(0, 2)).relevant == (0, 1, 3)
    assert case(WORDS, relevant=(0, 2), marked=((0, 5, 6),)).relevant == (1, 3)
    assert case(WORDS, relevant=(0,), marked=((0, 4, 6),)).relevant == (0, 1)
    assert case(WORDS).relevant == ()


def test_what_nobody_labelled_is_not_called_irrelevant() -> None:
    assert case(WORDS, labelled=False).relevant is None


def test_a_set_whose_gold_set_is_another_says_of_each_passage_whether_it_is_relevant() -> None:
    assert case(WORDS, relevant=(0,), told={0: "NO", 1: "YES", 2: "NO"}).relevant == (2,)


def test_an_answer_says_nothing_where_it_has_no_words_or_no_quotes() -> None:
    silent: list[dict[str, Any]] = [{"answer": " \n"}, {"answer": ""}, {"quotes": []}]
    for answer in silent:
        found = case(answer)
        assert (found.silent, found.text, found.failed) == (True, None, False)
    unknown = case({"answer": None})
    assert (unknown.silent, unknown.text) == (False, None)
    failed = case({"answer": "", "status": "failed"})
    assert (failed.silent, failed.text, failed.failed) == (False, None, True)


def test_marks_are_read_in_both_spellings_and_no_other() -> None:
    assert case({"answer": "So [1] [cite_2] [cite_03] [3, 4] [Cite_5]."}).marks == {"1", "2", "03"}


def test_marks_behind_a_full_stop_belong_to_the_sentence_before() -> None:
    answer = "It is red. [cite_1][cite_2] It is old [3]. [4]"
    assert [answer[a:b] for a, b in spoken(answer, "en")] == [
        "It is red. [cite_1][cite_2]", "It is old [3]. [4]",
    ]  # fmt: skip


def test_texts_keep_the_numbers_that_they_are_given() -> None:
    assert numbered(["a", "b"], [2, 7]) == "[2]\n```\na\n```\n\n[7]\n```\nb\n```"
