"""What counts as a term."""

from unicodedata import normalize

from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.retrievers.terms import MARKS, WORD, Analysis, analysis


def terms(made: Analysis, text: str) -> list[str]:
    [codes] = made.index([text])
    names = {code: term for term, code in made.vocabulary.items()}
    return [names[code] for code in codes]


def test_terms_are_words_in_lower_case() -> None:
    assert terms(analysis(None, None), "The A-1 form, twice: form_2!") == [
        "the", "a", "1", "form", "twice", "form_2",
    ]  # fmt: skip


def test_an_accent_counts_the_same_however_it_is_written() -> None:
    assert terms(analysis(None, None), "caf\u00e9 cafe\u0301 ｆｕｌｌ") == ["café", "café", "full"]


def test_han_and_hiragana_are_terms_one_by_one_and_katakana_is_a_word() -> None:
    assert terms(analysis(None, None), "漢字のテスト7x") == ["漢", "字", "の", "テスト7x"]


def test_a_vowel_sign_belongs_to_its_word() -> None:
    # \w would leave only the consonants: ह, न, द, भ, ष
    assert terms(analysis(None, None), "हिन्दी भाषा") == ["हिन्दी", "भाषा"]
    assert terms(analysis(None, None), "தமிழ் மொழி, שָׁלוֹם") == ["தமிழ்", "மொழி", "שָׁלוֹם"]
    # the stemmer sees whole words: book, books
    assert len(set(terms(analysis("hindi", None), "किताब किताबें किताबों"))) == 1


def test_in_scripts_without_spaces_each_letter_with_its_marks_is_a_term() -> None:
    assert terms(analysis(None, None), "กรุงเทพ 7x") == ["ก", "รุ", "ง", "เ", "ท", "พ", "7x"]


@given(st.text(st.sampled_from("aé7_ -.漢のテกุिहा\u0301\u05b8\ufe0f\U0001f600")))
def test_words_are_runs_of_letters_with_their_marks(text: str) -> None:
    words: list[str] = []
    before = " "
    for letter in normalize("NFKC", text).lower():
        if letter in MARKS and (before in MARKS or before.isalnum() or before == "_"):
            # a mark alone begins no word, and Han and Hiragana take none
            if words and before not in ("漢", "の"):
                words[-1] += letter
                before = letter
                continue
            before = " "
        elif letter.isalnum() or letter == "_":
            joins = before != " " and letter not in "漢のก" and not ends_alone(words)
            words = [*words[:-1], words[-1] + letter] if joins else [*words, letter]
            before = letter
        else:
            before = " "
    assert WORD.findall(normalize("NFKC", text).lower()) == words


def ends_alone(words: list[str]) -> bool:
    return words[-1][0] in "漢のก"


def test_a_variation_selector_makes_no_other_word() -> None:
    assert terms(analysis(None, None), "1\ufe0f\u20e3 a\ufe0f a") == ["1", "a", "a"]


def test_stop_words_go_before_stemming() -> None:
    # "this" is on the list; "thi", which it would become, is not
    assert terms(analysis("english", "en"), "This is the runner running") == ["runner", "run"]


def test_a_look_up_leaves_out_what_no_text_holds() -> None:
    made = analysis("english", "en")
    made.index(["runs home"])
    assert made.look_up("the running home of nobody, running") == [0, 1, 0]
    assert len(made.vocabulary) == 2
