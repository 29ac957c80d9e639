"""Rank the chunks for every question.

Reads   freeze/documents, freeze/questions, freeze/responses, chunk/chunks
Writes  retrieve/ranking
"""

from pathlib import Path

from pipeline.contract.files import replacing, write_json
from pipeline.contract.ports import Retriever
from pipeline.contract.tables import Chunks, Documents, Questions, Ranking, Responses, read, write
from pipeline.settings import describe


def run(data: Path, *, retriever: Retriever, depth: int) -> str:
    """Rank to `depth`; return one line on what came out.

    Raises:
        ValueError: the retriever left a question out.
    """
    documents = read(data / "freeze", Documents)
    questions = read(data / "freeze", Questions)
    responses = read(data / "freeze", Responses)
    chunks = read(data / "chunk", Chunks)

    ranking = retriever.rank(questions, chunks, documents, responses, depth)

    unranked = questions.join(ranking, on="question", how="anti")
    if len(unranked):
        missing = unranked["question_id"].head(3).to_list()
        raise ValueError(f"retrieve: expected a row for each question, got none for {missing}")
    with replacing(data / "retrieve") as folder:
        write(folder, Ranking, ranking)
        write_json(folder / "settings.json", {"retriever": describe(retriever), "depth": depth})
    return f"{len(ranking):,} rankings of {ranking['system'].n_unique()} system(s)"
