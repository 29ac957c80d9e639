"""Retrieval alone: what is measured, and what is left unsaid."""

from pathlib import Path

import polars as pl
import pytest

from pipeline.adapters.answerers.none import Unanswered
from pipeline.adapters.judges.labels import Labels
from pipeline.contract.files import read_json
from pipeline.contract.results import PerQuestion
from pipeline.contract.tables import Answers, Ranking, Responses, Usage, check, read
from pipeline.settings import Rubric
from pipeline.stages import answer, judge, score
from tests.built_in import built

SAMPLE = Path(__file__).parents[3] / "data/raw/sample/v1"
RUBRIC = Rubric(ids="open", unresolved="interval", overlap=1, tokenizer="words")


def test_a_set_with_claims_keeps_its_retrieval_values_and_has_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    data = built(tmp_path / "data", SAMPLE)
    before = read(data / "score", PerQuestion)
    answer.run(data, answerer=Unanswered(), cutoff=2, budget=None, repeats=None, rubric=RUBRIC)
    judge.run(data, judge=Labels())
    score.run(data, cutoff=2, budget=None, rubric=RUBRIC, reason=None, seed=7)
    after = read(data / "score", PerQuestion)
    for name in ("precision", "recall", "reciprocal_rank", "span_recall"):
        assert after[name].equals(before[name], null_equal=True)
    for name in ("support", "coverage", "abstention", "false_abstention"):
        assert set(after[f"{name}_reason"]) == {"not_labelled"}
    assert read_json(data / "score" / "metrics.json")["rag"]["abstention"]["n"] == 0


def test_where_the_ranking_was_lost_it_failed() -> None:
    empty = Responses.empty()
    rows = {"system": ["A"], "repeat": [1], "question": [0], "chunks": [None], "scores": [None]}
    contexts = pl.DataFrame(rows, schema=Ranking.schema)
    answers, usage = Unanswered().answer(empty, empty, empty, contexts, empty)
    assert check(Answers, answers)["status"].to_list() == ["failed"]
    assert answers["error"].to_list() == ["the ranking was lost"]
    assert len(check(Usage, usage)) == 1
