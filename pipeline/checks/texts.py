"""What a text, a date or a number has to be before it is kept."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from math import isfinite
from typing import Any

from pipeline.checks.ids import label, show
from pipeline.checks.report import Report

WHOLE = 2**32 - 1
"""Greatest count, offset and repeat that the tables hold."""

COUNTED = 2**63 - 1
"""Greatest number of tokens that the tables hold."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_YEAR_OR_MONTH = re.compile(r"\d{4}(-(0[1-9]|1[0-2]))?")
_DATE_OR_TIME = re.compile(r"\d{4}[\dW-]*([T ]\d[\d:.,]*(Z|[+-][\d:]+)?)?")
_INVISIBLE = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
_EMPTY_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that print nothing: Hangul fillers, the Braille blank."""


def blank(text: str) -> bool:
    """Whether nothing in the text can be seen: white space, zero-width, controls, fillers."""
    if text[:1].isascii() and text[:1].isalnum():
        return False  # nearly always, and quick
    return all(
        unicodedata.category(character) in _INVISIBLE or character in _EMPTY_LETTERS
        for character in text
    )


def surrogate(text: str) -> str | None:
    """Say where half a surrogate pair stands, which is no character; None where none does."""
    found = None if text.isascii() else _SURROGATE.search(text)
    return (
        f"the lone surrogate U+{ord(found[0]):04X} at character {found.start()}" if found else None
    )


def dated(text: str) -> bool:
    """Whether a text is an ISO 8601 year, month, date, week date or time."""
    if _YEAR_OR_MONTH.fullmatch(text):
        return True
    if not _DATE_OR_TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def check_text(report: Report[Any], row: int, field: str, text: str | None, *, some: bool) -> None:
    """Refuse a text with half a surrogate pair and, where `some`, one that is blank."""
    if text is None:
        return
    fault = surrogate(text)
    if fault:
        report.add(row, f"whole characters in {field}", fault)
    elif some and blank(text):
        report.add(row, f"{field} that is not blank", show(text))


def check_date(report: Report[Any], row: int, field: str, text: str | None) -> None:
    """Refuse a date that ISO 8601 does not know."""
    if text is not None and not dated(text):
        report.add(row, f"an ISO 8601 date in {field}", show(text))


def check_attributes(
    report: Report[Any], row: int, attributes: Mapping[str, str | int | float | bool]
) -> None:
    """Refuse blank names, surrogates, and numbers that are not finite or beyond 64 bits."""
    for name, value in attributes.items():
        check_text(report, row, "the name of an attribute", name, some=True)
        if isinstance(value, str):
            check_text(report, row, f"attributes.{label(name)}", value, some=False)
        elif not (finite(value) and -COUNTED <= value <= COUNTED):
            report.add(
                row,
                f"a finite number of at most 64 bits in attributes.{label(name)}",
                f"{value}"[:80],
            )


def finite(value: float) -> bool:
    """Whether a number is neither NaN nor infinite, however large a whole number is."""
    return isinstance(value, int) or isfinite(value)


def check_number(
    report: Report[Any],
    row: int,
    field: str,
    value: float | None,
    *,
    least: int | None = 0,
    most: int | None = None,
) -> None:
    """Refuse a number that is not finite or lies outside [least, most].

    None: no limit but that of 64 bits, so that sums of what is accepted are finite.
    """
    if value is None:
        return
    low, high = -COUNTED if least is None else least, COUNTED if most is None else most
    fits = finite(value) and low <= value <= high
    if not fits:
        kind = "a whole number" if isinstance(value, int) else "a finite number"
        limits = (
            ""
            if least is None
            else f" of {least} or more, at most 64 bits,"
            if most is None and finite(value) and value > high
            else f" of {least} or more"
            if most is None
            else f" from {least} to {most}"
        )
        report.add(row, f"{kind}{limits} in {field}", f"{value}"[:80])
