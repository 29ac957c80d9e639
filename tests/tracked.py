"""Data folders with every stage up to `score` done, for what keeps and describes runs."""

from math import fsum
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.contract import tables
from pipeline.contract.files import write_json
from pipeline.contract.metrics import METRICS, REASONS
from pipeline.contract.results import Aggregates, PerQuestion
from pipeline.manifest.identity import identify
from tests.per_question import answered, failed, per_question

CANARY = "KANARIENVOGEL"
"""Stands in every text of the data; nowhere else."""

SYSTEMS = ("A", "B")

STEPS = {
    "chunk": "chunker",
    "retrieve": "retriever",
    "rerank": "reranker",
    "answer": "answerer",
    "judge": "judge",
}

PARAMS: dict[str, Any] = {
    "dataset": {"_target_": "pipeline.adapters.datasets.jsonl.Jsonl", "path": "data/raw/x"},
    "cutoff": 2,
    "budget": None,
    "seed": 7,
    "split": "dev",
    "rubric": {"ids": "open", "unresolved": "interval"},
    "acceptance": {"policy": "none"},
}


def folder(data: Path, questions: int = 4, split: str = "dev", **responses: str) -> Path:
    """Fill `data`: system A is right everywhere, B has failed at q1 and adds a claim at q2.

    The last question is unanswerable. `responses` gives a system another content hash.
    """
    freeze(data, questions, split, responses)
    answer(data, questions)
    score(data, questions)
    return data


def freeze(data: Path, questions: int, split: str, responses: dict[str, str]) -> None:
    to = data / "freeze"
    names = [f"q{n:03d}" for n in range(1, questions + 1)]
    n = range(questions)
    write(to, tables.Documents, [
        {"doc": i, "doc_id": f"d{i:03d}", "text": f"{CANARY} of document {i}",
         "title": f"{CANARY} title", "provider": f"{CANARY} provider",
         "attributes": [{"key": "kind", "value": f"{CANARY} attribute"}]}
        for i in range(questions + 1)
    ])  # fmt: skip
    write(to, tables.Questions, [
        {"question": i, "question_id": name, "text": f"{CANARY} of question {i}", "split": split,
         "labelled": True, "annotators": [f"{CANARY} annotator"],
         "content_note": f"{CANARY} note", "asked_at": f"{CANARY} time",
         "attributes": [{"key": "hops", "value": f"{CANARY} hops"}]}
        for i, name in enumerate(names)
    ])  # fmt: skip
    answerable = range(questions - 1)
    write(to, tables.Claims, [
        {"claim": i, "question": i, "claim_id": "fact", "text": f"{CANARY} claim"}
        for i in answerable
    ])  # fmt: skip
    vote = {"yes": 1, "votes": 1}
    write(to, tables.Relevance, [
        {"question": i, "doc": i, "grade": 1.0, **vote} for i in answerable
    ])  # fmt: skip
    write(to, tables.Support, [{"question": i, "claim": i, "doc": i, **vote} for i in answerable])
    write(to, tables.Evidence, [
        {"question": i, "doc": i, "claim": i, "annotator": f"{CANARY} annotator"}
        for i in answerable
    ])  # fmt: skip
    write(to, tables.Responses, [response(system, i, questions) for system in SYSTEMS for i in n])
    write_json(to / "manifest.json", manifest(questions, split, responses))


def response(system: str, i: int, questions: int) -> dict[str, Any]:
    row = {"system": system, "repeat": 1, "question": i, "line": i + 1, "status": "ok"}
    if system == "B" and i == 0:
        return {**row, "status": "failed", "error": f"{CANARY} error"}
    claims = ["fact"] if i < questions - 1 else []
    claims += ["bonus"] if system == "B" and i == 1 else []
    return {
        **row,
        "answer": f"{CANARY} answer of {system}",
        "retrieved": [i, i + 1],
        "claim_ids": claims,
        "citations": [[f"d{i:03d}"] for _ in claims],
        "input_tokens": 100,
        "output_tokens": 10,
        "latency_s": 0.25,
        "attempts": 2,
    }


def answer(data: Path, questions: int) -> None:
    write(data / "chunk", tables.Chunks, [
        {"chunk": i, "chunk_id": f"d{i:03d}", "doc": i, "start": 0, "end": len(text)}
        for i in range(questions + 1) for text in [f"{CANARY} of document {i}"]
    ])  # fmt: skip
    rows = [response(system, i, questions) for system in SYSTEMS for i in range(questions)]
    for row in rows:
        claims = row.get("claim_ids", [])
        row |= {"chunks": row.get("retrieved"), "judged": True, "cited": [1 for _ in claims]}
        row |= {"claims": [row["question"] if claim == "fact" else -1 for claim in claims]}
    for step in ("retrieve", "rerank"):
        write(data / step, tables.Ranking, rows)
    write(data / "answer", tables.Answers, rows)
    write(data / "answer", tables.Usage, rows)
    coded = [row | {"citations": [row["question"] for _ in row["claims"]]} for row in rows]
    write(data / "judge", tables.Statements, coded)
    for step, port in STEPS.items():
        write_json(data / step / "settings.json", {port: {"adapter": "recorded"}})


def manifest(questions: int, split: str, responses: dict[str, str]) -> dict[str, Any]:
    terms = {"licence": "Apache-2.0", "authorisation": "granted", "retention": "a year"}
    frozen = {"name": "tiny", "version": "v1", "declared": True, "note": None, **terms}
    return {
        "schema_version": "1.0",
        "contract_version": "1.0",
        "corpus": {**frozen, "content": "c" * 64, "documents": questions + 1},
        "question_set": {
            **frozen,
            "content": "d" * 64,
            "claims": True,
            "counts": {"questions": questions},
        },
        "hashes": dict.fromkeys(("corpus", "questions", "labels", "permissions"), "e" * 64),
        "split": split,
        "missing_policy": "refuse",
        "responses": {
            system: {
                "content": responses.get(system, "f") * 64,
                "responses": questions,
                "repeats": [1],
                "failed": int(system == "B"),
                "missing": [],
                "delivered": "inferred",
                "order": "list",
            }
            for system in SYSTEMS
        },
        "notes": [f"{CANARY} noted"],
    }


def score(data: Path, questions: int) -> None:
    names = [f"q{n:03d}" for n in range(1, questions + 1)]
    rows = []
    for system in SYSTEMS:
        for i, name in enumerate(names):
            if i == questions - 1:
                rows.append(answered(system, name, population="unanswerable", support="no_claims"))
            elif system == "B" and i == 0:
                rows.append(failed(system, name))
            elif system == "B" and i == 1:
                rows.append(answered(system, name, support=0.5, claims=2, causes=["extra_claim"]))
            else:
                rows.append(answered(system, name, precision=0.5))
    scored = per_question(*rows)
    tables.write(data / "score", PerQuestion, scored)
    write(data / "score", Aggregates, [
        {**where, **aggregate(scored.filter(system=where["system"]), where["metric"])}
        for system in SYSTEMS
        for attribute, value in (("", ""), ("hops", f"{CANARY} hops"))
        for metric in METRICS
        for where in [{"system": system, "attribute": attribute, "value": value,
                       "metric": metric.name, "population": metric.population}]
    ])  # fmt: skip
    write_json(data / "score" / "metrics.json", {name: {} for name in SYSTEMS})
    settings = {"cutoff": 2, "budget": None, "rubric": PARAMS["rubric"]}
    write_json(data / "score" / "settings.json", settings)
    write_json(data / "score" / "identity.json", identify(data, settings))


def aggregate(scored: pl.DataFrame, metric: str) -> dict[str, Any]:
    values = scored[metric].drop_nulls().to_list()
    macro = fsum(values) / len(values) if values else None
    reasons = scored[f"{metric}_reason"].drop_nulls().to_list()
    return {
        "macro": macro, "strict": macro, "low": macro, "high": macro,
        "n": len(values), "n_values": len(values),
        **{f"na_{reason}": reasons.count(reason) for reason in REASONS},
    }  # fmt: skip


def write(to: Path, table: tables.Table, rows: list[dict[str, Any]]) -> None:
    """Write rows; a column that a row does not give is null, or empty where it may not be."""
    full = [
        {name: row.get(name, None if column.null else empty(column.dtype))
         for name, column in table.columns.items()}
        for row in rows
    ]  # fmt: skip
    tables.write(to, table, pl.DataFrame(full, schema=table.schema))


def empty(dtype: Any) -> Any:
    if isinstance(dtype, pl.List):
        return []
    return "" if dtype == pl.String() else 0
