"""One trace a response, as plain values: what was asked, shown, answered and how it scored."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.adapters.trackers.payload import key, na, reasons, stated
from pipeline.contract.metrics import JUDGED, METRICS, UNANSWERABLE
from pipeline.contract.repeats import answered
from pipeline.contract.results import Judged, PerQuestion, present
from pipeline.contract.tables import (
    RESPONSE_KEY,
    Answers,
    Chunks,
    Claims,
    Documents,
    Questions,
    Ranking,
    Relevance,
    Statements,
    Usage,
    read,
)
from pipeline.contract.veil import Content, label, words

Row = dict[str, Any]


@dataclass(frozen=True)
class Trace:
    """A response to one question; systems are compared where their `request` is equal."""

    question_id: str
    repeat: int
    request: str
    documents: list[dict[str, Any]]
    response: str
    claims: list[str]
    scores: dict[str, float]
    rationale: str
    tags: dict[str, str]
    usage: Row
    failed: bool


def sample(question_ids: list[str], limit: int, seed: int) -> set[str]:
    """At most `limit` of the ids: all, or a draw that each id's hash with the seed decides.

    So the same questions are drawn for every system and every run, also when others are
    added or taken away, and a larger limit keeps those of a smaller one.
    """
    ranked = sorted(set(question_ids), key=lambda name: sha256(f"{seed}:{name}".encode()).digest())
    return set(ranked[:limit])


def traces(
    data: Path, system: str, content: Content, *, limit: int, seed: int, cutoff: int
) -> list[Trace]:
    """Build the traces of one system in order of repeat and question.

    Args:
        data: the data folder with every stage up to `score` done.
        system: whose responses.
        content: how much of the texts to show.
        limit: most traces; with repeats a drawn question brings all of its own.
        seed: of the draw where there are more.
        cutoff: how many ranks were shown where the context itself is not known.
    """
    rows = _responses(data, system)
    repeats = rows["repeat"].n_unique() or 1
    drawn = sample(rows["question_id"].to_list(), limit // repeats, seed)
    rows = rows.filter(pl.col("question_id").is_in(list(drawn)))
    rows = rows.with_columns(
        shown=pl.coalesce("context", pl.col("ranked").list.head(cutoff)),
    )
    shown = _shown(data, rows, content)
    expected = _expected(data)
    return [_trace(row, shown, expected, content) for row in rows.iter_rows(named=True)]


def _responses(data: Path, system: str) -> pl.DataFrame:
    scored = read(data / "score", PerQuestion).filter(system=system)
    questions = read(data / "freeze", Questions).select(
        "question", "text", "attributes", shared=pl.col("text").is_duplicated()
    )
    told = [*RESPONSE_KEY, "error", "answer", "context"]
    answers = read(data / "answer", Answers, told)
    ranking = answered(read(data / "rerank", Ranking, [*RESPONSE_KEY, "chunks"]), answers)
    ranking = ranking.rename({"chunks": "ranked"})
    claims = read(data / "judge", Statements, [*RESPONSE_KEY, "claim_ids", "cited_ids"])
    usage = read(data / "answer", Usage)
    judged = read(data / "score", Judged)
    ruled = present(judged)
    judged = judged.select(*RESPONSE_KEY, *(metric.name for metric in ruled), *reasons(ruled))
    for frame in (ranking, answers, claims, usage, *([judged] if ruled else [])):
        scored = scored.join(frame, on=RESPONSE_KEY, how="left", validate="1:1")
    return scored.join(questions, on="question", how="left").sort("repeat", "question_id")


def _shown(data: Path, rows: pl.DataFrame, content: Content) -> dict[int, Row]:
    """The chunks that some row shows, by code, each with its document's words."""
    codes = rows["shown"].explode().drop_nulls().unique()
    chunks = read(data / "chunk", Chunks).filter(pl.col("chunk").is_in(codes.implode()))
    wanted = pl.col("doc").is_in(chunks["doc"].unique().implode())
    documents = (
        pl.scan_parquet(data / "freeze" / f"{Documents.name}.parquet")
        .filter(wanted)
        .select("doc", "doc_id", "title", "text")
        .collect()
    )
    found = {}
    for row in chunks.join(documents, on="doc", how="left").iter_rows(named=True):
        text = words(row["text"][row["start"] : row["end"]], content)
        found[row["chunk"]] = {**row, "text": text or "", "title": words(row["title"], content)}
    return found


def _expected(data: Path) -> dict[str, dict[int, list[str]]]:
    documents = read(data / "freeze", Documents, ["doc", "doc_id"])
    relevance = read(data / "freeze", Relevance, ["question", "doc"]).join(documents, on="doc")
    claims = read(data / "freeze", Claims, ["question", "claim_id"])
    return {
        "expected_documents": _grouped(relevance, "doc_id"),
        "expected_claims": _grouped(claims, "claim_id"),
    }


def _grouped(frame: pl.DataFrame, name: str) -> dict[int, list[str]]:
    grouped = frame.group_by("question").agg(pl.col(name).sort())
    return dict(zip(grouped["question"].to_list(), grouped[name].to_list(), strict=True))


def _trace(
    row: Row,
    shown: dict[int, Row],
    expected: dict[str, dict[int, list[str]]],
    content: Content,
) -> Trace:
    labelled = expected["expected_documents"].get(row["question"], [])
    return Trace(
        question_id=row["question_id"],
        repeat=row["repeat"],
        request=_request(row, content),
        documents=[_document(shown[code], rank, labelled) for rank, code in _ranked(row)],
        response=_response(row, content),
        claims=stated(row),
        scores=_scores(row),
        rationale=", ".join(row["causes"]),
        tags=_tags(row, content)
        | {name: ", ".join(ids.get(row["question"], [])) for name, ids in expected.items()},
        usage={name: row[name] for name in ("input_tokens", "output_tokens", "latency_s")},
        failed=row["status"] == "failed",
    )


def _ranked(row: Row) -> list[tuple[int, int]]:
    return list(enumerate(row["shown"] or [], 1))


def _document(chunk: Row, rank: int, labelled: list[str]) -> dict[str, Any]:
    metadata = {
        "doc_uri": chunk["doc_id"],
        "chunk_id": chunk["chunk_id"],
        "rank": rank,
        "relevant": chunk["doc_id"] in labelled,
    }
    if chunk["title"]:
        metadata["title"] = chunk["title"]
    return {"page_content": chunk["text"], "metadata": metadata, "id": chunk["chunk_id"]}


def _scores(row: Row) -> dict[str, float]:
    """Values by metric; of an unanswerable question under the name of its own aggregate.

    So the averages that MLflow shows over traces are over the aggregates' populations.
    """
    names = {metric.name: metric.name for metric in (*METRICS, *JUDGED) if not metric.variant}
    if row["population"] == "unanswerable":
        names["support"] = UNANSWERABLE.name
    return {shown: row[name] for name, shown in names.items() if row.get(name) is not None}


def _request(row: Row, content: Content) -> str:
    """The question in words; with its id where words are shared or must not be shown."""
    question = words(row["text"], content)
    request = f"{question} [{row['question_id']}]" if row["shared"] else question
    request = request or row["question_id"]
    return request if row["repeat"] == 1 else f"{request} (repeat {row['repeat']})"


def _response(row: Row, content: Content) -> str:
    if row["status"] == "failed":
        return f"failed: {words(row['error'], content) or 'no error given'}"
    claims = f"claims: {'; '.join(stated(row)) or 'none'}" if row["claim_ids"] is not None else ""
    return " · ".join(part for part in (words(row["answer"], content), claims) if part)


def _tags(row: Row, content: Content) -> dict[str, str]:
    found = {
        **{key(pair["key"]): label(pair["value"], content) for pair in row["attributes"]},
        "system": row["system"],
        "question_id": row["question_id"],
        "population": row["population"],
        "status": row["status"],
        "causes": " ".join(row["causes"]),
        "not_applicable": na(row),
        "leaks": " ".join(row["leaks"]),
    }
    return {name: value for name, value in found.items() if value}
