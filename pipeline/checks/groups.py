"""Lists of ids inside a record: no id twice, each one well formed, none too long."""

from collections.abc import Sequence
from typing import Any

from pipeline.checks.ids import EXPECTED, NARROW_LIST, Rule, malformed, show
from pipeline.checks.report import Report


def check_id(report: Report[Any], row: int, field: str, text: str, rule: Rule = "open") -> None:
    """Refuse a text that cannot be an id."""
    wrong = malformed(text, rule)
    if wrong:
        report.add(row, f"{EXPECTED[rule]} in {field}", wrong)


def check_names(report: Report[Any], row: int, field: str, names: Sequence[str] | None) -> None:
    """Check a list of names (groups, annotators), which follow the rule `open`."""
    for at, name in enumerate(names or ()):
        check_id(report, row, f"{field}[{at}]", name)
    check_distinct(report, row, field, names)


def check_distinct(report: Report[Any], row: int, field: str, ids: Sequence[str] | None) -> None:
    """Refuse a list that holds an id twice, naming both places of each."""
    if ids is None or len(set(ids)) == len(ids):
        return
    first: dict[str, int] = {}
    for at, name in enumerate(ids):
        if name in first:
            report.add(row, f"no id twice in {field}", f"{show(name)} at {first[name]} and at {at}")
        first.setdefault(name, at)


def check_length(
    report: Report[Any], row: int, field: str, ids: Sequence[str] | None, rule: Rule
) -> None:
    """Refuse a list that is longer than the rule allows."""
    if rule == "narrow" and ids is not None and len(ids) > NARROW_LIST:
        report.add(row, f"at most {NARROW_LIST} ids in {field}", f"{len(ids)}")
