import numpy as np
import pytest

from pipeline.contract.metrics import CAUSES
from pipeline.scoring.causes import marks, names
from tests.scoring.cases import asked, one, said
from tests.scoring.test_resolutions import disputed
from tests.scoring.worlds import Asked, Said

QUESTION = asked("ab", {"x": "a", "y": "b"})
GOOD = {"x": "a", "y": "b"}


@pytest.mark.parametrize(
    ("response", "causes"),
    [
        (said("ab", GOOD), []),
        (said("a", GOOD), ["not_retrieved", "cited_not_visible"]),
        (said("acb", GOOD), ["below_cutoff", "cited_not_visible"]),
        (said("ab", {"x": "a"}), ["not_used"]),
        (said("a", {"x": "a"}), ["not_retrieved"]),  # y's document is not visible
        (said("ab", {**GOOD, "x": "b"}), ["miscited"]),
        (said("ab", {**GOOD, "x": ""}), ["miscited"]),
        (said("ab", {**GOOD, "x": "?"}), ["miscited"]),
        (said("ab", {**GOOD, "x": "a?"}), ["miscited"]),
        (said("ab", {**GOOD, "x": "d"}), ["cited_not_visible"]),
        (said("ab", {**GOOD, "more": "a"}), ["extra_claim"]),
        (said("ab", {**GOOD, "more": ""}), ["extra_claim"]),
        (said("ab", {**GOOD, "more": "d"}), ["cited_not_visible", "extra_claim"]),
        (said("ab", {}), ["not_used", "false_abstention"]),
        (said("", {}), ["not_retrieved", "false_abstention"]),
        (said("ab", failed=True), ["failed"]),
        (said("ac", failed=True), ["failed", "not_retrieved"]),
        (said(None, failed=True), ["failed"]),
        (said(None, {"x": "b", "more": "?"}), ["failed", "extra_claim"]),
        (said(None, {"x": ""}), ["failed", "miscited"]),
        (said("acb", GOOD, judged=False), ["judge_failed", "below_cutoff"]),
    ],
)
def test_a_response_has_the_causes_that_its_labels_prove(response: Said, causes: list[str]) -> None:
    assert one(QUESTION, response)["causes"] == causes


@pytest.mark.parametrize(
    ("response", "causes"),
    [
        (said("ab", {}), []),
        (said("ab", {"x": "a"}), ["claim_on_unanswerable"]),
        (said("ab", {"x": "c"}), ["cited_not_visible", "claim_on_unanswerable"]),
        (said("ab", failed=True), ["failed"]),
    ],
)
def test_where_there_is_no_evidence_a_claim_is_the_cause(response: Said, causes: list[str]) -> None:
    assert one(asked(), response)["causes"] == causes


def test_without_labels_only_the_record_is_proof() -> None:
    row = one(Asked("q", labelled=False), said("ab", {"x": "c", "y": "?"}))
    assert row["causes"] == ["cited_not_visible"]


@pytest.mark.parametrize(
    ("response", "causes"),
    [
        (said("b", {"x": "a"}), ["not_retrieved", "cited_not_visible"]),
        (said("ab", {}), ["false_abstention"]),
        (said("ab", {"x": ""}), []),
    ],
)
def test_without_claim_labels_no_claim_is_extra_or_missing(
    response: Said, causes: list[str]
) -> None:
    assert one(asked("a"), response, with_claims=False)["causes"] == causes


SURE_AND_OPEN = disputed({"a": (2, 2), "b": (1, 2)}, {"x.a": (2, 2), "y.b": (1, 2)})
WHICH_CLAIM = disputed({"a": (2, 2)}, {"x.a": (1, 2), "y.a": (1, 2)})
WHICH_DOCUMENT = disputed({"a": (2, 2), "b": (1, 2), "c": (1, 2)}, {"x.b": (1, 2), "x.c": (1, 2)})
WHETHER = disputed({"a": (1, 2)}, {"x.a": (1, 2)})


@pytest.mark.parametrize(
    ("question", "response", "causes"),
    [
        # b may not be relevant, nor y expected
        (SURE_AND_OPEN, said("a", {"x": "a"}), []),
        (SURE_AND_OPEN, said("ab", {"x": "a"}), []),
        (SURE_AND_OPEN, said("ab", {"x": "a", "y": ""}), []),
        (SURE_AND_OPEN, said("ab", {"x": "a", "y": "a"}), []),
        (SURE_AND_OPEN, said("ab", {"y": "b"}), ["not_used"]),
        (SURE_AND_OPEN, said("ab", {"x": ""}), ["miscited"]),
        (SURE_AND_OPEN, said("b", {"x": "?"}), ["not_retrieved", "miscited"]),
        # one of x and y is expected, whichever it is
        (WHICH_CLAIM, said("a", {}), ["not_used", "false_abstention"]),
        (WHICH_CLAIM, said("a", {"x": "a"}), []),
        (WHICH_CLAIM, said("a", {"x": "", "y": "?"}), ["miscited"]),
        (WHICH_CLAIM, said("a", {"x": "", "y": "a"}), []),
        (WHICH_CLAIM, said("a", {"x": ""}), []),
        (WHICH_CLAIM, said("a", {"more": "a"}), ["not_used", "extra_claim"]),
        # one of b and c is relevant, whichever it is
        (WHICH_DOCUMENT, said("a", {"x": "b"}), ["not_retrieved", "cited_not_visible"]),
        (WHICH_DOCUMENT, said("ab", {"x": "b"}), []),
        (WHICH_DOCUMENT, said("adbc", {"x": "a"}), ["below_cutoff", "miscited"]),
        (WHICH_DOCUMENT, said("adb", {"x": "d"}), ["miscited"]),
        (WHICH_DOCUMENT, said("abdc", {"x": "b"}), []),
        # there may be no evidence at all
        (WHETHER, said("", {}), []),
        (WHETHER, said("a", {"x": "", "more": "a"}), []),
        (WHETHER, said("a", {"x": "b"}), ["cited_not_visible"]),
    ],
)
def test_in_a_dispute_a_cause_is_one_that_holds_however_it_is_settled(
    question: Asked, response: Said, causes: list[str]
) -> None:
    assert one(question, response)["causes"] == causes


def test_causes_are_named_in_the_order_of_the_contract() -> None:
    yes, no = np.array([True, True]), np.array([False, True])
    marked = marks({"leak": no, "failed": yes, "extra_claim": no})
    assert names(marked).to_list() == [["failed"], ["failed", "extra_claim", "leak"]]
    everything = marks({cause: np.array([True]) for cause in CAUSES})
    assert names(everything).to_list() == [list(CAUSES)]
    assert names(marked[:0]).to_list() == []
