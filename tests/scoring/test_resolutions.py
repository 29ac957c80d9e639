"""What labels in dispute come to: bounds, policies, and labels that settle themselves."""

from typing import Any

import pytest

from tests.scoring.cases import one, said
from tests.scoring.worlds import Asked, Said

Dispute = dict[str, tuple[int, int]]


def disputed(relevant: Dispute, support: Dispute) -> Asked:
    """Votes for documents, and for pairs written as claim and document: `x.a`."""
    pairs = {(key.split(".")[0], key.split(".")[1]): votes for key, votes in support.items()}
    return Asked("q", relevant=relevant, support=pairs)


def span(row: dict[str, Any], name: str) -> tuple[float, float]:
    """Least and greatest value, which are the value where there is one."""
    if row[name] is not None:
        return row[name], row[name]
    assert row[f"{name}_reason"] == "unresolved"
    return row[f"{name}_low"], row[f"{name}_high"]


# a is relevant and supports x for both; b is relevant, and supports y, for one of two
B_IN_DISPUTE = disputed({"a": (2, 2), "b": (1, 2)}, {"x.a": (2, 2), "y.b": (1, 2)})


@pytest.mark.parametrize(
    ("response", "spans"),
    [
        (
            said("ab", {"x": "a", "y": "b"}),
            {
                "precision": (1 / 2, 2 / 2),
                "recall": (1.0, 1.0),  # 1 of 1 or 2 of 2
                "reciprocal_rank": (1.0, 1.0),
                "support": (1 / 2, 2 / 2),
                # y is expected and supported, or b is relevant and y not expected
                "coverage": (1.0, 1.0),
            },
        ),
        (
            said("ba", {"x": "a"}),
            {
                "precision": (1 / 2, 2 / 2),
                "recall": (1.0, 1.0),
                "reciprocal_rank": (1 / 2, 1.0),
                "support": (1.0, 1.0),
                "coverage": (1 / 2, 1.0),  # x of x and y, or x of x
            },
        ),
        (
            said("cb", {"y": "b"}),
            {
                "precision": (0.0, 1 / 2),
                "recall": (0.0, 1 / 2),  # none of a, or b of a and b
                "reciprocal_rank": (0.0, 1 / 2),
                "support": (0.0, 1.0),
                "coverage": (0.0, 1 / 2),
            },
        ),
    ],
)
def test_the_bounds_are_over_every_way_of_settling_the_dispute(
    response: Said, spans: dict[str, tuple[float, float]]
) -> None:
    row = one(B_IN_DISPUTE, response)
    assert {name: span(row, name) for name in spans} == spans
    assert (row["relevant"], row["expected"]) == (1, 1)


def test_the_extremes_are_not_only_all_yes_and_all_no() -> None:
    # b is visible, d is not: all yes 2/3, all no 1/1, only d 1/2, only b 2/2
    question = disputed(
        {"a": (2, 2), "b": (1, 2), "d": (1, 2)}, {"x.a": (2, 2), "x.b": (1, 2), "x.d": (1, 2)}
    )
    assert span(one(question, said("ab", {})), "recall") == (1 / 2, 1.0)


def test_some_document_with_a_pair_has_to_be_relevant() -> None:
    # a is relevant for all, but only b and c carry the claim: one of them has to be relevant
    question = disputed({"a": (2, 2), "b": (1, 2), "c": (1, 2)}, {"x.b": (1, 2), "x.c": (1, 2)})
    row = one(question, said("ab", {"x": "b"}), cutoff=3)
    assert span(row, "precision") == (1 / 3, 2 / 3)  # c alone, or b with or without c
    assert span(row, "recall") == (1 / 2, 1.0)  # a of a and c; a and b of a and b
    # both are visible: at least one counts
    row = one(question, said("abc", {"x": "b"}), cutoff=3)
    assert span(row, "precision") == (2 / 3, 3 / 3)
    assert span(row, "recall") == (1.0, 1.0)
    # neither is: at least one misses
    assert span(one(question, said("a", {})), "recall") == (1 / 3, 1 / 2)
    # the rank of the one that comes last, if that is all there is
    late = disputed({"d": (2, 2), "b": (1, 2), "c": (1, 2)}, {"x.b": (1, 2), "x.c": (1, 2)})
    assert span(one(late, said("abc", {}), cutoff=3), "reciprocal_rank") == (1 / 3, 1 / 2)


def test_a_question_with_evidence_expects_some_claim() -> None:
    # a is relevant for all; which claim it supports is in dispute
    question = disputed({"a": (2, 2)}, {"x.a": (1, 2), "y.a": (1, 2)})
    row = one(question, said("a", {"x": "a"}))
    assert span(row, "coverage") == (0.0, 1.0)  # only y is expected; only x is
    assert span(row, "support") == (0.0, 1.0)
    both = one(question, said("a", {"x": "a", "y": "a"}))
    assert span(both, "coverage") == (1.0, 1.0)  # whichever is expected is supported
    assert span(both, "support") == (1 / 2, 1.0)  # at least one of the two
    none = one(question, said("a", {"more": "a"}))
    assert span(none, "coverage") == (0.0, 0.0)
    assert (row["expected"], both["supported"]) == (0, 0)


def test_the_only_claim_of_a_question_with_evidence_is_expected() -> None:
    # which document supports it is in dispute, that it is expected is not
    question = disputed({"a": (2, 2), "b": (2, 2)}, {"x.a": (1, 2), "x.b": (1, 2)})
    row = one(question, said("ab", {"x": "a"}))
    assert row["expected"] == 1
    assert span(row, "coverage") == (0.0, 1.0)
    assert span(row, "support") == (0.0, 1.0)


def test_the_only_pair_of_a_question_with_evidence_holds() -> None:
    question = disputed({"a": (2, 2), "b": (1, 2)}, {"x.b": (1, 2)})
    row = one(question, said("b", {"x": "b"}))
    assert (row["recall"], row["support"], row["coverage"]) == (1 / 2, 1.0, 1.0)
    assert (row["relevant"], row["expected"], row["supported"]) == (2, 1, 1)


def test_a_citation_may_be_wrong_though_the_claim_is_expected_for_another_document() -> None:
    # x is expected for a; whether b supports it too is in dispute
    question = disputed({"a": (2, 2), "b": (2, 2)}, {"x.a": (2, 2), "x.b": (1, 2)})
    assert span(one(question, said("ab", {"x": "ab"})), "support") == (0.0, 1.0)
    assert span(one(question, said("ab", {"x": "ab"})), "coverage") == (0.0, 1.0)
    assert span(one(question, said("ab", {"x": "a"})), "support") == (1.0, 1.0)


def test_a_claim_that_supports_settles_the_document() -> None:
    question = disputed({"a": (1, 2)}, {"x.a": (1, 1)})
    row = one(question, said("a", {"x": "a"}))
    assert (row["population"], row["recall"], row["relevant"]) == ("answerable", 1.0, 1)


def test_the_majority_settles_what_is_no_tie() -> None:
    question = disputed({"a": (2, 3), "b": (1, 3)}, {"x.a": (2, 3), "y.b": (1, 3), "y.a": (1, 3)})
    row = one(question, said("ab", {"x": "a", "y": "b"}), policy="majority")
    assert (row["precision"], row["recall"]) == (1 / 2, 1.0)
    assert (row["support"], row["coverage"]) == (1 / 2, 1.0)
    assert (row["relevant"], row["expected"]) == (1, 1)
    assert row["causes"] == ["extra_claim"]


def test_a_tie_stays_in_dispute() -> None:
    row = one(B_IN_DISPUTE, said("ab", {"x": "a", "y": "b"}), policy="majority")
    assert span(row, "precision") == (1 / 2, 1.0)


def test_a_majority_that_does_not_fit_together_leaves_the_question_in_dispute() -> None:
    # all three call a relevant, each for another claim: no pair has a majority
    question = disputed({"a": (3, 3)}, {"x.a": (1, 3), "y.a": (1, 3), "z.a": (1, 3)})
    row = one(question, said("a", {"x": "a"}), policy="majority")
    assert (row["population"], row["recall"]) == ("answerable", 1.0)
    assert span(row, "coverage") == (0.0, 1.0)
    # all three call a relevant, one of them for a claim: that one is all there can be
    question = disputed({"a": (3, 3)}, {"x.a": (1, 3)})
    row = one(question, said("a", {"x": "a"}), policy="majority")
    assert (row["recall"], row["coverage"], row["expected"]) == (1.0, 1.0, 1)
    # and another question is not touched by it
    fits = disputed({"a": (2, 3)}, {"x.a": (2, 3)})
    assert one(fits, said("a", {"x": "a"}), policy="majority")["coverage"] == 1.0


def test_without_a_pair_left_no_document_in_dispute_is_relevant() -> None:
    # two of four call a relevant, for no claim; one has b for x, and is outvoted
    question = disputed({"a": (2, 4), "b": (1, 4)}, {"x.b": (1, 4)})
    row = one(question, said("a", {"x": "a"}), policy="majority")
    assert row["population"] == "unanswerable"
    assert row["support"] == 0.0
    assert row["causes"] == ["claim_on_unanswerable"]


def test_a_majority_for_no_evidence_makes_a_question_unanswerable() -> None:
    question = disputed({"a": (1, 3)}, {"x.a": (1, 3)})
    assert one(question, said("a", {}), policy="majority")["abstention"] == 1.0
    assert one(question, said("a", {}))["population"] == "unresolved"


def test_without_claim_labels_any_document_may_be_the_relevant_one() -> None:
    question = disputed({"a": (1, 2), "b": (1, 2)}, {})
    row = one(question, said("ab", {}), with_claims=False)
    assert row["population"] == "unresolved"
    # one of them, or both
    assert (row["precision_low"], row["precision_high"]) == (1 / 2, 1.0)
    assert (row["recall_low"], row["recall_high"]) == (1.0, 1.0)
    assert (row["reciprocal_rank_low"], row["reciprocal_rank_high"]) == (1 / 2, 1.0)
