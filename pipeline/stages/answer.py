"""Deliver the first chunks of each ranking, or what a budget holds of it, and answer from them.

Reads   freeze/documents, freeze/questions, freeze/responses, freeze/manifest.json,
        chunk/chunks, rerank/ranking
Writes  answer/answers, answer/usage
"""

from pathlib import Path

import polars as pl

from pipeline.adapters.chunkers.units import Unit, units
from pipeline.calls.subject import about
from pipeline.checks.delivered import check_delivered
from pipeline.contract.errors import DataError
from pipeline.contract.files import read_json, replacing, write_json
from pipeline.contract.ports import Answerer
from pipeline.contract.repeats import drawn
from pipeline.contract.spans import chunk_texts
from pipeline.contract.tables import (
    Answers,
    Chunks,
    Documents,
    Questions,
    Ranking,
    Responses,
    Usage,
    read,
    write,
)
from pipeline.settings import Rubric, describe

TOKENIZER = "conf: rubric.tokenizer"
AGAIN = "; `dvc repro -f -s answer` asks again"
"""For DVC a stage with failures is done, and would not run."""


def run(
    data: Path,
    *,
    answerer: Answerer,
    cutoff: int,
    budget: int | None,
    repeats: int | None,
    rubric: Rubric,
) -> str:
    """Answer every question; return one line on what came out.

    Args:
        data: the data folder, with every stage before this one done.
        answerer: answers from the delivered chunks.
        cutoff: k, how many ranked chunks are delivered; not used under a budget.
        budget: what the delivered chunks may measure together, in units of the rubric's
            tokenizer; null: no such limit.
        repeats: how many answers a system without recorded ones gives to each question,
            from the same context, if its answerer draws them; null: one.
        rubric: names the tokenizer.

    Raises:
        DataError: a recorded context is not what was ranked first, so that scores would be
            about a context the answer never saw.
        ConfigError: the tokenizer is not installed.
    """
    questions = read(data / "freeze", Questions)
    responses = read(data / "freeze", Responses)
    chunks = read(data / "chunk", Chunks)
    ranking = read(data / "rerank", Ranking)
    documents = read(data / "freeze", Documents)
    kept: pl.Series | pl.Expr = pl.lit(cutoff)
    delivered = f"the first {cutoff} ranked"
    if budget is not None:
        kept = fitting(ranking, chunks, documents, budget, rubric.tokenizer)
        delivered = f"the first ranked that fit {budget} {rubric.tokenizer}"
    contexts = ranking.with_columns(kept=kept)
    contexts = contexts.with_columns(pl.col("chunks", "scores").list.head("kept")).drop("kept")
    faults = check_delivered(responses, contexts, documents, questions, delivered)
    if faults:
        raise DataError(faults)

    draws = {}
    if answerer.draws and contexts["repeat"].n_unique() == 1:
        draws = {"repeats": repeats or 1}
        contexts = drawn(contexts, repeats or 1)
    with about(read_json(data / "freeze" / "manifest.json")["question_set"]["name"]):
        answers, usage = answerer.answer(questions, chunks, documents, contexts, responses)

    with replacing(data / "answer") as folder:
        write(folder, Answers, answers)
        write(folder, Usage, usage)
        write_json(
            folder / "settings.json",
            {"answerer": describe(answerer), **shown(cutoff, budget), **draws},
        )
    failed = answers["status"].eq("failed").sum()
    again = AGAIN if failed and answerer.draws else ""
    return f"{len(answers):,} answers, {failed:,} failed{again}"


def shown(cutoff: int, budget: int | None) -> dict[str, int | None]:
    """The settings that say how much is delivered: a budget takes the cutoff's place."""
    return {"cutoff": cutoff if budget is None else None, "budget": budget}


def fitting(
    ranking: pl.DataFrame, chunks: pl.DataFrame, documents: pl.DataFrame, budget: int, unit: Unit
) -> pl.Series:
    """Count, row for row of Ranking, the chunks at its head that fit a budget together.

    Each chunk is measured on its own, in `unit`.
    """
    used = chunks.filter(pl.col("chunk").is_in(ranking["chunks"].explode().unique().implode()))
    measured = used.select(
        chunks="chunk",
        length=pl.Series(units(unit, None, TOKENIZER).measure(chunk_texts(used, documents))),
    )
    rows = ranking.select("chunks").with_row_index("row")
    held = (
        rows.explode("chunks", empty_as_null=False, keep_nulls=False)
        .join(measured, on="chunks", how="left", maintain_order="left")
        .select("row", fits=pl.col("length").cum_sum().over("row") <= budget)
        .group_by("row")
        .agg(pl.col("fits").sum())
    )
    return rows.join(held, on="row", how="left", maintain_order="left")["fits"].fill_null(0)
