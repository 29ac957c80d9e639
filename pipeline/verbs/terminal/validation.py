"""What a judge's rulings are worth: its rates beside people's, or that nobody knows."""

from typing import Any

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
    missing = sorted({
        metric
        for of in report["systems"].values()
        for metric, rate in of.items()
        if not rate["common"]
    })  # fmt: skip
    if missing or not report["systems"]:
        lines += _unvalidated(report, missing if report["labels"] else [], width)
    if report["stale"]:
        text = f"not used: {counted(report['stale'], 'label')} of people on other words than these"
        lines += [Line(line, "yellow") for line in wrapped(text, width, rest="  ")]
    return lines


def _unvalidated(report: Report, missing: list[str], width: int) -> list[Line]:
    """One line and the command that leads out of it."""
    name = clean(report["judge"])
    what = f"for {', '.join(map(clean, missing))}, no" if missing else "no"
    text = f"unvalidated judge: {name}; {what} ruling of it stands beside a person's"
    lines = [Line(line, "yellow") for line in wrapped(text, width, rest="  ")]
    if report["rulings"] is None:
        return lines
    words = ["→ python -m pipeline judge-sample", report["rulings"]]
    words += [f"--metric {metric}" for metric in missing]
    command = " ".join([*words, "--out sheet.csv"])
    return [*lines, *(Line(line, "dim") for line in wrapped(command, width, first="  "))]


def _rates(report: Report, width: int) -> list[Line]:
    """A line for each system and kind of ruling."""
    head = (
        f"The judge {clean(report['judge'])} held to {counted(report['annotators'], 'person')}"
        ": its share of yes, corrected with a 95 % interval"
    ).replace("persons", "people")
    lines = [Line(line, "bold") for line in wrapped(head, width, rest="  ")]
    wide = max(cells(clean(metric)) for of in report["systems"].values() for metric in of)
    for system, of in report["systems"].items():
        columns = f"{'raw':>6}  {'corrected':<24}  {'labelled':>10}"
        lines.append(Line(f"  {padded(clean(system), wide + 2)}  {columns}", "dim"))
        for metric, rate in of.items():
            numbers = f"{_number(rate['raw']['value']):>6}  {_corrected(rate):<24}"
            share = f"{rate['common']:,} of {rate['ruled']:,}"
            lines.append(Line(f"    {padded(clean(metric), wide)}  {numbers}  {share:>10}"))
    return lines


def _corrected(rate: Report) -> str:
    found = rate["powered"]
    if found["value"] is None:
        return f"{NA} (no labels)"
    return f"{_number(found['value'])} [{_number(found['low'])}, {_number(found['high'])}]"


def _number(number: float | None) -> str:
    return NA if number is None else f"{number:.4f}"
