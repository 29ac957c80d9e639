"""Runs as a store gives them, without a store."""

from typing import Any

from pipeline.adapters.trackers.sweep import Logged

TAGS = {
    "contract_version": "1.0",
    "corpus_hash": "c",
    "question_set_hash": "q",
    "question_set": "notes v1",
    "labels_hash": "l",
    "split": "dev",
}
PARAMS = {
    "chunker": "pipeline.adapters.chunkers.recursive.Recursive",
    "chunker.chunk_size": "100",
    "chunker.unit": "words",
    "retriever": "pipeline.adapters.retrievers.bm25.BM25",
    "retriever.b": "0.75",
    "cutoff": "5",
    "budget": "null",
    "seed": "7",
    "missing": "refuse",
    "tracker.traces": "300",
}


def run(
    run_id: str,
    system: str = "rag",
    *,
    tags: dict[str, str] | None = None,
    metrics: dict[str, float] | None = None,
    **params: Any,
) -> Logged:
    """A run; dots in names of params are written as two underscores."""
    given = {name.replace("__", "."): str(value) for name, value in params.items()}
    return Logged(
        run_id=run_id,
        name=run_id,
        time=0,
        tags=TAGS | (tags or {}),
        params={"system": system} | PARAMS | given,
        metrics=metrics or {},
    )


def mean(metric: str, value: float, *, n: int = 40, half: float = 0.1) -> dict[str, float]:
    """What is logged of one metric."""
    return {
        f"{metric}/macro": value,
        f"{metric}/n": n,
        f"{metric}/interval_low": value - half,
        f"{metric}/interval_high": value + half,
    }
