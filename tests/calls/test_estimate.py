"""What is said before and while calls are made."""

import io
import sys

import pytest

from pipeline.calls.attempt import Prices, Reply
from pipeline.calls.call import Call, Target
from pipeline.calls.estimate import estimate, money
from pipeline.calls.progress import Bar

TARGET = Target("http://h/v1", "m", None, {"max_completion_tokens": 100})


def call(words: str) -> Call:
    return Call("answer", "1", ({"role": "user", "content": words},))


def reply(*, text: str | None = "yes", tokens: int | None = 1_000_000) -> Reply:
    return Reply(text, None if text else "no", "stop", "m", tokens, tokens, 1.0, 1)


@pytest.mark.parametrize(
    ("dollars", "said"),
    [
        (0, "$0.00"),
        (0.000012345, "$0.000012"),
        (0.5, "$0.50"),
        (1.005, "$1.00"),
        (1234.5, "$1,234.50"),
    ],
)
def test_small_sums_keep_the_digits_that_tell_them_from_nothing(dollars: float, said: str) -> None:
    assert money(dollars) == said


def test_the_estimate_is_of_what_is_missing_and_its_limit() -> None:
    # 4,000,000 characters: about 1,000,000 tokens at $2; at most 100 tokens at $10 a million
    lines = estimate([call("a" * 4_000_000)], 3, TARGET, Prices(2.0, 10.0))
    assert lines == [
        "1 call to m, 3 kept from before",
        "  about 1,000,000 input tokens, at most 100 output",
        "  at most about $2.00",
    ]


def test_without_a_limit_the_cost_is_not_available() -> None:
    open_end = Target("http://h/v1", "m", None, {})
    lines = estimate([call("a")], 0, open_end, Prices(2.0, 10.0))
    assert lines[1:] == [
        "  about 0 input tokens, output not limited",
        "  cost n/a: no prices or no limit in conf",
    ]


def test_the_bar_counts_failures_and_cost() -> None:
    with Bar(3, Prices(1.0, 2.0)) as bar:
        bar.step(reply())
        assert bar.line() == "0 failed, $3.00"
        bar.step(reply(text=None))
        assert bar.line() == "1 failed, $6.00"
        bar.step(reply(tokens=None))
        assert bar.line() == "1 failed, $6.00 and some unknown"


def test_a_cost_of_which_nothing_is_known_is_not_available() -> None:
    with Bar(1, Prices(None, None)) as bar:
        bar.step(reply())
        assert bar.line() == "0 failed, cost n/a"


def test_the_bar_is_drawn_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    shown = {}
    for kind in (Terminal, io.StringIO):
        stream = kind()
        monkeypatch.setattr(sys, "stderr", stream)
        with Bar(2, Prices(1.0, 1.0)) as bar:
            bar.step(reply())
            bar.step(reply(text=None))
        shown[kind] = stream.getvalue()
    assert "2/2" in shown[Terminal]
    assert "1 failed, $4.00" in shown[Terminal]
    assert shown[io.StringIO] == ""
