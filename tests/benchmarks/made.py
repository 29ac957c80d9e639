"""Frozen tables of random content, of any size, for benchmarks."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from pipeline.contract.files import write_json
from pipeline.contract.tables import (
    Answers,
    Chunks,
    Claims,
    Documents,
    Evidence,
    Found,
    LookedAt,
    Questions,
    Ranking,
    Relevance,
    Statements,
    Support,
    Table,
    Verdicts,
    write,
)

SYSTEM = "one"
UNANSWERABLE, FINDS, ABSTAINS, ADDS, STRAYS = 0.1, 0.8, 0.05, 0.2, 0.2
"""Shares: questions without evidence, relevant documents retrieved, answers without a claim,
answers with a claim too many, claims with a second citation that is not labelled."""

PORTS = {
    "chunk": "chunker", "retrieve": "retriever", "rerank": "reranker",
    "answer": "answerer", "judge": "judge",
}  # fmt: skip


def frozen(data: Path, size: int, retrieved: int, documents: int) -> None:
    """Write what the stages before `score` would leave of one system.

    An answerable question has two relevant documents and a claim for each.
    """
    draw = np.random.default_rng(7)
    answerable = draw.random(size) > UNANSWERABLE
    asked = np.flatnonzero(answerable)
    # relevant documents have odd codes and others even ones, so that none stands there twice
    relevant = np.sort(_distinct(draw, len(asked), 2, documents // 2) * 2 + 1, axis=1)
    ranking = _distinct(draw, size, retrieved, documents // 2) * 2
    for place in range(2):  # plant the relevant documents at random ranks
        found = draw.random(len(asked)) < FINDS
        rank = draw.integers(0, retrieved // 2, len(asked)) * 2 + place
        ranking[asked[found], rank[found]] = relevant[found, place]
    _write_labels(data, size, answerable, asked, relevant, documents)
    _write_responses(data, draw, size, answerable, relevant, ranking)


def _distinct(draw: np.random.Generator, rows: int, columns: int, documents: int) -> Any:
    """Rows of documents, none twice in a row: an arithmetic progression with a random step."""
    first = draw.integers(0, documents, (rows, 1))
    step = draw.integers(1, documents // columns, (rows, 1))
    return (first + step * np.arange(columns)) % documents


def _write_labels(
    data: Path, size: int, answerable: Any, asked: Any, relevant: Any, documents: int
) -> None:
    freeze = data / "freeze"
    names = pl.Series([f"d{number:06}" for number in range(documents)])
    _fill(freeze, Documents, {"doc": np.arange(documents), "doc_id": names, "text": names})
    ids = [f"q{number:06}" for number in range(size)]
    _fill(freeze, Questions, {"question": np.arange(size), "question_id": ids, "text": ids})
    flat = relevant.ravel()
    of, claim = np.repeat(asked, 2), np.arange(2 * len(asked))
    _fill(freeze, Claims, {
        "claim": claim, "question": of, "claim_id": ["c1", "c2"] * len(asked),
    })  # fmt: skip
    _fill(freeze, Relevance, {"question": of, "doc": flat})
    write(freeze, LookedAt, LookedAt.empty())
    _fill(freeze, Support, {"question": of, "claim": claim, "doc": flat})
    chunks = {"chunk": np.arange(documents), "doc": np.arange(documents), "chunk_id": names}
    _fill(data / "chunk", Chunks, chunks)
    write(data / "chunk", Found, Found.empty())
    for step, port in PORTS.items():
        write_json(data / step / "settings.json", {port: {"adapter": "tests.made.Made"}})
    hashes = dict.fromkeys(("corpus", "questions", "labels", "permissions"), "0" * 64)
    write(freeze, Evidence, Evidence.empty())
    write(data / "judge", Verdicts, Verdicts.empty())
    write_json(freeze / "manifest.json", {
        "hashes": hashes,
        "split": "dev",
        "missing_policy": "refuse",
        "question_set": {"claims": True, "content": "0" * 64},
        "responses": {SYSTEM: {"content": "0" * 64}},
    })  # fmt: skip


def _write_responses(
    data: Path, draw: np.random.Generator, size: int, answerable: Any, relevant: Any, ranking: Any
) -> None:
    key = {"question": np.arange(size), "system": SYSTEM, "repeat": 1}
    _fill(data / "rerank", Ranking, {**key, "chunks": _lists(ranking, pl.UInt32)})
    _fill(data / "answer", Answers, {**key, "status": "ok"})
    first = np.full(size, -1)
    first[answerable] = np.arange(answerable.sum()) * 2
    right = np.full((size, 2), 0)
    right[answerable] = relevant
    claims, cited, citations = [], [], []
    made = 2 + (draw.random(size) < ADDS)
    made[draw.random(size) < ABSTAINS] = 0
    both = draw.random((size, 3)) < STRAYS
    for row, count in enumerate(made.tolist()):
        stated = [
            -1 if first[row] < 0 or claim == 2 else first[row] + claim for claim in range(count)
        ]
        docs = [
            [int(right[row, min(claim, 1)])]
            + ([int(ranking[row, claim])] if both[row, claim] else [])
            for claim in range(count)
        ]
        docs = [list(dict.fromkeys(of)) for of in docs]
        claims.append(stated)
        cited.append([len(of) for of in docs])
        citations.append([doc for of in docs for doc in of])
    _fill(data / "judge", Statements, {
        **key,
        "judged": True,
        "claims": pl.Series(claims, dtype=pl.List(pl.Int32)),
        "cited": pl.Series(cited, dtype=pl.List(pl.UInt32)),
        "citations": pl.Series(citations, dtype=pl.List(pl.Int32)),
    })  # fmt: skip


def _lists(matrix: Any, kind: Any) -> pl.Series:
    return pl.Series(matrix.astype(np.int64)).arr.to_list().cast(pl.List(kind))


def _fill(folder: Path, table: Table, columns: dict[str, Any]) -> None:
    """Write a table from some of its columns; the rest gets what settled labels would have."""
    rest = {
        "yes": 1, "votes": 1, "grade": 1.0, "start": 0, "end": 1, "line": 0, "split": "dev",
        "labelled": True, "annotators": [], "attributes": [], "context_recorded": False,
    }  # fmt: skip
    frame = pl.DataFrame(columns).select(
        _column(table, name, columns, rest).alias(name) for name in table.columns
    )
    write(folder, table, frame)


def _column(table: Table, name: str, given: dict[str, Any], rest: dict[str, Any]) -> pl.Expr:
    """A column as given, or filled with the one value it has in made data."""
    dtype = table.schema[name]
    if name in given:
        return pl.col(name).cast(dtype)
    return pl.lit(rest.get(name), dtype=dtype)


def jsonl(data: Path) -> None:
    """Write questions and responses of frozen tables as the JSON lines people would have."""
    docs = pl.read_parquet(data / "freeze/documents.parquet")["doc_id"].to_list()
    ids = pl.read_parquet(data / "freeze/questions.parquet")["question_id"].to_list()
    relevance = pl.read_parquet(data / "freeze/relevance.parquet")
    support = pl.read_parquet(data / "freeze/support.parquet")
    names = pl.read_parquet(data / "freeze/claims.parquet")["claim_id"].to_list()
    relevant: list[list[str]] = [[] for _ in ids]
    for question, doc in relevance.select("question", "doc").iter_rows():
        relevant[question].append(docs[doc])
    supports: list[dict[str, list[str]]] = [{} for _ in ids]
    for question, claim, doc in support.select("question", "claim", "doc").iter_rows():
        supports[question].setdefault(names[claim], []).append(docs[doc])
    with (data / "questions.jsonl").open("w") as file:
        for name, of, by in zip(ids, relevant, supports, strict=True):
            file.write(
                json.dumps({"question_id": name, "text": name, "relevant": of, "support": by})
                + "\n"
            )
    ranking = pl.read_parquet(data / "rerank/ranking.parquet")["chunks"].to_list()
    statements = pl.read_parquet(data / "judge/statements.parquet")
    with (data / "responses.jsonl").open("w") as file:
        for row, (claims, cited, citations) in enumerate(
            statements.select("claims", "cited", "citations").iter_rows()
        ):
            rest = iter(citations)
            made = [
                {
                    "claim_id": names[claim] if claim >= 0 else f"extra{number}",
                    "citations": [docs[next(rest)] for _ in range(count)],
                }
                for number, (claim, count) in enumerate(zip(claims, cited, strict=True))
            ]
            line = {
                "system": SYSTEM,
                "question_id": ids[row],
                "retrieved": [docs[doc] for doc in ranking[row]],
                "claims": made,
            }
            file.write(json.dumps(line) + "\n")
