import io
import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.contract.spelling import ISOLATE, POP
from pipeline.verbs.terminal.text import (
    Line,
    block,
    cells,
    clean,
    columns,
    emit,
    fitted,
    padded,
    wrapped,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("\x9b2J", r"\x9b2J"),
        ("a\rb\nc\td\0", r"a\rb\nc\td\x00"),
        ("invoice\u202egpj.exe", r"invoice\u202egpj.exe"),
        ("\ufeffbom", r"\ufeffbom"),
        ("a\u2028b", r"a\u2028b"),
        ("\U000e0041hidden", r"\U000e0041hidden"),
    ],
)
def test_what_could_act_on_a_terminal_is_spelled(text: str, shown: str) -> None:
    assert clean(text) == shown


@pytest.mark.parametrize("text", ["plain id", "naïve", "日本語", "👩‍🔬", "a̐"])
def test_words_of_any_script_and_emoji_stay_as_they_are(text: str) -> None:
    assert clean(text) == text


def test_a_word_from_right_to_left_cannot_turn_what_follows_it() -> None:
    assert clean("שלום") == f"{ISOLATE}שלום{POP}"


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_no_control_character_is_ever_printed(text: str) -> None:
    allowed = {"\u200c", "\u200d", ISOLATE, POP}
    assert all(
        unicodedata.category(c) not in ("Cc", "Cf", "Zl", "Zp") for c in set(clean(text)) - allowed
    )


def test_wide_characters_take_two_cells_and_isolates_none() -> None:
    assert (cells("ab"), cells("日本"), cells(clean("שלום"))) == (2, 4, 4)
    assert padded("日本", 6) == "日本  "


@settings(deadline=None)
@given(st.text(st.sampled_from("ab 日é👩"), max_size=60), st.integers(12, 40))
def test_no_wrapped_line_is_wider_than_the_page_and_no_character_is_lost(
    text: str, width: int
) -> None:
    lines = wrapped(text, width, first="- ")
    assert all(cells(line) <= width for line in lines)
    assert "".join(line[2:] for line in lines).replace(" ", "") == text.replace(" ", "")


def test_further_lines_are_indented_below_the_first() -> None:
    assert wrapped("aa bb cc", 7, first="- ") == ["- aa bb", "  cc"]
    assert wrapped("aa bb cc", 7, first="- ", rest="    ") == ["- aa bb", "    cc"]


def test_a_long_text_is_clipped_with_a_note_of_how_much_is_missing() -> None:
    assert block("x" * 10, 80, indent="  ", limit=4) == [
        "  xxxx",
        "  [… 6 characters more: --full shows them]",
    ]
    assert block("x" * 10, 80, indent="  ", limit=None) == ["  xxxxxxxxxx"]
    assert block("x" * 4, 80, indent="  ", limit=4) == ["  xxxx"]


def test_a_text_keeps_its_line_breaks_and_loses_its_escapes() -> None:
    assert block("one\r\ntwo\x1b[2J", 80, indent="", limit=None) == ["one", r"two\x1b[2J"]


def test_a_text_is_cut_to_fit_with_an_ellipsis() -> None:
    assert fitted("abcdef", 6) == "abcdef"
    assert fitted("abcdefg", 6) == "abcde…"
    assert cells(fitted("日本語日本語", 6)) <= 6


def test_the_page_is_as_wide_as_the_terminal_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    for given_columns, width in (("80", 80), ("300", 100), ("5", 40)):
        monkeypatch.setenv("COLUMNS", given_columns)
        assert columns() == width


def test_without_a_terminal_lines_are_bare(capsys: pytest.CaptureFixture[str]) -> None:
    emit([Line("x" * 200, "red"), Line("[bold]not markup[/bold] :smile:")])
    assert capsys.readouterr().out == "x" * 200 + "\n[bold]not markup[/bold] :smile:\n"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_a_styled_line_is_coloured_and_not_broken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = _Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    emit([Line("y" * 100, "red"), Line("x" * 200)])
    assert screen.getvalue() == "\x1b[31m" + "y" * 100 + "\x1b[0m\n" + "x" * 200 + "\n"


def test_no_color_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("NO_COLOR", "1")
    emit([Line("y", "red")])
    assert screen.getvalue() == "y\n"


def test_what_the_encoding_lacks_is_spelled_rather_than_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    emit([Line("0.50 → 1.00 é")])
    sys.stdout.flush()
    assert raw.getvalue() == rb"0.50 \u2192 1.00 \xe9" + b"\n"
