"""Finished runs of recorded systems: every stage up to `compare`, in this process."""

import json
from pathlib import Path
from typing import Any

from pipeline.adapters.answerers import recorded as answerers
from pipeline.adapters.chunkers.document import Document
from pipeline.adapters.datasets.jsonl import Jsonl
from pipeline.adapters.judges.labels import Labels
from pipeline.adapters.rerankers.none import Unchanged
from pipeline.adapters.retrievers import recorded as retrievers
from pipeline.settings import QuestionSet, Rubric, Versioned
from pipeline.stages import answer, chunk, compare, freeze, judge, rerank, retrieve, score
from tests.comparing import COMPARING

FIXTURE = Path(__file__).parents[1] / "data" / "raw" / "fixture" / "v1"


def finish(
    data: Path,
    source: Path = FIXTURE,
    *,
    cutoff: int = 2,
    split: str = "dev",
    unresolved: Any = "interval",
    budget: int | None = None,
    repeats: int | None = None,
    cutoffs: list[int] | None = None,
) -> Path:
    """Run every stage on the set in `source`; return the data folder."""
    rubric = Rubric(ids="open", unresolved=unresolved, overlap=1, tokenizer="words")
    freeze.run(
        data,
        dataset=Jsonl(path=str(source)),
        corpus=Versioned(None, None, None),
        question_set=QuestionSet(None, None, None, "auto"),
        split=split,
        missing="refuse",
        repeats=repeats,
        rubric=rubric,
    )
    chunk.run(data, chunker=Document())
    retrieve.run(data, retriever=retrievers.Recorded(), depth=100)
    rerank.run(data, reranker=Unchanged())
    answer.run(
        data,
        answerer=answerers.Recorded(),
        cutoff=cutoff,
        budget=budget,
        repeats=repeats,
        rubric=rubric,
    )
    judge.run(data, judge=Labels())
    score.run(
        data, cutoff=cutoff, budget=budget, rubric=rubric, reason="a test", seed=7, cutoffs=cutoffs
    )
    compare.run(data, baseline=None, **COMPARING)
    return data


def hand_in(folder: Path, **parts: list[dict[str, Any]]) -> Path:
    """Write `documents`, `questions` and `responses` as a set of one's own."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in parts.items():
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return folder
