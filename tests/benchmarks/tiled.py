"""Frozen tables of any size: random ones of one row group, again and again."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from pipeline.contract.streamed import write_parts
from pipeline.contract.tables import (
    ROW_GROUP,
    Answers,
    Claims,
    Questions,
    Ranking,
    Relevance,
    Statements,
    Support,
    read,
)
from tests.benchmarks.made import frozen

TILED = {
    "freeze": (Questions, Claims, Relevance, Support),
    "rerank": (Ranking,),
    "answer": (Answers,),
    "judge": (Statements,),
}
"""Tables that grow with the questions; in all of them a row names its question."""


def tile(data: Path, size: int, retrieved: int, cutoff: int, documents: int) -> None:
    """Write what the stages before `score` would leave of one system.

    Questions, ids and claims differ from row group to row group; labels, rankings and claims
    made are those of the first. The recorded context is the first `cutoff` ranked.
    """
    frozen(data, ROW_GROUP, retrieved, documents)
    claims = len(read(data / "freeze", Claims, ["claim"]))
    for stage, tables in TILED.items():
        for table in tables:
            one = read(data / stage, table)
            if table is Answers:
                ranked = read(data / "rerank", Ranking, ["chunks"])["chunks"]
                one = one.with_columns(ranked.list.head(cutoff).alias("context"))
            write_parts(data / "tiled" / stage, table, _tiles(one, claims, size))
    for file in (data / "tiled").glob("*/*.parquet"):
        file.replace(data / file.relative_to(data / "tiled"))
    shutil.rmtree(data / "tiled")


def _tiles(one: pl.DataFrame, claims: int, size: int) -> Iterator[pl.DataFrame]:
    for number, start in enumerate(range(0, size, ROW_GROUP)):
        shifted = [(pl.col("question") + start).cast(pl.UInt32)]
        if "claim" in one.columns:
            shifted.append((pl.col("claim") + number * claims).cast(pl.UInt32))
        if "question_id" in one.columns:
            digits = (pl.col("question") + start).cast(pl.String).str.zfill(9)
            shifted.append(pl.format("q{}", digits).alias("question_id"))
        if "claims" in one.columns:
            made = pl.element() + pl.when(pl.element() >= 0).then(number * claims).otherwise(0)
            shifted.append(pl.col("claims").list.eval(made.cast(pl.Int32)))
        yield one.with_columns(shifted).filter(pl.col("question") < size)
