"""The recorded judge: it replays verdicts, and takes a silence for a failure."""

import polars as pl
import pytest

from pipeline.adapters.judges.recorded import Recorded
from pipeline.contract.errors import ConfigError
from pipeline.contract.tables import (
    Answers,
    Chunks,
    Claims,
    Documents,
    Evidence,
    Questions,
    Relevance,
    Statements,
    Verdicts,
    check,
)
from tests.entailed import result, table

NOTHING = (
    Questions.empty(), Claims.empty(), Relevance.empty(), Evidence.empty(), Chunks.empty(),
    Documents.empty(),
)  # fmt: skip


def answers(*status: str, system: str = "A") -> pl.DataFrame:
    rows = [
        {
            "system": system, "repeat": 1, "question": at, "status": one,
            "context_recorded": True, "claim_ids": ["c0"], "citations": [[]],
        }
        for at, one in enumerate(status)
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=Answers.schema)


def test_verdicts_come_out_as_they_went_in_and_claims_as_the_answer_names_them() -> None:
    verdicts = table(result("q"))
    statements, found = Recorded().judge(answers("ok"), *NOTHING, verdicts)
    assert check(Verdicts, found).equals(verdicts, null_equal=True)
    (row,) = check(Statements, statements).iter_rows(named=True)
    assert (row["judged"], row["claims"], row["claim_ids"]) == (True, [-1], ["c0"])


def test_an_answer_that_nobody_ruled_on_is_not_judged_unless_it_failed() -> None:
    statements, _ = Recorded().judge(answers("ok", "ok", "failed"), *NOTHING, table(result("q")))
    assert statements["judged"].to_list() == [True, False, True]


def test_a_set_without_verdicts_cannot_be_replayed() -> None:
    with pytest.raises(ConfigError, match="expected recorded verdicts in the data set, got none"):
        Recorded().judge(answers("ok"), *NOTHING, Verdicts.empty())


def test_verdicts_on_other_answers_are_refused() -> None:
    with pytest.raises(ConfigError, match="answerer=recorded with judge=recorded"):
        Recorded().judge(answers("ok", system="rag"), *NOTHING, table(result("q")))
