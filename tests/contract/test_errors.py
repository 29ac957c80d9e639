"""An error names the place, what belongs there and what is there."""

import pytest

from pipeline.contract.errors import (
    AssayError,
    ConfigError,
    DataError,
    EndpointError,
    Fault,
    IncomparableError,
    nearest,
)


def test_a_fault_reads_as_place_id_expected_got() -> None:
    fault = Fault("a.jsonl", 3, "q1", "a known id", "'x'")
    assert str(fault) == "a.jsonl:3: q1: expected a known id, got 'x'"
    assert str(Fault("a.jsonl", None, None, "a file", "none")) == (
        "a.jsonl: expected a file, got none"
    )


def test_a_data_error_lists_every_fault_and_what_to_do() -> None:
    faults = [Fault("a", line, None, "x", "y") for line in (1, 2)]
    lines = str(DataError(faults)).splitlines()
    assert lines[:2] == ["a:1: expected x, got y", "a:2: expected x, got y"]
    assert "nothing was scored" in lines[2]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (DataError([]), 3),
        (ConfigError("a", expected="b", got="c"), 3),
        (IncomparableError("a"), 2),
        (EndpointError("a", expected="b", got="c"), 4),
    ],
)
def test_each_error_has_its_exit_code(error: AssayError, code: int) -> None:
    assert error.exit_code == code


def test_the_nearest_word_is_offered_only_when_it_is_near() -> None:
    assert nearest("cutof", ["cutoff", "depth"]) == " (did you mean 'cutoff'?)"
    assert nearest("zzz", ["cutoff", "depth"]) == ""


def test_whatever_stands_in_a_word_or_a_name_the_message_is_one_harmless_line() -> None:
    said = str(ConfigError("rev:a\nb", expected="one", got="\x1b[31m"))
    assert said == "rev:a\\nb: expected one, got \\x1b[31m"
    fault = Fault("f", 1, "q\u202e", "one", "two\rthree")
    assert str(fault) == "f:1: q\\u202e: expected one, got two\\rthree"


def test_a_key_that_is_no_text_has_a_nearest_name_too() -> None:
    assert nearest(1, ["1a"]) == " (did you mean '1a'?)"  # type: ignore[arg-type]
