"""Quotes that are not found: what they differ in, or what comes nearest."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.datasets.likeness import Likeness, Plainer, difference
from pipeline.adapters.datasets.quoted import Quotes

TEXT = (
    "v. 2 says:  “Don’t run on deck – it’s wet.” "
    "Café cre\u0301me costs ½ coin, soft\u00adware none."
)


def got(quote: str, text: str = TEXT, **others: str) -> str:
    found = Quotes({"a.txt": text, **others}).find(quote, None)
    assert len(found) == 2
    return found[1].split("; ", 1)[1]


@pytest.mark.parametrize(
    ("quote", "what", "passage"),
    [
        ("2 says: “Don", "white space", "2 says:  “Don"),
        ("run  on\ndeck", "white space", "run on deck"),
        ("Don't run", "quotation marks or dashes", "Don’t run"),
        ("deck - it", "quotation marks or dashes", "deck – it"),
        ("RUN ON DECK", "case", "run on deck"),
        ("Cafe\u0301", "Unicode form", "Café"),
        ("cr\u00e9me", "Unicode form", "cre\u0301me"),
        ("1\u20442 coin", "Unicode form", "½ coin"),
        ("software none", "characters that cannot be seen", "soft\u00adware none"),
        ("don't  run", "white space and case and quotation marks or dashes", "Don’t run"),
    ],
)
def test_what_a_quote_differs_in_is_said(quote: str, what: str, passage: str) -> None:
    start = TEXT.index(passage)
    place = f"a.txt {start}–{start + len(passage)}"
    assert got(quote) == f"{place} differs only in {what}: {passage!r}"


def test_part_of_a_letter_is_no_other_spelling_of_it() -> None:
    # folded, "cafe" stands in "cafe" + accent; the letters are not the same
    assert not difference("cafe", "café")
    assert "differs only" not in got("Cafe", "Café.")


def test_the_nearest_passage_is_shown_where_words_differ() -> None:
    text = "Rules.\nPassengers may bring one small dog on a lead.\nPassengers may bring a bicycle."
    assert got("Passengers may bring two small dogs on a lead", text) == (
        "nearest is a.txt 7–51: 'Passengers may bring one small dog on a lead'"
    )


def test_the_nearest_is_looked_for_in_every_document() -> None:
    other = "On Sundays the last boat leaves Hesk at half past six."
    assert got("the last boat leaves Hesk at seven", TEXT, **{"b.md": other}) == (
        "nearest is b.md 11–39: 'the last boat leaves Hesk at'"
    )


def test_scripts_without_spaces_have_a_nearest_passage_too() -> None:
    text = "船は九時に出ます。犬は無料です。"
    assert got("犬は有料です", text).startswith("nearest is a.txt 9–15: '犬は無料です'")


@pytest.mark.parametrize("quote", ["zebra quagga okapi", "🚣", "!?", "\u200b"])
def test_where_nothing_is_like_it_that_is_said(quote: str) -> None:
    assert got(quote) == "nothing there is like it"


def test_of_many_places_and_documents_a_few_are_named() -> None:
    texts = {f"{i}.txt": "a a a a" for i in range(5)}
    _, said = Quotes(texts).find("a", None)[:2]
    places = "0–1, 2–3, 4–5, …"
    listed = ", ".join(f"in {i}.txt at {places}" for i in range(3))
    assert said == f"'a' {listed} and in 2 more files"


def test_a_long_document_is_searched_by_its_rare_words() -> None:
    # 200,000 words, of which a handful make up nearly all
    draw = random.Random(7)
    words = draw.choices(["the", "of", "and"], k=200_000)
    words[150_000:150_006] = ["harbour", "dues", "of", "the", "eastern", "quay"]
    text = " ".join(words)
    found = Likeness(text, Plainer()).nearest("harbour dues of an eastern quay")
    assert found is not None
    assert text[slice(*found[1])] == "harbour dues of the eastern quay"


SPACED = st.text(st.sampled_from("abÉ🚣漢ﬁ\u0301’- \n"), max_size=40)


@given(
    before=SPACED,
    quote=SPACED,
    after=SPACED,
    shift=st.sampled_from([str.upper, str.title, " {} ".format]),
)
def test_a_respelt_quote_is_found_at_a_place_that_is_the_same_but_for_that(
    before: str, quote: str, after: str, shift: object
) -> None:
    text = before + quote + after
    place = Likeness(text, Plainer()).respelt(shift(quote))  # type: ignore[operator]
    plain = quote.translate(Plainer())
    if not plain:
        assert place is None
    else:
        assert place is not None
        start, end = place
        assert 0 <= start < end <= len(text)
        assert plain in text[start:end].translate(Plainer())
        # nothing could be cut off at either end
        assert plain not in text[start + 1 : end].translate(Plainer())
        assert plain not in text[start : end - 1].translate(Plainer())


def test_asking_twice_gives_the_same(tmp_path: Path) -> None:
    quotes = Quotes({"a.txt": TEXT})
    assert quotes.find("RUN ON", None) == quotes.find("RUN ON", None)
