import pytest

from pipeline.checks.texts import blank, dated, finite, surrogate


@pytest.mark.parametrize(
    "text", ["", " \t\n", "\u200b", "\ufeff\u00a0", "\u2800", "\u3164", "\x00"]
)
def test_a_text_in_which_nothing_can_be_seen_is_blank(text: str) -> None:
    assert blank(text)


@pytest.mark.parametrize("text", ["a", " . ", "\u200b1", "\u0301", "日"])
def test_one_visible_character_makes_a_text(text: str) -> None:
    assert not blank(text)


def test_half_a_surrogate_pair_is_found_with_its_place() -> None:
    assert surrogate("ab\udc00") == "the lone surrogate U+DC00 at character 2"
    assert surrogate("\U0001f600 whole") is None


@pytest.mark.parametrize(
    "text",
    [
        "2024", "2024-02", "2024-02-29", "20240229", "2024-W09-4", "2024-02-29T10:00",
        "2024-02-29 10:00:30", "2024-02-29T10:00:30.5Z", "2024-02-29T10:00+02:00",
    ],
)  # fmt: skip
def test_years_months_days_weeks_and_times_are_dates(text: str) -> None:
    assert dated(text)


@pytest.mark.parametrize(
    "text", ["", "24", "2024-13", "2023-02-29", "29.02.2024", "2024-02-29x10:00", "today", "٢٠٢٤x"]
)
def test_anything_else_is_no_date(text: str) -> None:
    assert not dated(text)


def test_a_whole_number_is_finite_however_large() -> None:
    assert finite(10**400)
    assert not finite(float("nan"))
    assert not finite(float("-inf"))
