"""What counts as a term."""

from pipeline.adapters.retrievers.terms import Analysis, analysis


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


def test_stop_words_go_before_stemming() -> None:
    # "this" is on the list; "thi", which it would become, is not
    assert terms(analysis("english", "en"), "This is the runner running") == ["runner", "run"]


def test_a_look_up_leaves_out_what_no_text_holds() -> None:
    made = analysis("english", "en")
    made.index(["runs home"])
    assert made.look_up("the running home of nobody, running") == [0, 1, 0]
    assert len(made.vocabulary) == 2
