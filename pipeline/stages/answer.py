"""Deliver the first chunks of each ranking as context and answer from them.

Reads   freeze/documents, freeze/questions, freeze/responses, chunk/chunks, rerank/ranking
Writes  answer/answers, answer/usage
"""

from pathlib import Path

import polars as pl

from pipeline.checks.delivered import check_delivered
from pipeline.contract.errors import DataError
from pipeline.contract.files import replacing, write_json
from pipeline.contract.ports import Answerer
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
from pipeline.settings import describe


def run(data: Path, *, answerer: Answerer, cutoff: int, budget: int | None) -> str:
    """Answer every question; return one line on what came out.

    Raises:
        DataError: a recorded context is not the first `cutoff` of what was retrieved, so
            that scores would be about a context the answer never saw.
    """
    questions = read(data / "freeze", Questions)
    responses = read(data / "freeze", Responses)
    chunks = read(data / "chunk", Chunks)
    ranking = read(data / "rerank", Ranking)
    documents = read(data / "freeze", Documents)
    faults = check_delivered(responses, documents, questions, cutoff)
    if faults:
        raise DataError(faults)

    contexts = ranking.with_columns(
        pl.col("chunks").list.head(cutoff), pl.col("scores").list.head(cutoff)
    )
    answers, usage = answerer.answer(questions, chunks, documents, contexts, responses)

    with replacing(data / "answer") as folder:
        write(folder, Answers, answers)
        write(folder, Usage, usage)
        write_json(
            folder / "settings.json",
            {"answerer": describe(answerer), "cutoff": cutoff, "budget": budget},
        )
    failed = answers["status"].eq("failed").sum()
    return f"{len(answers):,} answers, {failed:,} failed"
