"""Means over pairs with their intervals, and what has to stand beside them."""

from typing import Any

from pipeline.contract.metrics import at_cutoff
from pipeline.contract.naming import cutoff_in, named
from pipeline.contract.rankings import untested
from pipeline.contract.words import Cut, label, widest
from pipeline.scoring.difference import FEW
from pipeline.verbs.terminal.text import Line, Style, clean, padded, wrapped

TOGETHER = frozenset({"support", "coverage", "false_abstention"})
"""Support can rise by silence, so it is never shown without the other two."""


def average_lines(
    found: dict[str, Any], method: dict[str, Any], cutoff: Cut, width: int
) -> list[Line]:
    """Means over pairs with their interval and n; metrics without a pair are left out."""
    rows = found["averages"]
    some = {row["metric"] for row in rows if row["n"] or row["unpaired"]}
    shown = some | (TOGETHER if some & TOGETHER else set())
    kept = [row for row in rows if row["metric"] in shown]
    if not kept:
        none = Line("  no pair of values to average", "dim")
        return [none, *_context(found["context"], widest(()))]
    names = {row["metric"]: label(named(row["metric"]), cutoff) for row in kept}
    sure = {row["metric"]: row for row in found["uncertainty"] if row["attribute"] == ""}
    wide = widest(())
    interval = f"{method['level']:.0%} interval"
    head = (
        f"  {padded('mean over pairs', wide)} before  after  change  {interval:>16}  {'p':>5}     n"
    )
    lines = [Line(head, "dim")]
    k: int | None = None
    for row in kept:
        if at_cutoff(row["metric"]) and cutoff_in(row["metric"]) != k:
            k = cutoff_in(row["metric"])
            lines.append(Line(f"  ranking, k = {k}", "dim"))
        before, after = _mean(row["before"], ""), _mean(row["after"], "")
        name = names[row["metric"]]
        if len(name) > wide:  # a line of its own, or the numbers would leave the page
            lines.append(Line(f"  {name}", _style(row)))
            name = ""
        text = (
            f"  {padded(name, wide)} {before:>6} {after:>6}  "
            f"{_mean(row['delta'], '+'):>6}  {_interval(sure.get(row['metric']))}  {row['n']:>4,}"
        )
        lines.append(Line(text.rstrip(), _style(row)))
    lines += _context(found["context"], wide)
    return lines + _beside(kept, names, found, method, width)


def _interval(row: dict[str, Any] | None) -> str:
    """Interval of a difference and its corrected p-value, in 23 columns."""
    if row is None or row["low"] is None:
        return f"{'n/a':>16}  {'n/a':>5}"
    ends = f"[{row['low']:+.3f}, {row['high']:+.3f}]"
    p = row["p_holm"]
    return f"{ends:>16}  {'n/a' if p is None else f'{p:.3f}':>5}"


def _beside(
    rows: list[dict[str, Any]],
    names: dict[str, str],
    found: dict[str, Any],
    method: dict[str, Any],
    width: int,
) -> list[Line]:
    """What belongs to the table and is no row of it: lost pairs, small n, how it was made."""
    unpaired = [f"{names[row['metric']]} {row['unpaired']:,}" for row in rows if row["unpaired"]]
    said = [f"unpaired: {', '.join(unpaired)}"] if unpaired else []
    shown = {row["metric"] for row in rows}
    few = [
        names[row["metric"]]
        for row in found["uncertainty"]
        if row["attribute"] == "" and row["small"] and row["metric"] in shown
        if row["low"] is not None
    ]
    if few:
        said.append(
            f"fewer than {FEW} questions differ in {', '.join(few)}: the interval is rough there, "
            "and a change can hide"
        )
    wanted = [
        row["needed"]
        for row in found["uncertainty"]
        if row["attribute"] == "" and row["metric"] in shown and row["needed"] is not None
    ]
    if wanted:
        said.append(
            f"to see a difference of {method['difference']:g} (power 80 %): "
            f"{min(wanted):,} to {max(wanted):,} questions, by metric"
            if min(wanted) < max(wanted)
            else f"to see a difference of {method['difference']:g}: {wanted[0]:,} questions"
        )
    said.append(
        f"interval: {method['interval']}, {method['resamples']:,} resamples of questions; "
        f"p: {method['test']}, {method['correction']}'s correction over {method['family']:,}"
    )
    if method.get("absent"):
        said.append(f"uncertainty.slices: no question has {clean(', '.join(method['absent']))}")
    said += [missing] if (missing := untested(method)) else []
    return [
        Line(line, "dim") for text in said for line in wrapped(text, width, first="  ", rest="    ")
    ]


def _context(found: dict[str, Any], wide: int) -> list[Line]:
    """How much text each side was given: a longer context is another change."""
    if not found["n"]:
        return []
    before, after = found["before"], found["after"]
    digits = 1 if max(before, after) < 1_000 else 0
    sides = " ".join(f"{side:>6,.{digits}f}" for side in (before, after))
    numbers = f"{sides} {after - before:>+7,.{digits}f}  {'':>23}  {found['n']:>4,}"
    return [Line(f"  {padded('context, characters', wide)} {numbers}")]


def _mean(number: float | None, sign: str) -> str:
    return "n/a" if number is None else f"{number:{sign}.3f}"


def _style(row: dict[str, Any]) -> Style:
    metric = named(row["metric"])
    if not row["delta"] or metric.of_labels:
        return ""
    return "green" if (row["delta"] > 0) == (metric.better == "higher") else "red"
