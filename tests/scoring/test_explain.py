from itertools import product
from typing import Any

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pipeline.contract.tables import Claims, Relevance, Support
from pipeline.scoring.explain import (
    Labels,
    Parts,
    labels_by_question,
    labels_of,
    rule,
    supports,
)
from pipeline.scoring.values import score
from tests.scoring.worlds import a_world, tables

CLAIM, DOCS = 7, (0, 1, 2)


def labels(
    relevance: dict[int, tuple[int, int]],
    support: dict[tuple[int, int], tuple[int, int]],
    policy: str = "interval",
) -> Labels:
    """Votes (yes, of how many) by document, and by claim and document -> what they come to."""
    docs = [
        {"question": 4, "doc": d, "yes": y, "votes": v, "grade": 1.0}
        for d, (y, v) in sorted(relevance.items())
    ]
    pairs = [
        {"question": 4, "claim": c, "doc": d, "yes": y, "votes": v}
        for (c, d), (y, v) in sorted(support.items())
    ]
    claims = [
        {"claim": c, "question": 4, "claim_id": str(c), "text": None}
        for c in sorted({c for c, _ in support})
    ]
    return labels_of(
        pl.DataFrame(docs, schema=Relevance.schema),
        pl.DataFrame(pairs, schema=Support.schema),
        pl.DataFrame(claims, schema=Claims.schema),
        policy,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("citations", "standing"),
    [([0], "counts"), ([-1], "unknown"), ([2], "not_labelled"), ([1], "not_visible")],
)
def test_a_citation_counts_if_it_is_labelled_for_the_claim_and_visible(
    citations: list[int], standing: str
) -> None:
    ruling = rule(citations, {0: True, 1: True}, visible={0, 2})
    assert ruling.citations == (standing,)
    assert ruling.verdict == ("supported" if standing == "counts" else "unsupported")
    assert ruling.ground == "citations"


@pytest.mark.parametrize("wrong", [-1, 1, 2])
def test_one_wrong_citation_sinks_the_claim_whatever_the_others_are(wrong: int) -> None:
    for citations in ([0, wrong], [wrong, 0], [3, wrong]):
        ruling = rule(citations, {0: True, 1: True, 3: False}, visible={0, 2, 3})
        assert (ruling.verdict, ruling.ground) == ("unsupported", "citations")


def test_a_claim_without_citations_does_not_count() -> None:
    ruling = rule([], {0: True}, visible={0})
    assert (ruling.verdict, ruling.ground) == ("unsupported", "no_citation")
    assert ruling.citations == ()


def test_a_claim_that_no_label_expects_does_not_count_however_true_its_citations() -> None:
    ruling = rule([0], None, visible={0})
    assert (ruling.verdict, ruling.ground) == ("unsupported", "no_label")
    assert ruling.citations == ("not_labelled",)


def test_a_label_in_dispute_leaves_the_claim_open_unless_another_citation_sinks_it() -> None:
    assert rule([0, 1], {0: True, 1: False}, visible={0, 1}).verdict == "unresolved"
    assert rule([0, 1, -1], {0: True, 1: False}, visible={0, 1}).verdict == "unsupported"


def test_a_majority_settles_a_label_and_a_tie_does_not() -> None:
    votes = {0: (2, 3), 1: (1, 3), 2: (1, 2)}
    found = labels(votes, {(CLAIM, d): v for d, v in votes.items()}, "majority")
    assert found.support == {CLAIM: {0: True, 2: False}}
    assert found.relevant == {0: True, 2: False}


def test_the_only_label_that_can_make_an_answerable_question_answerable_holds() -> None:
    # all say that document 0 is relevant; then its one disputed pair has to hold
    assert labels({0: (2, 2)}, {(CLAIM, 0): (1, 2)}).support == {CLAIM: {0: True}}


def test_without_labels_there_is_nothing_to_support() -> None:
    assert labels({}, {}) == Labels({}, {})


votes = st.sampled_from([(0, 2), (1, 2), (2, 2)])


@settings(deadline=None)
@given(
    st.lists(votes, min_size=3, max_size=3),
    st.lists(votes, min_size=6, max_size=6),
    st.lists(st.sampled_from((-1, *DOCS)), unique=True, max_size=3),
    st.sets(st.sampled_from(DOCS)),
)
def test_the_verdict_is_what_all_resolutions_of_the_labels_say(
    doc_votes: list[tuple[int, int]],
    pair_votes: list[tuple[int, int]],
    citations: list[int],
    visible: set[int],
) -> None:
    relevance = {d: v for d, v in zip(DOCS, doc_votes, strict=True) if v[0]}
    pairs = zip(product((CLAIM, 9), DOCS), pair_votes, strict=True)
    support = {(c, d): v for (c, d), v in pairs if v[0] and d in relevance}
    assume(any(c == CLAIM for c, _ in support))

    # every yes or no to what is in dispute, kept if the labels then fit together
    open_docs = [d for d, (yes, of) in relevance.items() if yes < of]
    open_pairs = [p for p, (yes, of) in support.items() if yes < of]
    verdicts = set()
    for answers in product((True, False), repeat=len(open_docs) + len(open_pairs)):
        says = dict(zip([*open_docs, *open_pairs], answers, strict=True))
        docs = {d for d in relevance if says.get(d, True)}
        held = {p for p in support if says.get(p, True)}
        if all(d in docs for _, d in held) and bool(docs) == bool(held):
            good = {d for c, d in held if c == CLAIM} & visible
            verdicts.add(bool(citations) and set(citations) <= good)
    assume(verdicts)

    ruling = rule(citations, labels(relevance, support).support[CLAIM], visible)
    expected: dict[tuple[bool, ...], str] = {(True,): "supported", (False,): "unsupported"}
    assert ruling.verdict == expected.get(tuple(verdicts), "unresolved")


@settings(deadline=None)
@given(st.integers(0, 2**32))
def test_claims_that_are_ruled_supported_are_those_that_the_scores_count(seed: int) -> None:
    world = a_world(seed)
    frozen = tables(world)
    policy: Any = world.policy
    scored = score(frozen, cutoff=world.cutoff, policy=policy, with_claims=world.with_claims)
    docs = frozen.chunks["doc"].to_list()
    for at, counted in enumerate(scored["supported"].to_list()):
        if counted is None:
            continue
        said = frozen.statements.row(at, named=True)
        of = pl.col("question") == said["question"]
        found = labels_of(
            frozen.relevance.filter(of), frozen.support.filter(of), frozen.claims.filter(of), policy
        ).support
        visible = {docs[chunk] for chunk in frozen.ranking["chunks"][at][: world.cutoff]}
        end, supported = 0, 0
        for claim, cited in zip(said["claims"], said["cited"], strict=True):
            citations, end = said["citations"][end : end + cited], end + cited
            supported += rule(citations, found.get(claim), visible).verdict == "supported"
        assert supported == counted


def test_a_chunk_that_is_cited_has_to_be_visible_itself_and_to_support_the_claim() -> None:
    said = {
        (chunk, shown): rule([0], {0: True}, {0}, Parts([chunk], shown, {4}, {4})).citations[0]
        for chunk in (4, 5, -1)
        for shown in ((4, 5), (6,))
    }
    assert said == {
        (4, (4, 5)): "counts",
        (4, (6,)): "not_visible",  # another chunk of its document is
        (5, (4, 5)): "chunk_not_labelled",
        (5, (6,)): "chunk_not_labelled",
        (-1, (4, 5)): "counts",  # it names the document
        (-1, (6,)): "counts",
    }


def test_a_chunk_changes_nothing_where_its_document_does_not_stand() -> None:
    parts = Parts([4], {4}, {4}, {4})
    assert rule([-1], {0: True}, {0}, parts).citations == ("unknown",)
    assert rule([1], {0: True}, {0, 1}, parts).citations == ("not_labelled",)
    assert rule([0], {0: False}, {0}, parts).verdict == "unresolved"
    assert rule([0], None, {0}, parts).ground == "no_label"


def test_one_chunk_that_does_not_stand_sinks_the_claim() -> None:
    parts = Parts([4, 5], {4, 5}, {4}, {4})
    assert rule([0, 0], {0: True}, {0}, parts).verdict == "unsupported"
    assert (
        rule([0, 0], {0: True}, {0}, Parts([4, 5], {4, 5}, {4, 5}, {4, 5})).verdict == "supported"
    )


@pytest.mark.parametrize(
    ("marks", "overlap", "stands"),
    [
        ([(10, 20)], 1, True),
        ([(0, 10)], 1, False),  # it ends where the chunk begins
        ([(0, 11)], 1, True),
        ([(0, 11)], 2, False),
        ([(19, 40)], 1, True),
        ([(20, 40)], 1, False),
        ([(0, 5), (12, 14)], 2, True),  # one of several is enough
        ([(8, 12), (18, 25)], 3, False),  # two and two characters: no mark shares three
        ([], 1, True),  # nobody marked where: the document counts as a whole
    ],
)
def test_a_chunk_supports_what_is_marked_in_enough_of_it(
    marks: list[tuple[int, int]], overlap: int, *, stands: bool
) -> None:
    assert supports((10, 20), marks, overlap) is stands


def test_a_part_that_only_some_annotators_marked_leaves_the_claim_open() -> None:
    parts = Parts([4], {4}, supporting={4}, surely=set())
    ruling = rule([0], {0: True}, {0}, parts)
    assert (ruling.verdict, ruling.citations) == ("unresolved", ("disputed",))


def test_the_labels_of_many_questions_are_those_of_each() -> None:
    relevance = pl.DataFrame(
        [
            {"question": q, "doc": d, "yes": y, "votes": 2, "grade": 1.0}
            for q, d, y in ((3, 0, 2), (3, 1, 1), (8, 1, 2))
        ],
        schema=Relevance.schema,
    )
    support = pl.DataFrame(
        [
            {"question": q, "claim": c, "doc": d, "yes": y, "votes": 2}
            for q, c, d, y in ((3, 4, 0, 1), (3, 5, 1, 1), (8, 9, 1, 2))
        ],
        schema=Support.schema,
    )
    claims = pl.DataFrame(
        [
            {"claim": c, "question": q, "claim_id": str(c), "text": None}
            for c, q in ((4, 3), (5, 3), (9, 8), (10, 12))
        ],
        schema=Claims.schema,
    )
    found = labels_by_question(relevance, support, claims, "interval")
    assert list(found) == [3, 8, 12]
    for question, one in found.items():
        own = [frame.filter(question=question) for frame in (relevance, support, claims)]
        assert one == labels_of(own[0], own[1], own[2], "interval")
