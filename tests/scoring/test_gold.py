from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from pipeline.scoring.gold import POPULATIONS, Gold, settle
from pipeline.scoring.resolutions import Policy

Rows = Sequence[tuple[int, ...]]


def gold(
    relevance: Rows,
    support: Rows,
    claims: list[int],
    policy: Policy = "interval",
    questions: int = 3,
) -> Gold:
    """Rows of (question, doc, yes, votes) and of (question, claim, doc, yes, votes)."""
    return settle(
        np.ones(questions, np.bool_),
        columns(relevance, "question", "doc", "yes", "votes"),
        columns(support, "question", "claim", "doc", "yes", "votes"),
        np.array(claims, np.int64),
        policy,
    )


def columns(rows: Rows, *names: str) -> dict[str, Any]:
    return {
        name: np.array([row[place] for row in rows], np.int64) for place, name in enumerate(names)
    }


def populations(of: Gold) -> list[str]:
    return [POPULATIONS[code] for code in of.population]


# question 0: documents 3 and 5, settled; question 1: none; question 2: 3 in dispute
RELEVANCE = [(0, 3, 1, 1), (0, 5, 2, 2), (2, 3, 1, 2)]
# claims 0 and 1 are of question 0, claim 2 of question 2
SUPPORT = [(0, 0, 3, 1, 1), (0, 1, 3, 1, 1), (0, 1, 5, 2, 2), (2, 2, 3, 1, 2)]


def test_labels_become_lists_by_question_and_by_claim() -> None:
    found = gold(RELEVANCE, SUPPORT, [0, 0, 2])
    assert populations(found) == ["answerable", "unanswerable", "unresolved"]
    assert found.docs.offsets.tolist() == [0, 2, 2, 3]
    assert found.docs.values.tolist() == [3, 5, 3]
    assert found.docs.values.dtype == np.int32
    assert found.docs.given.tolist() == [True, True, True]
    assert found.docs.given.dtype == np.bool_
    assert found.doc_sure.tolist() == [True, True, False]
    assert found.doc_needed.tolist() == [True, True, True]
    assert found.claims.offsets.tolist() == [0, 2, 2, 3]
    assert found.claim_some.tolist() == [True, True, True]
    assert found.claim_sure.tolist() == [True, True, False]
    assert found.pairs.offsets.tolist() == [0, 1, 3, 4]
    assert found.pairs.values.tolist() == [3, 3, 5, 3]
    assert found.pair_sure.tolist() == [True, True, True, False]
    assert found.pair_doc.tolist() == [0, 0, 1, 2]
    assert found.expected.tolist() == [2, 0, 0]


def test_a_question_is_open_while_a_label_of_it_is_in_dispute() -> None:
    assert gold(RELEVANCE, SUPPORT, [0, 0, 2]).open.tolist() == [False, False, True]
    # the pair only
    pair = gold([(0, 3, 2, 2)], [(0, 0, 3, 2, 2), (0, 1, 3, 1, 2)], [0, 0])
    assert pair.open.tolist() == [True, False, False]
    # the document only
    doc = gold([(0, 3, 2, 2), (0, 4, 1, 2)], [(0, 0, 3, 2, 2)], [0])
    assert doc.open.tolist() == [True, False, False]
    assert doc.doc_needed.tolist() == [True, False]


def test_what_holds_in_no_resolution_is_left_out() -> None:
    relevance = [(0, 3, 2, 3), (0, 4, 1, 3), (2, 3, 1, 3)]
    support = [(0, 0, 3, 2, 3), (0, 1, 3, 1, 3), (0, 1, 4, 1, 3), (2, 2, 3, 1, 3)]
    found = gold(relevance, support, [0, 0, 2], "majority")
    assert populations(found) == ["answerable", "unanswerable", "unanswerable"]
    assert found.docs.offsets.tolist() == [0, 1, 1, 1]
    assert found.pairs.offsets.tolist() == [0, 1, 1, 1]
    assert found.claim_some.tolist() == [True, False, False]
    assert found.pair_doc.tolist() == [0]
    assert found.open.tolist() == [False, False, False]
    assert found.expected.tolist() == [1, 0, 0]


@pytest.mark.parametrize("policy", ["interval", "exclude"])
def test_both_policies_that_settle_nothing_see_the_same(policy: Policy) -> None:
    found = gold(RELEVANCE, SUPPORT, [0, 0, 2], policy)
    assert found.doc_sure.tolist() == [True, True, False]
    assert found.open.tolist() == [False, False, True]


def test_an_unlabelled_question_is_of_no_population() -> None:
    nothing = settle(
        np.array([False, True]),
        columns([], "question", "doc", "yes", "votes"),
        columns([], "question", "claim", "doc", "yes", "votes"),
        np.zeros(0, np.int64),
        "interval",
    )
    assert populations(nothing) == ["not_labelled", "unanswerable"]
    assert nothing.expected.tolist() == [0, 0]
