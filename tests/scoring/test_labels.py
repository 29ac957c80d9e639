from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.contract.tables import Documents, Questions
from pipeline.scoring.labels import MARKS, SETTLED, TEXTS, Labels, label, voters

ADA, BEN, CY = "ada", "ben", "cy"


def questions(*rows: dict[str, Any]) -> pl.DataFrame:
    base = {"text": "?", "split": "dev", "line": 1, "labelled": True, "annotators": [],
            "attributes": []}  # fmt: skip
    made = [{**base, "question": n, "question_id": f"q{n}", **row} for n, row in enumerate(rows)]
    return pl.DataFrame(made, schema=Questions.schema)


def documents(*groups: list[str] | None) -> pl.DataFrame:
    made = [
        {"doc": n, "doc_id": f"d{n}", "text": "x", "access_groups": one, "attributes": []}
        for n, one in enumerate(groups)
    ]
    return pl.DataFrame(made, schema=Documents.schema)


def of(
    asked: pl.DataFrame,
    corpus: pl.DataFrame,
    settled: list[tuple[int, str | None, int]] | None = None,
    marks: list[tuple[Any, ...]] | None = None,
    texts: list[tuple[int, str, str]] | None = None,
) -> Labels:
    """Label tables; a mark is (question, doc, claim, annotator[, grade[, start, end]])."""
    full = [(*mark, *(None,) * (7 - len(mark))) for mark in marks or []]
    return label(
        asked,
        corpus,
        pl.DataFrame(settled or [], schema=SETTLED, orient="row"),
        pl.DataFrame(full, schema=MARKS, orient="row"),
        pl.DataFrame(texts or [], schema=TEXTS, orient="row"),
    )


def rows(frame: pl.DataFrame, *columns: str) -> list[tuple[Any, ...]]:
    return frame.select(columns).rows()


def test_settled_labels_are_one_vote_of_one() -> None:
    labels = of(questions({}), documents(None, None), [(0, None, 0), (0, None, 1), (0, "c", 1)])
    assert rows(labels.relevance, "question", "doc", "yes", "votes", "grade") == [
        (0, 0, 1, 1, 1.0), (0, 1, 1, 1, 1.0),
    ]  # fmt: skip
    assert rows(labels.support, "question", "claim", "doc", "yes", "votes") == [(0, 0, 1, 1, 1)]
    assert rows(labels.claims, "claim", "question", "claim_id", "text") == [(0, 0, "c", None)]


def test_who_labelled_the_question_and_is_silent_said_no() -> None:
    asked = questions({"annotators": [ADA, BEN, CY]})
    labels = of(asked, documents(None), marks=[(0, 0, None, ADA), (0, 0, None, BEN)])
    # two of the three marked the document: 2 of 3
    assert rows(labels.relevance, "yes", "votes") == [(2, 3)]


def test_marks_on_one_document_are_one_yes_of_their_annotator() -> None:
    asked = questions({"annotators": [ADA, BEN]})
    marks = [(0, 0, "c", ADA, None, 0, 1), (0, 0, "c", ADA, None, 3, 4), (0, 0, "e", ADA)]
    labels = of(asked, documents(None), marks=marks)
    assert rows(labels.relevance, "yes", "votes") == [(1, 2)]
    assert rows(labels.support, "claim", "yes", "votes") == [(0, 1, 2), (1, 1, 2)]


def test_a_mark_for_a_claim_is_one_for_its_document() -> None:
    labels = of(questions({"annotators": [ADA]}), documents(None), marks=[(0, 0, "c", ADA)])
    assert rows(labels.relevance, "doc", "yes", "votes") == [(0, 1, 1)]


def test_grade_0_is_a_no_and_the_highest_grade_is_kept() -> None:
    asked = questions({"annotators": [ADA, BEN, CY]})
    marks = [(0, 0, None, ADA, 0.0), (0, 0, None, BEN, 1.0), (0, 0, None, CY, 2.5)]
    marks += [(0, 1, None, ADA, 0.0)]
    labels = of(asked, documents(None, None), marks=marks)
    assert rows(labels.relevance, "doc", "yes", "votes", "grade") == [(0, 2, 3, 2.5)]
    assert len(labels.evidence) == 4


def test_an_ungraded_yes_is_grade_1_whoever_said_no() -> None:
    asked = questions({"annotators": [ADA, BEN]})
    labels = of(asked, documents(None), marks=[(0, 0, None, ADA), (0, 0, None, BEN, 0.0)])
    assert rows(labels.relevance, "yes", "votes", "grade") == [(1, 2, 1.0)]


def test_evidence_is_in_order_of_question_document_claim_annotator_and_place() -> None:
    marks = [
        (0, 1, "c", ADA, None, 3, 4), (0, 1, "c", ADA, None, 0, 9), (0, 1, "c", ADA, None, 0, 2),
        (0, 0, "d", BEN), (0, 0, "d", ADA), (0, 0, "c", CY), (0, 0, None, CY),
    ]  # fmt: skip
    labels = of(questions({"annotators": [ADA, BEN, CY]}), documents(None, None), marks=marks)
    assert rows(labels.evidence, "doc", "claim", "annotator", "start", "end") == [
        (0, None, CY, None, None), (0, 0, CY, None, None), (0, 1, ADA, None, None),
        (0, 1, BEN, None, None), (1, 0, ADA, 0, 2), (1, 0, ADA, 0, 9), (1, 0, ADA, 3, 4),
    ]  # fmt: skip


def test_marks_without_a_name_are_one_annotator() -> None:
    asked = questions({"annotators": [ADA]}, {})
    marks = [(0, 0, None, None), (0, 1, None, None), (1, 0, None, None)]
    labels = of(asked, documents(None, None), marks=marks)
    # question 0: ada (silent) and the nameless one; question 1: the nameless one alone
    assert rows(labels.relevance, "question", "doc", "yes", "votes") == [
        (0, 0, 1, 2), (0, 1, 1, 2), (1, 0, 1, 1),
    ]  # fmt: skip


def test_marks_on_settled_labels_do_not_vote() -> None:
    asked = questions({"annotators": [ADA, BEN]})
    labels = of(asked, documents(None), [(0, None, 0)], [(0, 0, None, ADA, 2.0)])
    assert rows(labels.relevance, "yes", "votes", "grade") == [(1, 1, 2.0)]


@pytest.mark.parametrize(
    ("access", "caller", "readable"),
    [
        (None, None, True),
        (None, ["guests"], True),
        (["staff"], None, True),
        (["staff"], ["guests"], False),
        (["staff", "guests"], ["guests"], True),
        (["staff"], [], False),
        ([], ["guests"], False),
        ([], None, True),
    ],
)
def test_a_document_is_read_by_who_shares_a_group_with_it(
    access: list[str] | None, caller: list[str] | None, readable: bool
) -> None:
    labels = of(
        questions({"caller_groups": caller}), documents(access), [(0, None, 0), (0, "c", 0)]
    )
    assert len(labels.relevance) == len(labels.support) == len(labels.claims) == readable


def test_what_the_caller_may_not_read_leaves_labels_and_claims_but_not_the_evidence() -> None:
    asked = questions({"caller_groups": ["guests"], "annotators": [ADA]})
    corpus = documents(["staff"], None)
    marks = [(0, 0, "hidden", ADA), (0, 0, "seen", ADA), (0, 1, "seen", ADA)]
    labels = of(asked, corpus, marks=marks)
    assert rows(labels.relevance, "doc") == [(1,)]
    assert rows(labels.claims, "claim_id") == [("seen",)]
    assert rows(labels.support, "claim", "doc") == [(0, 1)]
    assert sorted(rows(labels.evidence, "doc", "claim"), key=str) == [(0, 0), (0, None), (1, 0)]


def test_claims_are_numbered_in_order_of_question_and_id_with_their_texts() -> None:
    settled: list[tuple[int, str | None, int]] = [
        (1, None, 0), (1, "a", 0), (0, None, 0), (0, "z", 0), (0, "b", 0),
    ]  # fmt: skip
    labels = of(
        questions({}, {}), documents(None), settled, texts=[(0, "z", "Z."), (1, "z", "other")]
    )
    assert labels.claims.rows() == [(0, 0, "b", None), (1, 0, "z", "Z."), (2, 1, "a", None)]
    assert rows(labels.support, "question", "claim") == [(0, 0), (0, 1), (1, 2)]


MARK = st.tuples(
    st.integers(0, 1), st.integers(0, 2), st.sampled_from([None, "c", "d"]),
    st.sampled_from([ADA, BEN, None]), st.sampled_from([None, 0.0, 1.0]),
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(MARK, max_size=12, unique=True))
def test_votes_are_counted_as_a_person_would(marks: list[tuple[Any, ...]]) -> None:
    asked = questions({"annotators": [ADA, BEN]}, {"annotators": [ADA, BEN, CY]})
    labels = of(asked, documents(None, None, None), marks=marks)
    nameless = [any(m[0] == q and m[3] is None for m in marks) for q in (0, 1)]
    votes = [2 + nameless[0], 3 + nameless[1]]
    wanted: dict[tuple[int, str | None, int], set[str | None]] = {}
    for q, d, c, who, grade in marks:
        if grade is None or grade > 0:
            wanted.setdefault((q, None, d), set()).add(who)
            if c is not None:
                wanted.setdefault((q, c, d), set()).add(who)
    names = {row["claim"]: row["claim_id"] for row in labels.claims.to_dicts()}
    found = {
        (row["question"], None, row["doc"]): (row["yes"], row["votes"])
        for row in labels.relevance.to_dicts()
    } | {
        (row["question"], names[row["claim"]], row["doc"]): (row["yes"], row["votes"])
        for row in labels.support.to_dicts()
    }
    assert found == {key: (len(who), votes[key[0]]) for key, who in wanted.items()}
    assert voters(asked, of(asked, documents(None), marks=[]).evidence)["votes"].to_list() == [2, 3]
    assert len(labels.evidence) == len(marks)


def test_the_claims_of_a_question_are_in_order_of_their_id() -> None:
    names = [f"c{number:02}" for number in range(40)]
    settled = [(question, name, 0) for name in reversed(names) for question in (1, 0)]
    labels = of(questions({}, {}), documents(None), [(0, None, 0), (1, None, 0), *settled])
    assert rows(labels.claims, "question", "claim_id") == [
        (question, name) for question in (0, 1) for name in names
    ]
