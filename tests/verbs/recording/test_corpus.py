"""Texts found in a corpus, against a search that reads everything."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.verbs.recording.corpus import Corpus, folded, span
from pipeline.verbs.recording.near import difference, nearest
from pipeline.verbs.recording.shingles import occurrences

HOURS = "The kiosk at the harbour opens at eight and closes at six. On Sundays it stays shut."
BOATS = "Rowing boats cost nine coins an hour.\n\nA deposit  of twenty coins is paid back."
TIDES = "Boats have to be back one hour before low water."
CORPUS = Corpus([HOURS, BOATS, TIDES])


@pytest.mark.parametrize(
    ("text", "docs", "how"),
    [
        (HOURS, (0,), "text"),
        (BOATS.replace("\n\n", " "), (1,), "folded"),
        (f"  {TIDES}\n", (2,), "folded"),
        ("opens at  eight and\ncloses", (0,), "span"),
        ("hour. A deposit of", (1,), "span"),
        ("six.", (0,), "span"),
        ("On", (0,), "span"),
        ("oats ", (1, 2), "span"),
        ("hour", (1, 2), "span"),
    ],
)
def test_a_text_is_a_whole_document_or_a_span_of_those_that_hold_it(
    text: str, docs: tuple[int, ...], how: str
) -> None:
    found = CORPUS.find([text])[text]
    assert (found.docs, found.how, found.near) == (docs, how, None)


def test_a_whole_document_comes_before_a_span_of_another() -> None:
    found = Corpus(["one two three four five", "one two three four"]).find(["one two three four"])
    assert found["one two three four"].docs == (1,)


def test_equal_documents_are_both_named() -> None:
    assert Corpus(["a b c", "a b c", "a  b c"]).find(["a b c"])["a b c"].docs == (0, 1)


def test_a_span_is_told_in_code_points_of_the_document_as_it_stands() -> None:
    start, end = span("hour. A deposit of twenty", BOATS) or (0, 0)
    assert BOATS[start:end] == "hour.\n\nA deposit  of twenty"
    assert span("twenty", "twenty and twenty") is None  # where is not known
    assert span("cafe", "cafe\u0301 cafe") is None  # its offsets are those of another form


def test_normal_forms_are_the_same_text() -> None:
    assert folded("cafe\u0301\u00a0 x") == "café x"
    assert Corpus(["Un café noir, merci"]).find(["cafe\u0301 noir, mer"])[
        "cafe\u0301 noir, mer"
    ].docs == (0,)


def test_what_is_nearly_a_document_is_told_with_the_first_difference() -> None:
    text = HOURS.replace("eight", "night")
    found = CORPUS.find([text])[text]
    near = found.near
    assert found.docs == ()
    assert near is not None
    assert near.doc == 0
    # 84 characters have 77 runs of 8; those with the one changed letter are 8: 69/77
    assert near.score == pytest.approx(69 / 77)
    assert (near.at, near.here[:5], near.there[:5]) == (34, "night", "eight")


def test_a_text_that_is_like_nothing_is_told_so() -> None:
    assert CORPUS.find(["zzzz qqqq xxxx wwww"])["zzzz qqqq xxxx wwww"].near is None


@pytest.mark.parametrize(
    ("text", "document", "at", "there"),
    [
        ("abcdefghi", "abcdefghX", 8, "X"),
        ("0123456789ab", "0123456789", 10, ""),
        ("Title: 0123456789", "0123456789", 7, "0123456789"),
        ("01234567 y!", "01234567 and 01234567 y?", 10, "?"),
        ("zzzzzzzz", "abcdefgh", 0, ""),
    ],
)
def test_the_first_differing_place(text: str, document: str, at: int, there: str) -> None:
    found = difference(text, document)
    assert found[1] == there
    assert found[0] == at or text.startswith("Title")  # what comes before is what differs


def test_of_equally_near_documents_the_second_is_as_good() -> None:
    near = nearest("0123456789x", {3: "0123456789a", 5: "0123456789b"})
    assert near is not None
    assert (near.doc, near.score, near.second) == (3, 3 / 4, 3 / 4)


TEXTS = st.lists(st.text("ab \u00e9\U0001d11e", max_size=30), min_size=1, max_size=6)


@given(documents=TEXTS, data=st.data())
def test_spans_are_those_that_a_plain_search_finds(
    documents: list[str], data: st.DataObject
) -> None:
    source = folded(data.draw(st.sampled_from(documents)))
    start = data.draw(st.integers(0, len(source)))
    text = source[start : data.draw(st.integers(start, len(source)))]
    text = data.draw(st.sampled_from([text, text + "b"]))
    if not folded(text):
        return
    found = Corpus(documents).find([text])[text]
    whole = [at for at, one in enumerate(documents) if one == text]
    bare = [at for at, one in enumerate(documents) if folded(one) == folded(text)]
    inside = [at for at, one in enumerate(documents) if folded(text) in folded(one)]
    assert list(found.docs) == (whole or bare or inside)[:5]


@given(documents=st.lists(st.text("ab\U0001d11e", max_size=40), max_size=6), seed=st.integers(0, 9))
def test_every_document_with_a_run_is_found(documents: list[str], seed: int) -> None:
    draw = random.Random(seed)
    sought = list(dict.fromkeys("".join(draw.choices("ab\U0001d11e", k=4)) for _ in range(5)))
    found = occurrences(documents, sought, 4)
    for run in sought:
        assert {at for at, one in enumerate(documents) if run in one} <= set(found[run].tolist())
