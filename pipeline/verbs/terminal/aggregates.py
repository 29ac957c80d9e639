"""The means of each system, each with its n and with what was left out and why."""

from typing import Any

import polars as pl

from pipeline.contract.metrics import REASONS, SHOWN, SPANS
from pipeline.contract.naming import named
from pipeline.contract.words import NA, REASON, Cut, counted, cut, label, widest
from pipeline.verbs.terminal.cutoffs import cutoff_lines
from pipeline.verbs.terminal.text import Line, cells, clean, listed, padded, wrapped

SPANNED = frozenset(metric.name for metric in SPANS)
"""Metrics that most sets have no labels for, which then is not said."""

OTHER_POPULATION = ("unanswerable", "answerable")
"""Reasons that only say which kind of question it is; the head of the block counts those."""


def aggregate_lines(
    aggregates: pl.DataFrame,
    values: pl.DataFrame,
    width: int,
    heldout: str,
    rankings: pl.DataFrame | None = None,
) -> list[Line]:
    """Set the means over all questions, a block for each system.

    Args:
        aggregates: Aggregates.
        values: PerQuestion, for k and the number of questions of each kind.
        width: columns of the page.
        heldout: what stands in each head when held-out questions are among them.
        rankings: Ranked, for the ties across its cutoffs; None: there are no cutoffs.
    """
    shown = {metric.name: at for at, metric in enumerate(SHOWN)}
    overall = aggregates.filter((pl.col("attribute") == "") & (pl.col("value") == ""))
    lines: list[Line] = []
    for system in values["system"].unique().sort():
        lines += [Line("")] if lines else []
        head = f"{clean(system)}: {_questions(values.filter(pl.col('system') == system))}{heldout}"
        lines += [Line(line, "bold") for line in wrapped(head, width, rest="  ")]
        of = (pl.col("system") == system) & pl.col("metric").is_in(list(shown))
        rows = overall.filter(of).to_dicts()
        rows.sort(key=lambda row: shown[row["metric"]])
        lines += _block(rows, cut(values), width)
        of_system = overall.filter(pl.col("system") == system).to_dicts()
        lines += cutoff_lines(of_system, _tied(rankings, system), width)
    return [*lines, *_slices(aggregates, width)]


def _tied(rankings: pl.DataFrame | None, system: str) -> dict[int, int]:
    """For each cutoff, how many responses have one score on both sides of it."""
    if rankings is None:
        return {}
    of = rankings.filter(pl.col("system") == system)
    return dict(of.group_by("cutoff").agg(pl.col("tie").sum()).iter_rows())


def _questions(values: pl.DataFrame) -> str:
    """How many questions of each population, and how many repeats."""
    kinds = dict(
        values.group_by("population")
        .agg(pl.col("question_id").n_unique())
        .sort("population")
        .rows()
    )
    names = {
        "answerable": "answerable",
        "unanswerable": "unanswerable",
        "unresolved": "in dispute whether answerable",
        "not_labelled": "not labelled",
    }
    parts = [f"{kinds[kind]:,} {name}" for kind, name in names.items() if kinds.get(kind)]
    repeats = values["repeat"].n_unique()
    asked = counted(values["question_id"].n_unique(), "question")
    return f"{asked} ({', '.join(parts)})" + (f", {repeats} repeats" if repeats > 1 else "")


def _block(rows: list[dict[str, Any]], cutoff: Cut, width: int) -> list[Line]:
    """One line for each metric; columns that no row needs are left out."""
    unlabelled = [row for row in rows if not row["n"] and set(_reasons(row)) == {"not_labelled"}]
    table = [row for row in rows if row not in unlabelled and (row["n"] or _left_out(row))]
    unlabelled = [row for row in unlabelled if row["metric"] not in SPANNED]
    strict = any(_strict(row) for row in table)
    ranges = any(_range(row) for row in table)
    head = ["macro", "pooled", *["strict"] * strict, *["low–high"] * ranges, "n"]
    sizes = [6, 6, *[6] * strict, *[13] * ranges, 5]
    names = {row["metric"]: label(named(row["metric"]), cutoff) for row in table}
    wide = widest(names.values())
    lines = [Line(f"  {padded('', wide)}  {_columns(head, sizes)}", "dim")] if table else []
    notes: dict[str, list[str]] = {}
    for row in table:
        numbers = [_number(row["macro"]), _number(row["pooled"], ""), *[_strict(row)] * strict]
        numbers += [*[_range(row)] * ranges, f"{row['n']:,}"]
        text = f"  {padded(names[row['metric']], wide)}  {_columns(numbers, sizes)}"
        lines.append(Line(text.rstrip()))
        notes.setdefault(_left_out(row), []).append(names[row["metric"]])
    for why, metrics in notes.items():
        items = f"n/a, {why}: {', '.join(metrics)}".split(", ")
        lines += [Line(s, "dim") for s in listed(items, width, first="  ", rest="    ") if why]
    if unlabelled:
        labels = [label(named(row["metric"]), cutoff) for row in unlabelled]
        first, rest = "  not labelled in this set: ", "    "
        lines += [Line(s, "dim") for s in listed(labels, width, first=first, rest=rest)]
    return lines


def _columns(texts: list[str], sizes: list[int]) -> str:
    return "  ".join(
        " " * (size - cells(text)) + text for text, size in zip(texts, sizes, strict=True)
    )


def _left_out(row: dict[str, Any]) -> str:
    return ", ".join(
        f"{REASON[reason]} ({counted(n, 'response')})" for reason, n in _reasons(row).items()
    )


def _reasons(row: dict[str, Any]) -> dict[str, int]:
    counts = {reason: row[f"na_{reason}"] for reason in REASONS if reason not in OTHER_POPULATION}
    return {reason: n for reason, n in counts.items() if n}


def _strict(row: dict[str, Any]) -> str:
    """The strict mean where it says something else than macro."""
    return "" if row["strict"] == row["macro"] else _number(row["strict"])


def _range(row: dict[str, Any]) -> str:
    """What macro can become once disputed labels are settled, where that is open.

    Where macro is n/a its one possible value is shown too: the question may drop out.
    """
    if row["low"] is None or row["low"] == row["high"] == row["macro"]:
        return ""
    return f"{row['low']:.4f}–{row['high']:.4f}"


def _number(number: float | None, absent: str = NA) -> str:
    return absent if number is None else f"{number:.4f}"


def _slices(aggregates: pl.DataFrame, width: int) -> list[Line]:
    names = aggregates.filter(pl.col("attribute") != "")["attribute"].unique().sort().to_list()
    if not names:
        return []
    text = f"slices by {', '.join(map(clean, names))}: data/score/aggregates.csv"
    return [Line(line, "dim") for line in wrapped(text, width)]
