import pytest

from tests.scoring.cases import asked, one, said

QUESTION = asked("ab", {"one": "a", "two": "ab"})


@pytest.mark.parametrize(
    ("claims", "support", "coverage"),
    [
        ({"one": "a"}, 1.0, 1 / 2),
        ({"two": "b"}, 1.0, 1 / 2),
        ({"two": "ab"}, 1.0, 1 / 2),
        ({"one": "a", "two": "b"}, 1.0, 1.0),
        ({"one": "b"}, 0.0, 0.0),  # visible and relevant, but labelled for the other claim
        ({"one": "ab"}, 0.0, 0.0),  # one wrong citation sinks the claim
        ({"one": "a?"}, 0.0, 0.0),  # so does an unknown one
        ({"one": ""}, 0.0, 0.0),  # and having none
        ({"more": "a"}, 0.0, 0.0),  # no label knows the claim
        ({"one": "a", "more": "a"}, 1 / 2, 1 / 2),
        ({}, None, 0.0),
    ],
)
def test_a_claim_is_supported_by_visible_documents_labelled_for_it_and_nothing_else(
    claims: dict[str, str], support: float | None, coverage: float
) -> None:
    row = one(QUESTION, said("ab", claims))
    assert (row["support"], row["coverage"]) == (support, coverage)


def test_a_document_below_the_cutoff_supports_nothing() -> None:
    row = one(QUESTION, said("ab", {"one": "a", "two": "b"}), cutoff=1)
    assert row["support"] == row["coverage"] == 1 / 2
    assert (row["supported"], row["claims"], row["expected"]) == (1, 2, 2)


def test_one_visible_chunk_makes_its_document_visible() -> None:
    response = said("", {"one": "a"})
    response.ranking = [2]
    row = one(asked("a", {"one": "a"}), response, 1, chunks=["a", "b", "a"])
    assert row["support"] == 1.0


def test_claims_made_where_none_can_be_supported_are_unsupported() -> None:
    row = one(asked(), said("ab", {"one": "a", "two": "b"}))
    assert row["support"] == 0.0
    assert row["abstention"] == 0.0
    assert (row["coverage"], row["coverage_reason"]) == (None, "unanswerable")


@pytest.mark.parametrize(("claims", "silent"), [({}, 1.0), ({"one": "a"}, 0.0)])
def test_silence_is_right_on_an_unanswerable_question_and_wrong_on_another(
    claims: dict[str, str], silent: float
) -> None:
    unanswerable = one(asked(), said("ab", claims))
    assert unanswerable["abstention"] == silent
    assert unanswerable["false_abstention_reason"] == "unanswerable"
    answerable = one(QUESTION, said("ab", claims))
    assert answerable["false_abstention"] == silent
    assert answerable["abstention_reason"] == "answerable"


def test_where_all_supporting_documents_are_hidden_no_claim_is_expected() -> None:
    # a stays relevant; b, which supports the claim, may not be read
    question = asked("ab", {"one": "b"}, caller={"x"})
    documents = {"a": None, "b": {"y"}, "c": None, "d": None}
    row = one(question, said("a", {"one": "a"}), documents=documents)
    assert row["population"] == "answerable"
    assert (row["coverage"], row["coverage_reason"]) == (None, "no_claims")
    assert (row["support"], row["expected"]) == (0.0, 0)
    assert row["causes"] == ["extra_claim"]
