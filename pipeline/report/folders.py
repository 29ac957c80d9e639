"""Opens every question of a side at once: each table is read once, and set under its question."""

from collections import defaultdict
from collections.abc import Collection
from pathlib import Path

import polars as pl

from pipeline.contract.files import read_json
from pipeline.contract.repeats import answered
from pipeline.contract.results import Judged, PerQuestion, Ranked
from pipeline.contract.sides import Side
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
    read,
)
from pipeline.scoring.case import Case, Row
from pipeline.scoring.explain import Labels, labels_by_question


def open_cases(side: Side, wanted: Collection[str]) -> dict[str, Case]:
    """Open the questions that are named, by id, as one side answered them.

    Args:
        side: a scored system and its folder; rows of other systems there are left out.
        wanted: ids of questions.

    Returns:
        A Case for each id that the folder holds. Chunks and documents are shared by all.
    """
    freeze, score = side.folder / "freeze", side.folder / "score"
    rubric = read_json(score / "settings.json")["rubric"]
    questions = read(freeze, Questions).filter(pl.col("question_id").is_in(list(wanted)))
    of = pl.col("question").is_in(questions["question"].to_list())
    frozen = [
        read(freeze, table).filter(of).sort(table.key)
        for table in (Relevance, Support, Claims, Evidence)
    ]
    relevance, support, claims, _ = frozen
    own = _own(side, of)
    chunks, documents = _named(side.folder, own, frozen)
    labels = labels_by_question(relevance, support, claims, rubric["unresolved"])
    by = {name: _by_question(frame) for name, frame in own.items()}
    marked = [_by_question(frame) for frame in frozen]
    cases = {}
    for question in questions.iter_rows(named=True):
        code = question["question"]
        values = by["values"][code]
        cases[question["question_id"]] = Case(
            question=question,
            relevance=marked[0][code],
            support=marked[1][code],
            claims=marked[2][code],
            evidence=marked[3][code],
            answers=by["answers"][code],
            statements=by["statements"][code],
            values=values,
            contexts=[row["context"] for row in values],
            verdicts=by["verdicts"][code],
            chunks=chunks,
            documents=documents,
            labels=labels.get(code, Labels({}, {})),
            overlap=rubric["overlap"],
            looks=0,
        )
    return cases


def _own(side: Side, of: pl.Expr) -> dict[str, pl.DataFrame]:
    """The side's own rows of what stages left; `values` with the context and all other values.

    Those are columns of Judged, and rows of Ranked as a list, where there are some.
    """

    def take(stage: str, table: Table) -> pl.DataFrame:
        return read(side.folder / stage, table).filter(of, system=side.system).sort(table.key)

    values, judged = take("score", PerQuestion), take("score", Judged)
    ranking = answered(take("rerank", Ranking), values)
    values = values.with_columns(
        context=ranking["chunks"], depth=ranking["chunks"].list.len()
    ).with_columns(context=pl.col("context").list.head(pl.col("cutoff")))
    if len(judged):
        more = judged.drop("system", "repeat", "question", "question_id")
        values = pl.concat([values, more], how="horizontal")
    if read_json(side.folder / "score" / "settings.json").get("cutoffs"):
        key = ["repeat", "question"]
        rankings = take("score", Ranked).group_by(key).agg(ranked=pl.struct(pl.all()))
        values = values.join(rankings, on=key, how="left", maintain_order="left")
    return {
        "values": values,
        "answers": take("answer", Answers),
        "statements": take("judge", Statements),
        "verdicts": take("judge", Verdicts),
    }


def _named(
    folder: Path, own: dict[str, pl.DataFrame], frozen: list[pl.DataFrame]
) -> tuple[dict[int, Row], dict[int, Row]]:
    """The chunks that responses name and the documents that they or labels name, by code."""
    quotes = own["answers"]["quotes"].explode().drop_nulls()
    named = [
        own["values"]["context"].explode().drop_nulls(),
        own["statements"]["chunks"].explode().drop_nulls(),
        quotes.struct.field("chunk") if len(quotes) else pl.Series(dtype=pl.UInt32),
    ]
    codes = pl.concat([column.cast(pl.Int64) for column in named]).unique()
    chunks = read(folder / "chunk", Chunks).filter(
        pl.col("chunk").cast(pl.Int64).is_in(codes.implode())
    )
    cited = own["statements"]["citations"].explode().drop_nulls()
    docs = [chunks["doc"], cited, *(frame["doc"] for frame in frozen if "doc" in frame.columns)]
    wanted = pl.concat([column.cast(pl.Int64) for column in docs]).unique().implode()
    documents = read(folder / "freeze", Documents).filter(
        pl.col("doc").cast(pl.Int64).is_in(wanted)
    )
    return (
        {row["chunk"]: row for row in chunks.iter_rows(named=True)},
        {row["doc"]: row for row in documents.iter_rows(named=True)},
    )


def _among(name: str, columns: list[pl.Series]) -> pl.Expr:
    """Whether a code is in one of several columns, which may be signed or not."""
    codes = pl.concat([column.cast(pl.Int64) for column in columns]).unique()
    return pl.col(name).cast(pl.Int64).is_in(codes.implode())


def _by_question(frame: pl.DataFrame) -> defaultdict[int, list[Row]]:
    found: defaultdict[int, list[Row]] = defaultdict(list)
    for row in frame.iter_rows(named=True):
        found[row["question"]].append(row)
    return found
