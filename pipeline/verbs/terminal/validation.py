"""What a judge's rulings are worth: its rates beside people's, or that nobody knows."""

from collections.abc import Iterable
from typing import Any

from pipeline.contract.validity import standing, unlabelled, ways_out
from pipeline.contract.words import NA, counted
from pipeline.verbs.terminal.text import Line, cells, clean, padded, wrapped

Report = dict[str, Any]


def validation_lines(report: Report | None, width: int) -> list[Line]:
    """Set the judge's rates of yes, raw and corrected, or say that it is unvalidated.

    Args:
        report: as `rulings.validation` gives it.
        width: columns of the page.
    """
    if report is None:
        return []
    lines = _rates(report, width) if report["labels"] else []
    missing = unlabelled(report, report["sides"]) if report["labels"] else []
    if missing or not report["labels"]:
        lines += _unvalidated(report, missing, width)
    if report["stale"]:
        text = f"not used: {counted(report['stale'], 'label')} of people on other words than these"
        lines += [Line(line, "yellow") for line in wrapped(text, width, rest="  ")]
    return lines


def standing_lines(report: Report | None, sides: Iterable[str], width: int) -> list[Line]:
    """Say in a sentence whether anybody checked the judge of these sides.

    Args:
        report: as `rulings.validation` gives it; None: no judge ruled, and nothing is said.
        sides: names of the sides that are meant.
        width: columns of the page.
    """
    if report is None:
        return []
    missing = unlabelled(report, sides)
    text = standing(report["judge"], report["labels"], report["annotators"], missing)
    checked = report["labels"] and not missing
    lines = wrapped(clean(f"judge {text}"), width, first="  ", rest="    ")
    return [Line(line, "" if checked else "yellow") for line in lines]


def _unvalidated(report: Report, missing: list[str], width: int) -> list[Line]:
    """One line and the commands that lead out of it."""
    name = clean(report["judge"])
    what = f"for {', '.join(map(clean, missing))}, no" if missing else "no"
    text = f"unvalidated judge: {name}; {what} ruling of it stands beside a person's"
    lines = [Line(line, "yellow") for line in wrapped(text, width, rest="  ")]
    for command in ways_out(report):
        lines += [Line(line, "dim") for line in wrapped(clean(f"→ {command}"), width, first="  ")]
    return lines


def _rates(report: Report, width: int) -> list[Line]:
    """A line for each system and kind of ruling."""
    head = (
        f"The judge {clean(report['judge'])} held to {counted(report['annotators'], 'person')}"
        ": its share of yes, corrected with a 95 % interval"
    )
    lines = [Line(line, "bold") for line in wrapped(head, width, rest="  ")]
    of_sides = {name: side["metrics"] for name, side in report["sides"].items()}
    wide = max(cells(clean(metric)) for of in of_sides.values() for metric in of)
    for name, of in of_sides.items():
        columns = f"{'raw':>6}  {'corrected':<24}  {'labelled':>10}"
        lines.append(Line(f"  {padded(clean(name), wide + 2)}  {columns}", "dim"))
        for metric, rate in of.items():
            numbers = f"{_number(rate['raw']['value']):>6}  {_corrected(rate):<24}"
            share = f"{rate['common']:,} of {rate['ruled']:,}"
            lines.append(Line(f"    {padded(clean(metric), wide)}  {numbers}  {share:>10}"))
    return lines


def _corrected(rate: Report) -> str:
    found = rate["powered"]
    if found["value"] is None:
        return f"{NA} ({'not yes or no' if rate['common'] else 'no labels'})"
    return f"{_number(found['value'])} [{_number(found['low'])}, {_number(found['high'])}]"


def _number(number: float | None) -> str:
    return NA if number is None else f"{number:.4f}"
