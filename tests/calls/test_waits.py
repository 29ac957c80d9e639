"""Waiting: backoff, Retry-After, and the rate."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.calls import waits
from pipeline.calls.waits import Rate, backoff, retry_after

NOON = datetime(2025, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        (" 0 ", 0.0),
        ("Wed, 01 Jan 2025 12:00:30 GMT", 30.0),
        ("Wed, 01 Jan 2025 11:00:00 GMT", 0.0),  # gone by
        ("Wednesday, 01-Jan-25 12:01:00 GMT", 60.0),
        ("9" * 400, 999_999_999.0),
        ("-1", None),
        ("1.5", None),
        ("soon", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, lambda: NOON) == seconds


@given(st.integers(1, 2000), st.none() | st.floats(0, 100))
def test_a_wait_is_what_was_asked_and_at_most_the_doubled_first_more(
    tries: int, asked: float | None
) -> None:
    most = min(60.0, waits.FIRST * 2.0 ** min(tries - 1, 100))
    assert (asked or 0) <= backoff(tries, asked) <= (asked or 0) + most


def test_without_a_rate_nobody_waits() -> None:
    rate = Rate(None, lambda: 5.0)
    assert [rate.wait() for _ in range(100)] == [0.0] * 100


def test_a_rate_lets_a_seconds_worth_through_and_spaces_the_rest() -> None:
    # 120 a minute: every half second, two may come at once
    now = 100.0
    rate = Rate(120, lambda: now)
    assert [rate.wait() for _ in range(5)] == [0.0, 0.0, 0.5, 1.0, 1.5]
    now = 200.0
    assert [rate.wait() for _ in range(3)] == [0.0, 0.0, 0.5]


def test_a_slow_rate_lets_one_through_at_a_time() -> None:
    rate = Rate(6, lambda: 100.0)
    assert [rate.wait() for _ in range(3)] == [0.0, 10.0, 20.0]
