"""The files of one system's run, laid out as in the data folder.

`pipeline.stages.score.run` on a copy of them gives the same values again.
"""

from pathlib import Path
from typing import Any

import polars as pl

from pipeline.contract.cells import guarded
from pipeline.contract.files import read_json, write_json
from pipeline.contract.results import Aggregates
from pipeline.contract.tables import (
    Answers,
    Chunks,
    Documents,
    Ranking,
    Relevance,
    Statements,
    Support,
    read,
)
from pipeline.contract.veil import Content, veiled
from pipeline.manifest.public import public

STAGES = ("freeze", "chunk", "retrieve", "rerank", "answer", "judge", "score")


def bundle(data: Path, system: str, content: Content, cutoff: int, folder: Path) -> None:
    """Copy what belongs to `system` from the data folder to `folder`.

    Tables keep their columns and, where they have a system, lose the other systems' rows.
    Of the documents all rows stay (a code is a row), but only those that this system saw
    or cited, or that are labelled, keep their text: a corpus is not copied into each run.
    """
    for stage in STAGES:
        (folder / stage).mkdir(parents=True)
        for path in sorted((data / stage).glob("*.parquet")):
            frame = pl.read_parquet(path)
            if "system" in frame.columns:
                frame = frame.filter(system=system)
            if path.stem == Documents.name:
                frame = _touched(data, system, cutoff, frame)
            frame = veiled(frame, content)
            frame.write_parquet(folder / stage / path.name)
            if path.stem == Aggregates.name:
                guarded(frame).write_csv(folder / stage / f"{path.stem}.csv")
        for path in sorted((data / stage).glob("*.json")):
            own = _own(path.name, read_json(path), system, content)
            write_json(folder / stage / path.name, own)


def _own(name: str, document: Any, system: str, content: Content) -> Any:
    """A stage's JSON document without other systems, credentials and, if veiled, notes."""
    if name in ("points.json", "slices.json"):
        return [row for row in document if row["system"] == system]
    own = dict(document)
    if name == "metrics.json":
        own = {system: own[system]}
    for key in ("systems", "responses"):
        if isinstance(own.get(key), dict):
            own[key] = {other: item for other, item in own[key].items() if other == system}
    if content != "full" and "notes" in own:
        own["notes"] = []
    return public(own)


def _touched(data: Path, system: str, cutoff: int, documents: pl.DataFrame) -> pl.DataFrame:
    ranking = read(data / "rerank", Ranking, ["system", "chunks"]).filter(system=system)
    answers = read(data / "answer", Answers, ["system", "context"]).filter(system=system)
    statements = read(data / "judge", Statements, ["system", "citations"]).filter(system=system)
    shown = pl.concat([ranking["chunks"].list.head(cutoff), answers["context"]]).explode().unique()
    docs = set(read(data / "chunk", Chunks, ["chunk", "doc"])["doc"].gather(shown.drop_nulls()))
    docs |= set(statements["citations"].explode().drop_nulls())
    for table in (Relevance, Support):
        docs |= set(read(data / "freeze", table, ["doc"])["doc"])
    text = pl.when(pl.col("doc").is_in(list(docs))).then(pl.col("text")).otherwise(pl.lit(""))
    return documents.with_columns(text.alias("text"))
