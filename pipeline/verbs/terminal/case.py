"""One question with everything that belongs to it, read from the tables of a run."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.contract.files import read_json
from pipeline.contract.results import PerQuestion
from pipeline.contract.tables import (
    Answers,
    Chunks,
    Claims,
    Documents,
    Evidence,
    Questions,
    Relevance,
    Statements,
    Support,
    Table,
    check,
)

Row = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A question, its labels, what each system made of it, and the documents they name.

    Rows are rows of the tables of the same names. `documents` are by code; `answers`,
    `statements` and `values` are row-aligned, in order of system and repeat.
    """

    question: Row
    relevance: list[Row]
    support: list[Row]
    claims: list[Row]
    evidence: list[Row]
    answers: list[Row]
    statements: list[Row]
    values: list[Row]
    chunks: dict[int, Row]
    documents: dict[int, Row]
    rubric: Row

    def readable(self, doc: int) -> bool:
        """Whether who asks may read the document."""
        groups, caller = self.documents[doc]["access_groups"], self.question["caller_groups"]
        return groups is None or caller is None or not set(groups).isdisjoint(caller)


def open_case(data: Path, question: Row) -> Case:
    """Read what belongs to one row of Questions; large tables are filtered while read."""
    code = pl.col("question") == question["question"]
    freeze, score = data / "freeze", data / "score"
    relevance, support, claims, evidence = (
        _rows(freeze, table, code) for table in (Relevance, Support, Claims, Evidence)
    )
    answers = _rows(data / "answer", Answers, code)
    statements = _rows(data / "judge", Statements, code)
    named = {chunk for row in answers for chunk in row["context"] or ()}
    chunks = _rows(data / "chunk", Chunks, pl.col("chunk").is_in(sorted(named)))
    cited = {doc for row in statements for doc in row["citations"] or () if doc >= 0}
    labelled = {row["doc"] for row in [*relevance, *support, *evidence]}
    docs = sorted({row["doc"] for row in chunks} | cited | labelled)
    documents = _rows(freeze, Documents, pl.col("doc").is_in(docs))
    return Case(
        question=question,
        relevance=relevance,
        support=support,
        claims=claims,
        evidence=evidence,
        answers=answers,
        statements=statements,
        values=_rows(score, PerQuestion, code),
        chunks={row["chunk"]: row for row in chunks},
        documents={row["doc"]: row for row in documents},
        rubric=read_json(score / "settings.json")["rubric"],
    )


def question_rows(data: Path, question_id: str) -> list[Row]:
    """The row of Questions with this id; empty when there is none."""
    return _rows(data / "freeze", Questions, pl.col("question_id") == question_id)


def _rows(folder: Path, table: Table, wanted: pl.Expr) -> list[Row]:
    frame = pl.scan_parquet(folder / f"{table.name}.parquet").filter(wanted).collect()
    return check(table, frame).sort(table.key).to_dicts()
