"""A recorded ranking is taken as it stands."""

import polars as pl
import pytest

from pipeline.adapters.retrievers.recorded import Recorded
from pipeline.contract.errors import ConfigError
from pipeline.contract.tables import Chunks, Documents, Questions, Ranking, Responses, check

QUESTIONS = pl.DataFrame({"question": [0]}, schema={"question": pl.UInt32})


def chunks(docs: list[int]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "chunk": range(len(docs)),
            "chunk_id": [str(i) for i in range(len(docs))],
            "doc": docs,
            "version": [None] * len(docs),
            "start": [0] * len(docs),
            "end": [1] * len(docs),
        },
        schema=Chunks.schema,
    )


def responses(retrieved: list[list[int] | None]) -> pl.DataFrame:
    frame = pl.DataFrame(
        {
            "system": ["A"] * len(retrieved),
            "repeat": range(1, len(retrieved) + 1),
            "question": [0] * len(retrieved),
            "retrieved": retrieved,
        },
        schema={
            name: Responses.schema[name] for name in ("system", "repeat", "question", "retrieved")
        },
    )
    return pl.concat([Responses.empty(), frame], how="diagonal")


def test_the_list_is_the_ranking_cut_at_the_depth() -> None:
    rows = responses([[2, 0, 1], [], None])
    ranking = Recorded().rank(QUESTIONS, chunks([0, 1, 2]), Documents.empty(), rows, 2)
    assert check(Ranking, ranking)["chunks"].to_list() == [[2, 0], [], None]


def test_without_recorded_responses_it_says_what_to_do() -> None:
    with pytest.raises(ConfigError, match=r"expected recorded responses.*add responses.jsonl"):
        Recorded().rank(QUESTIONS, chunks([0]), Documents.empty(), Responses.empty(), 2)


def test_documents_cut_into_chunks_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"expected document, .* got 2 chunks of 1 documents"):
        Recorded().rank(QUESTIONS, chunks([0, 0]), Documents.empty(), responses([[0]]), 2)


def test_no_questions_need_no_responses() -> None:
    ranking = Recorded().rank(
        Questions.empty(), chunks([0]), Documents.empty(), Responses.empty(), 2
    )
    assert ranking.is_empty()
