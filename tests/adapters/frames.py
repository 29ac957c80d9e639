"""Small frozen tables for adapters."""

from collections.abc import Sequence

import polars as pl

from pipeline.contract.tables import Documents, Questions, Table, check

Groups = Sequence[list[str] | None]


def documents(texts: Sequence[str], access: Groups | None = None) -> pl.DataFrame:
    """Documents d0, d1, … with these texts, readable by everybody unless `access` says."""
    rows = [
        {"doc": row, "doc_id": f"d{row}", "text": text, "attributes": []}
        for row, text in enumerate(texts)
    ]
    return filled(Documents, rows, "access_groups", access)


def questions(texts: Sequence[str], callers: Groups | None = None) -> pl.DataFrame:
    """Questions q0, q1, … with these texts, by a caller without stated groups by default."""
    rows = [
        {
            "question": row,
            "question_id": f"q{row}",
            "line": 0,
            "text": text,
            "split": "dev",
            "labelled": False,
            "annotators": [],
            "attributes": [],
        }
        for row, text in enumerate(texts)
    ]
    return filled(Questions, rows, "caller_groups", callers)


def filled(
    table: Table, rows: list[dict[str, object]], column: str, groups: Groups | None
) -> pl.DataFrame:
    for at, row in enumerate(rows):
        row[column] = groups[at] if groups else None
    return check(table, pl.DataFrame(rows, schema=table.schema))
