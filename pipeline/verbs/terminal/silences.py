"""Answers on whose silence their record and their judge disagree."""

from typing import Any

import polars as pl

from pipeline.contract.words import counted
from pipeline.verbs.terminal.text import Line, clean, wrapped

MOST = 10
"""Answers that are named; the rest are counted."""


def silence_lines(silences: pl.DataFrame, repeated: bool, width: int) -> list[Line]:
    """Name the first answers on which abstention and judged deflection disagree.

    Args:
        silences: Silences.
        repeated: whether repeats have to be told apart.
        width: columns of the page.
    """
    if silences.is_empty():
        return []
    head = f"abstention and judged deflection disagree on {counted(len(silences), 'answer')}"
    lines = [Line(text, "yellow") for text in wrapped(head, width, rest="  ")]
    rows = silences.sort("question_id", "system", "repeat").head(MOST)
    for row in rows.iter_rows(named=True):
        repeat = f" repeat {row['repeat']}" if repeated else ""
        text = f"{clean(row['question_id'])}, {clean(row['system'])}{repeat}: {disagreement(row)}"
        lines += [Line(part) for part in wrapped(text, width, first="  ", rest="    ")]
    if len(silences) > MOST:
        text = f"  … and {len(silences) - MOST:,} more: data/score/silences.parquet"
        lines.append(Line(text, "dim"))
    return lines


def disagreement(row: dict[str, Any]) -> str:
    """One row of Silences in words."""
    if row["abstained"]:
        return "no claim on record, and the judge sees no deflection"
    return "claims on record, and the judge sees a deflection"
