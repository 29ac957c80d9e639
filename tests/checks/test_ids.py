import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.checks.ids import Lookalikes, difference, label, malformed, show


@pytest.mark.parametrize(
    "text",
    [
        "a", "Doc 1", "7", "-1083595222203077649", "a,b;c", 'say "hi"', "it's", "a/b\\c",
        "\u05d0\u05d1\u05d2", "e\u0301", "\u00e9", "\U0001f469\u200d\U0001f469", "\u2764\ufe0f",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "日本", "a\u3000b", "x" * 256,
    ],
)  # fmt: skip
def test_an_open_id_is_any_printable_text_of_up_to_256_characters(text: str) -> None:
    assert malformed(text) is None
    assert label(text) == text


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "an empty text"),
        (" a", "' a', which has white space at its ends"),
        ("a\u00a0", r"'a\xa0', which has white space at its ends"),
        ("x" * 257, f"'{'x' * 80}'…, which has 257 characters"),
        ("a\nb", r"'a\nb', which holds the unprintable U+000A"),
        ("a\x00b", r"'a\x00b', which holds the unprintable U+0000"),
        ("a\u200bb", r"'a\u200bb', which holds the unprintable U+200B"),
        ("a\u202eb", r"'a\u202eb', which holds the unprintable U+202E"),
        ("a\ud800b", r"'a\ud800b', which holds the unprintable U+D800"),
        ("a\ufeffb", r"'a\ufeffb', which holds the unprintable U+FEFF"),
    ],
)
def test_what_is_no_open_id_says_why(text: str, wrong: str) -> None:
    assert malformed(text) == wrong


@pytest.mark.parametrize("text", ["a", "a-1", "a" * 32])
def test_a_narrow_id_is_lower_case_a_letter_first(text: str) -> None:
    assert malformed(text, "narrow") is None


@pytest.mark.parametrize("text", ["A", "1a", "-a", "a_b", "a b", "é", "a" * 33, "a\u0661"])
def test_what_is_no_narrow_id_is_quoted(text: str) -> None:
    assert malformed(text, "narrow") == repr(text)


@pytest.mark.parametrize(
    ("one", "other", "what"),
    [
        ("doc ", "doc", "white space"),
        ("my  doc", "my doc", "white space"),
        ("my\u00a0doc", "my doc", "white space"),
        ("e\u0301", "é", "Unicode normal form"),
        ("ﬁle", "file", "Unicode compatibility form"),
        ("Doc", "doc", "case"),
        ("STRASSE", "straße", "case"),
        ("a\u200bb", "ab", "characters that cannot be seen"),
        ("12.0", "12", "how the number is written"),
        ("007", "7", "how the number is written"),
        ("-7.0", "-7", "how the number is written"),
        ("DOC ", "doc", "case, white space and normal form"),
    ],
)
def test_a_near_miss_says_what_differs(one: str, other: str, what: str) -> None:
    assert difference(one, other) == what
    assert Lookalikes([other]).hint(one) == f" ({show(other)} is one: differs in {what})"


def test_what_is_far_from_every_known_id_has_no_hint() -> None:
    assert Lookalikes(["launch", "owner"]).hint("region") == ""
    assert Lookalikes([]).hint("region") == ""


def test_a_number_and_its_negative_are_far_apart() -> None:
    assert Lookalikes(["7"]).hint("-7") == ""


def test_a_long_text_is_cut_where_it_is_quoted() -> None:
    assert show("x" * 80) == repr("x" * 80)
    assert show("x" * 81) == repr("x" * 80) + "…"


def test_of_several_lookalikes_the_first_by_name_is_quoted() -> None:
    assert Lookalikes(["doc", "DOC"]).hint("Doc") == " ('DOC' is one: differs in case)"


def test_an_id_that_does_not_print_is_quoted_in_front_of_a_message() -> None:
    assert label("a\nb") == r"'a\nb'"


@settings(deadline=None)
@given(st.text(max_size=300))
def test_no_text_breaks_the_message(text: str) -> None:
    wrong = malformed(text)
    assert wrong is None or "\n" not in wrong
    assert "\n" not in label(text)
    assert isinstance(Lookalikes([text]).hint(text + " "), str)
