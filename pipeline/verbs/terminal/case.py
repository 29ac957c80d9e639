"""One question with everything that belongs to it, read from the tables of a run."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.adapters.judges.rulings import annotator
from pipeline.contract.files import read_json
from pipeline.contract.repeats import answered
from pipeline.contract.results import Judged, PerQuestion, Silences
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
from pipeline.manifest.ledger import uses
from pipeline.scoring.explain import Labels, Parts, labels_of, supports

Row = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A question, its labels, what each system made of it, and the documents they name.

    Rows are rows of the tables of the same names; `chunks` and `documents` are by code.
    `answers`, `statements`, `values` and `contexts` (the visible chunks of each, None where
    the ranking was lost) are aligned, in order of system and repeat; where there are
    verdicts, which `verdicts` lists for all answers, `values` hold those of Judged too.
    `silences` are those answers on which record and judge disagree, `judge` is its name.
    `labels` are what the votes of `relevance` and `support` come to, `overlap` how many
    characters a chunk has to share with a marked span, `looks` how often held-out questions
    of this set were opened.
    """

    question: Row
    relevance: list[Row]
    support: list[Row]
    claims: list[Row]
    evidence: list[Row]
    answers: list[Row]
    statements: list[Row]
    values: list[Row]
    contexts: list[list[int] | None]
    verdicts: list[Row]
    silences: list[Row]
    judge: str
    chunks: dict[int, Row]
    documents: dict[int, Row]
    labels: Labels
    overlap: int
    looks: int

    def readable(self, doc: int) -> bool:
        """Whether who asks may read the document."""
        groups, caller = self.documents[doc]["access_groups"], self.question["caller_groups"]
        return groups is None or caller is None or not set(groups).isdisjoint(caller)

    def marks(self, doc: int, claim: int | None = None) -> list[tuple[int, int]]:
        """Spans of a document that somebody marked with yes, for this claim or for any."""
        return [
            (row["start"], row["end"])
            for row in self.evidence
            if row["doc"] == doc and row["start"] is not None
            if claim is None or row["claim"] == claim
            if row["grade"] is None or row["grade"] > 0
        ]

    def parts(self, at: int, claim: int, named: list[int] | None) -> Parts | None:
        """The chunks that citations of a claim name, as `explain.rule` takes them."""
        if named is None:
            return None
        held = {code: self._held(self.chunks[code], claim) for code in set(named) if code >= 0}
        return Parts(
            named,
            self.contexts[at] or (),
            {code for code, by in held.items() if any(by)},
            {code for code, by in held.items() if all(by)},
        )

    def _held(self, chunk: Row, claim: int) -> list[bool]:
        """Whether a chunk supports a claim, by each reading of its document."""
        voted = any(
            row["votes"] > 1
            for row in self.support
            if (row["claim"], row["doc"]) == (claim, chunk["doc"])
        )
        readings: dict[str | None, list[Row]] = {}
        for row in self.evidence:
            yes = row["grade"] is None or row["grade"] > 0
            if yes and (row["claim"], row["doc"]) == (claim, chunk["doc"]):
                readings.setdefault(row["annotator"] if voted else None, []).append(row)
        span = chunk["start"], chunk["end"]
        return [
            any(row["start"] is None for row in rows)
            or supports(span, [(row["start"], row["end"]) for row in rows], self.overlap)
            for rows in readings.values() or [[]]
        ]


def open_case(data: Path, question: Row) -> Case:
    """Read what belongs to one row of Questions; large tables are filtered while read."""
    code = pl.col("question") == question["question"]
    freeze, score = data / "freeze", data / "score"
    relevance, support, claims = (
        _read(freeze, table, code) for table in (Relevance, Support, Claims)
    )
    evidence = _rows(freeze, Evidence, code)
    rubric = read_json(score / "settings.json")["rubric"]
    answers = _rows(data / "answer", Answers, code)
    statements = _rows(data / "judge", Statements, code)
    scored = _read(score, PerQuestion, code)
    judged = _rows(score, Judged, code) or [{} for _ in range(len(scored))]
    values = [row | more for row, more in zip(scored.to_dicts(), judged, strict=True)]
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
        looks=uses(read_json(freeze / "manifest.json")["question_set"]["content"]),
    )


def question_rows(data: Path, question_id: str) -> list[Row]:
    """The row of Questions with this id; empty when there is none."""
    return _rows(data / "freeze", Questions, pl.col("question_id") == question_id)


def _read(folder: Path, table: Table, wanted: pl.Expr) -> pl.DataFrame:
    frame = pl.scan_parquet(folder / f"{table.name}.parquet").filter(wanted).collect()
    return check(table, frame).sort(table.key)


def _rows(folder: Path, table: Table, wanted: pl.Expr) -> list[Row]:
    return _read(folder, table, wanted).to_dicts()
