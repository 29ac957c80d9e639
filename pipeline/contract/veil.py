"""How much of the texts leaves with a run: full, redacted or ids.

A string column that is not known to hold ids counts as text, so that a table that is
added later is veiled until somebody says otherwise.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Literal

import polars as pl

from pipeline.contract.metrics import AGGREGATED, JUDGED, RANKED
from pipeline.contract.tables import PAIRS, TEXT, TEXTS

Content = Literal["full", "redacted", "ids"]

IDS = frozenset(
    {
        "doc_id", "question_id", "claim_id", "chunk_id", "claim_ids", "citations",
        "cited_ids", "leaks", "kind", "label",
        "system", "metric", "attribute", "population", "split", "status", "causes", "access_groups",
        "caller_groups", *(f"{metric.name}_reason" for metric in (*AGGREGATED, *JUDGED, *RANKED)),
    }
)  # fmt: skip
"""Columns that hold ids, names of groups, or words of this program: kept always."""

LABELS = frozenset(
    {
        "attributes", "value", "annotator", "annotators",
        "provider", "version", "date", "asked_at",
    }
)  # fmt: skip
"""Columns that hold short facts for slices: kept by `redacted`, hashed by `ids`."""


OUTLINE = r"^\[\d+ characters, sha256 [0-9a-f]{12}\]$"
"""What `redacted` puts in place of a text."""


def veiled(frame: pl.DataFrame, content: Content) -> pl.DataFrame:
    """Return the frame with its columns and types, and with only what `content` allows.

    `full` keeps all. `redacted` puts length and hash in place of each text. `ids` empties
    each text and hashes the labels, equal ones alike. What is null stays null. A hash of
    something short can be guessed: it hides texts, not which of two are equal.
    """
    if content == "full":
        return frame
    return frame.with_columns(
        _column(frame[name], content)
        for name, dtype in frame.schema.items()
        if name not in IDS and dtype in (TEXT, TEXTS, PAIRS)
    )


def words(text: str | None, content: Content) -> str | None:
    """Return a text as `content` allows it: as it is, its length and hash, or None."""
    if text is None or content == "full":
        return text
    return None if content == "ids" else _outline(text)


def label(value: str, content: Content) -> str:
    """Return a label (an attribute's value, say) as `content` allows it."""
    return f"#{_digest(value)}" if content == "ids" and value else value


def shown(texts: pl.Series) -> Content:
    """How much of the texts of questions, none of which is blank, a table holds."""
    if texts.is_empty() or not (texts.str.contains(OUTLINE) | (texts == "")).all():
        return "full"
    return "ids" if (texts == "").any() else "redacted"


def _column(column: pl.Series, content: Content) -> pl.Series:
    veil = _veil(column.name, content)
    rows = column.to_list()
    if column.dtype == PAIRS:
        rows = [row and [{**pair, "value": veil(pair["value"])} for pair in row] for row in rows]
    elif column.dtype == TEXTS:
        rows = [row and [veil(item) for item in row] for row in rows]
    else:
        rows = [row and veil(row) for row in rows]
    return pl.Series(column.name, rows, column.dtype)


def _veil(name: str, content: Content) -> Callable[[str], str]:
    if name in LABELS:
        return lambda value: label(value, content)
    return _outline if content == "redacted" else lambda _: ""


def _outline(text: str) -> str:
    return f"[{len(text)} characters, sha256 {_digest(text)}]" if text else ""


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]
