"""Finished runs of recorded verdicts: every stage up to `compare`, in this process."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.adapters.answerers import recorded as answerers
from pipeline.adapters.chunkers.document import Document
from pipeline.adapters.datasets.ragchecker import Ragchecker
from pipeline.adapters.judges import recorded as judges
from pipeline.adapters.rerankers.none import Unchanged
from pipeline.adapters.retrievers import recorded as retrievers
from pipeline.contract.ports import Dataset
from pipeline.contract.records import Collection, Part
from pipeline.settings import QuestionSet, Rubric, Versioned
from pipeline.stages import answer, chunk, compare, freeze, judge, rerank, retrieve, score
from tests.comparing import COMPARING

CUTOFF = 100


@dataclass(frozen=True)
class Several:
    """The results of several systems on the same questions and passages, a file each."""

    files: tuple[tuple[str, str], ...]

    def load(self) -> Collection:
        first, *others = (Ragchecker(path, name).load() for name, path in self.files)
        for other in others:
            _append(first.responses, other.responses)
            _append(first.verdicts, other.verdicts)
        return first


def _append(mine: Part[Any], theirs: Part[Any]) -> None:
    for row in zip(theirs.rows, theirs.files, theirs.lines, strict=True):
        mine.add(*row)


def finish_ruled(data: Path, dataset: Dataset, **changed: Any) -> Path:
    """Run every stage on recorded verdicts; return the data folder."""
    rubric = Rubric(ids="open", unresolved="interval", overlap=1, tokenizer="words")
    freeze.run(
        data,
        dataset=dataset,
        corpus=Versioned(None, None, None),
        question_set=QuestionSet(None, None, None, "auto"),
        split="dev",
        missing=changed.get("missing", "refuse"),
        repeats=None,
        rubric=rubric,
    )
    chunk.run(data, chunker=Document())
    retrieve.run(data, retriever=retrievers.Recorded(), depth=100)
    rerank.run(data, reranker=Unchanged())
    answer.run(
        data, answerer=answerers.Recorded(), cutoff=CUTOFF, budget=None, rubric=rubric, repeats=None
    )
    judge.run(data, judge=changed.get("judge", judges.Recorded()))
    score.run(data, cutoff=CUTOFF, budget=None, rubric=rubric, reason=None, seed=7)
    compare.run(data, baseline=None, **COMPARING)
    return data
