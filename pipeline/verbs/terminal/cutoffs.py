"""The means of a ranking at several cutoffs, a column each."""

from typing import Any

from pipeline.contract.metrics import RANKED, UNCUT, at_cutoff
from pipeline.contract.words import NA, counted
from pipeline.verbs.terminal.text import Line, listed, padded

COLUMN, NAMES, COUNTS = 8, 10, 9
"""Characters of a column, of the names, and of the numbers of questions."""

Cells = dict[tuple[str, int], dict[str, Any]]


def cutoff_lines(rows: list[dict[str, Any]], tied: dict[int, int], width: int) -> list[Line]:
    """Set the macro means of one system; nothing where no cutoffs were asked for.

    What ties of scores or disputes leave open stands below, as the least and greatest mean.

    Args:
        rows: of Aggregates, one system and all questions.
        tied: for each cutoff how many responses have one score on both sides of it.
        width: columns of the page.
    """
    found: Cells = {}
    for row in rows:
        name, _, cutoff = str(row["metric"]).partition("@")
        if at_cutoff(row["metric"]) is not None:
            found[name, int(cutoff or 0)] = row
    cutoffs = sorted({k for _, k in found if k})
    fit = max((width - 2 - NAMES - COUNTS) // COLUMN, 1)
    lines: list[Line] = []
    for start in range(0, len(cutoffs), fit):
        lines += _table(found, cutoffs[start : start + fit], uncut=start == 0)
    notes = {
        "  low–high: ": [
            _range(found[metric.name, k])
            for metric in RANKED
            for k in (0, *cutoffs)
            if (metric.name, k) in found and _open(found[metric.name, k])
        ],
        "  ids decide between equal scores: ": [
            f"at k = {k} in {counted(n, 'response')}" for k, n in sorted(tied.items()) if n
        ],
    }
    for first, items in notes.items():
        if items:
            lines += [Line(t, "dim") for t in listed(items, width, first=first, rest="    ")]
    return lines


def _table(found: Cells, cutoffs: list[int], *, uncut: bool) -> list[Line]:
    head = "".join(f"{k:>{COLUMN}}" for k in cutoffs)
    lines = [Line(f"  {padded('k', NAMES)}{head}{'n':>{COUNTS}}", "dim")]
    for metric in RANKED:
        ks = cutoffs if metric.name != UNCUT else [0]
        if metric.name == UNCUT and not uncut:
            continue
        here = [found[metric.name, k] for k in ks]
        means = "".join(f"{_number(row['macro']):>{COLUMN}}" for row in here)
        counts = sorted({row["n"] for row in here})
        n = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,}–{counts[-1]:,}"
        means = f"{means:<{COLUMN * len(cutoffs)}}"
        lines.append(Line(f"  {padded(metric.label, NAMES)}{means}{n:>{COUNTS}}"))
    return lines


def _open(row: dict[str, Any]) -> bool:
    ends = {_number(row[name]) for name in ("low", "high", "macro")}
    return row["low"] is not None and len(ends) > 1


def _range(row: dict[str, Any]) -> str:
    metric = at_cutoff(row["metric"])
    label = metric.label if metric else row["metric"]
    return f"{label} {row['low']:.4f}–{row['high']:.4f}"


def _number(value: float | None) -> str:
    return NA if value is None else f"{value:.4f}"
