"""Recorded answers: the context is what was recorded, or inferred from the ranking."""

import polars as pl
import pytest

from pipeline.adapters.answerers.recorded import Recorded
from pipeline.contract.errors import ConfigError
from pipeline.contract.tables import (
    Answers,
    Chunks,
    Documents,
    Questions,
    Ranking,
    Responses,
    Usage,
    check,
)


def responses(**columns: list[object]) -> pl.DataFrame:
    values = {
        "system": ["A", "A"],
        "repeat": [1, 1],
        "question": [0, 1],
        "line": [1, 2],
        "status": ["ok", "failed"],
        **columns,
    }
    schema = {name: Responses.schema[name] for name in values}
    return pl.concat([Responses.empty(), pl.DataFrame(values, schema=schema)], how="diagonal")


def contexts(chunks: list[list[int] | None], system: str = "A") -> pl.DataFrame:
    values = {"system": [system] * 2, "repeat": [1, 1], "question": [0, 1], "chunks": chunks}
    schema = {name: Ranking.schema[name] for name in values}
    return pl.concat([Ranking.empty(), pl.DataFrame(values, schema=schema)], how="diagonal")


def answered(rows: pl.DataFrame, ranking: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    none = (Questions.empty(), Chunks.empty(), Documents.empty())
    answers, usage = Recorded().answer(*none, ranking, rows)
    return check(Answers, answers), check(Usage, usage)


def test_a_recorded_context_is_kept_and_a_missing_one_inferred_and_marked() -> None:
    rows = responses(delivered=[[1, 0], None])
    answers, _ = answered(rows, contexts([[1, 0], [2]]))
    assert answers["context"].to_list() == [[1, 0], [2]]
    assert answers["context_recorded"].to_list() == [True, False]


def test_a_lost_ranking_has_no_context() -> None:
    answers, _ = answered(responses(), contexts([[0], None]))
    assert answers["context"].to_list() == [[0], None]
    assert answers["status"].to_list() == ["ok", "failed"]


def test_usage_that_was_not_recorded_stays_null() -> None:
    _, usage = answered(responses(input_tokens=[5, None]), contexts([[0], [1]]))
    assert usage["input_tokens"].to_list() == [5, None]
    assert usage["cost_usd"].to_list() == [None, None]


def test_rankings_of_another_system_are_refused() -> None:
    with pytest.raises(ConfigError, match="expected retriever=recorded with answerer=recorded"):
        answered(responses(), contexts([[0], [1]], system="rag"))
