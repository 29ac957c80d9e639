"""Cranfield from the files to its scores, in this process; the collection is brought along."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.adapters.datasets.trec import Trec
from pipeline.settings import Rubric, Versioned
from pipeline.settings.schema import QuestionSet
from pipeline.stages import answer, chunk, compare, freeze, judge, rerank, retrieve, score
from tests.built_in import CONF, configured
from tests.comparing import COMPARING

REAL = Path(os.environ.get("RAG_ASSAY_DATA", "/nonexistent")) / "cranfield"
RUBRIC = Rubric(ids="open", unresolved="interval", overlap=1, tokenizer="words")


def collection() -> Path:
    """Where it lies; without it the test is skipped."""
    if not REAL.is_dir():
        pytest.skip("RAG_ASSAY_DATA names no folder with cranfield")
    return REAL


def dataset(**changed: Any) -> Trec:
    """The adapter as conf/experiment/cranfield.yaml sets it."""
    fields = yaml.safe_load((CONF / "dataset" / "trec.yaml").read_text("utf-8"))
    named = yaml.safe_load((CONF / "experiment" / "cranfield.yaml").read_text("utf-8"))
    values = {**fields, **named["dataset"], "path": str(collection()), **changed}
    del values["_target_"]
    return Trec(**values)


@dataclass(frozen=True)
class Parts:
    """What ranks, and what answers."""

    retriever: str = "bm25"
    answerer: str = "none"


def run(data: Path, source: Any, parts: Parts = Parts(), cutoffs: Any = (1, 5, 10)) -> Path:
    """Run every stage; return the data folder."""
    freeze.run(
        data,
        dataset=source,
        corpus=Versioned(None, None, None),
        question_set=QuestionSet(None, None, None, "auto"),
        split="dev",
        missing="refuse",
        repeats=None,
        rubric=RUBRIC,
    )
    chunk.run(data, chunker=configured("chunker", "document"))
    retrieve.run(data, retriever=configured("retriever", parts.retriever), depth=100)
    rerank.run(data, reranker=configured("reranker", "none"))
    answerer = configured("answerer", parts.answerer)
    answer.run(data, answerer=answerer, cutoff=10, budget=None, repeats=None, rubric=RUBRIC)
    judge.run(data, judge=configured("judge", "labels"))
    score.run(data, cutoff=10, budget=None, rubric=RUBRIC, reason=None, seed=7, cutoffs=cutoffs)
    compare.run(data, baseline=None, **COMPARING)
    return data
