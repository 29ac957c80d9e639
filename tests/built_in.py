"""Finished runs of the built-in system: chunks, BM25, quotes, in this process."""

from pathlib import Path
from typing import Any

import yaml

from pipeline.adapters.chunkers.recursive import Recursive
from pipeline.adapters.datasets.jsonl import Jsonl
from pipeline.adapters.judges.labels import Labels
from pipeline.adapters.rerankers.none import Unchanged
from pipeline.settings import QuestionSet, Rubric, Versioned
from pipeline.settings.adapters import adapter
from pipeline.stages import answer, chunk, compare, freeze, judge, rerank, retrieve, score
from tests.comparing import COMPARING

CONF = Path(__file__).parents[1] / "conf"


def configured(port: str, name: str, **changed: Any) -> Any:
    """The adapter as its file in conf/ has it, with some fields changed."""
    fields = yaml.safe_load((CONF / port / f"{name}.yaml").read_text("utf-8"))
    return adapter(port, {port: {**fields, **changed}})


def built(
    data: Path,
    source: Path,
    *,
    cutoff: int = 2,
    chunk_size: int = 8,
    retriever: Any = None,
    chunker: Any = None,
    repeats: int | None = None,
    dataset: Any = None,
    **changed: Any,
) -> Path:
    """Run every stage on the set in `source`, the answerer's fields changed as said."""
    rubric = Rubric(ids="open", unresolved="interval", overlap=1, tokenizer="words")
    freeze.run(
        data,
        dataset=dataset or Jsonl(path=str(source)),
        corpus=Versioned(None, None, None),
        question_set=QuestionSet(None, None, None, "auto"),
        split="dev",
        missing="refuse",
        repeats=repeats,
        rubric=rubric,
    )
    pieces = chunker or Recursive(chunk_size=chunk_size, overlap=0, unit="words", model=None)
    chunk.run(data, chunker=pieces)
    retrieve.run(data, retriever=retriever or configured("retriever", "bm25"), depth=100)
    rerank.run(data, reranker=Unchanged())
    answerer = configured("answerer", "extractive", **changed)
    answer.run(data, answerer=answerer, cutoff=cutoff, budget=None, repeats=repeats, rubric=rubric)
    judge.run(data, judge=Labels())
    score.run(data, cutoff=cutoff, budget=None, rubric=rubric, reason=None, seed=7)
    compare.run(data, baseline=None, **COMPARING)
    return data
