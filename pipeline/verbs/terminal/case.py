"""Opens one question: reads what belongs to it from the tables of a run."""

from pathlib import Path

import polars as pl

from pipeline.adapters.judges.rulings import annotator
from pipeline.contract.files import read_json
from pipeline.contract.repeats import answered
from pipeline.contract.results import Judged, PerQuestion, Ranked, Silences
from pipeline.contract.tables import (
    Answers,
    Chunks,
    Claims,
    Documents,
    Evidence,
    Questions,
    Ranking,
    Relevance,
    Statements,
    Support,
    Table,
    Verdicts,
    check,
)
from pipeline.manifest import ledger
from pipeline.scoring.case import Case, Row
from pipeline.scoring.explain import labels_of


def open_case(data: Path, question: Row) -> Case:
    """Read what belongs to one row of Questions; large tables are filtered while read."""
    code = pl.col("question") == question["question"]
    freeze, score = data / "freeze", data / "score"
    relevance, support, claims = (
        _read(freeze, table, code) for table in (Relevance, Support, Claims)
    )
    evidence = _rows(freeze, Evidence, code)
    settings = read_json(score / "settings.json")
    rubric = settings["rubric"]
    answers = _rows(data / "answer", Answers, code)
    statements = _rows(data / "judge", Statements, code)
    scored = _read(score, PerQuestion, code)
    judged = _rows(score, Judged, code) or [{} for _ in range(len(scored))]
    values = [row | more for row, more in zip(scored.to_dicts(), judged, strict=True)]
    if settings.get("cutoffs"):
        rankings = _rows(score, Ranked, code)
        for row in values:
            row["ranked"] = [one for one in rankings if _response(one) == _response(row)]
    ranking = _read(data / "rerank", Ranking, code)
    ranked = answered(ranking, scored)["chunks"].to_list()
    contexts = [
        None if chunks is None else chunks[: row["cutoff"]]
        for chunks, row in zip(ranked, values, strict=True)
    ]
    named = {chunk for context in contexts for chunk in context or ()}
    named |= {chunk for row in statements for chunk in row["chunks"] or () if chunk >= 0}
    named |= {quote["chunk"] for row in answers for quote in row["quotes"] or ()}
    chunks = _rows(data / "chunk", Chunks, pl.col("chunk").is_in(sorted(named)))
    cited = {doc for row in statements for doc in row["citations"] or () if doc >= 0}
    labelled = {*relevance["doc"], *support["doc"], *(row["doc"] for row in evidence)}
    docs = sorted({row["doc"] for row in chunks} | cited | labelled)
    documents = _rows(freeze, Documents, pl.col("doc").is_in(docs))
    return Case(
        question=question,
        relevance=relevance.to_dicts(),
        support=support.to_dicts(),
        claims=claims.to_dicts(),
        evidence=evidence,
        answers=answers,
        statements=statements,
        values=values,
        contexts=contexts,
        verdicts=_rows(data / "judge", Verdicts, code),
        silences=_rows(score, Silences, pl.col("question_id") == question["question_id"]),
        judge=annotator(read_json(data / "judge" / "settings.json")["judge"]),
        chunks={row["chunk"]: row for row in chunks},
        documents={row["doc"]: row for row in documents},
        labels=labels_of(relevance, support, claims, rubric["unresolved"]),
        overlap=rubric["overlap"],
        looks=ledger.looks_at(data, question["text"]),
    )


def question_rows(data: Path, question_id: str) -> list[Row]:
    """The row of Questions with this id; empty when there is none."""
    return _rows(data / "freeze", Questions, pl.col("question_id") == question_id)


def _read(folder: Path, table: Table, wanted: pl.Expr) -> pl.DataFrame:
    frame = pl.scan_parquet(folder / f"{table.name}.parquet").filter(wanted).collect()
    return check(table, frame).sort(table.key)


def _rows(folder: Path, table: Table, wanted: pl.Expr) -> list[Row]:
    return _read(folder, table, wanted).to_dicts()


def _response(row: Row) -> tuple[str, int]:
    return row["system"], row["repeat"]
