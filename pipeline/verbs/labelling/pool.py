"""The pool: the documents that all systems retrieved first, each once for a question."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import polars as pl

from pipeline.contract.errors import ConfigError
from pipeline.contract.files import read_json
from pipeline.contract.spans import chunk_texts
from pipeline.contract.tables import (
    Chunks,
    Claims,
    Documents,
    LookedAt,
    Questions,
    Ranking,
    read,
)
from pipeline.verbs.labelling.sheet import Pooled

GAP = "\n[…]\n"
"""Stands between the retrieved parts of a document that is too long to be shown whole."""


def pool(
    runs: Sequence[Path], *, depth: int, seed: int, characters: int, again: bool
) -> list[Pooled]:
    """Pool the first ranks of every system and repeat of some runs.

    Documents stand in an order of hashes, which tells neither who retrieved one nor where.

    Args:
        runs: data folders with every stage up to `rerank` done.
        depth: ranks (chunks) of each ranking, 1 or more.
        seed: another one gives another order.
        characters: code points of a document that are shown; of a longer one those chunks
            that were retrieved.
        again: whether to take in what people have looked at before, too.

    Returns:
        In order of the questions' ids.

    Raises:
        ConfigError: a folder holds no run, or one on other documents or questions.
    """
    _check(runs)
    chunks: dict[tuple[str, str], dict[tuple[int, int], str]] = {}
    rows: dict[tuple[str, str], Pooled] = {}
    for data in runs:
        for one, places in _run(data, depth, again=again):
            key = one.question_id, one.doc_id
            rows.setdefault(key, one)
            chunks.setdefault(key, {}).update(places)
    shown = {key: _shown(one.text, chunks[key], characters) for key, one in rows.items()}
    order = sorted(rows, key=lambda key: (key[0], _shuffled(seed, *key)))
    return [replace(rows[key], shown=shown[key]) for key in order]


Places = dict[tuple[int, int], str]
"""Retrieved chunks of a document: offsets and text."""


def _run(data: Path, depth: int, *, again: bool) -> list[tuple[Pooled, Places]]:
    questions = read(data / "freeze", Questions)
    documents = read(data / "freeze", Documents)
    chunks = read(data / "chunk", Chunks)
    pairs = (
        read(data / "rerank", Ranking, ["question", "chunks"])
        .with_columns(chunk=pl.col("chunks").list.head(depth))
        .select("question", "chunk")
        .explode("chunk", empty_as_null=False, keep_nulls=False)
        .unique()
        .join(chunks.select("chunk", "doc"), on="chunk")
    )
    if not again:
        pairs = _new(pairs, questions, read(data / "freeze", LookedAt))
    expected: dict[int, list[tuple[str, str]]] = {}
    claims = read(data / "freeze", Claims).select("question", "claim_id", "text")
    for question, claim, text in claims.iter_rows():
        expected.setdefault(question, []).append((claim, text or ""))
    pairs = pairs.sort("question", "doc", "chunk")
    cut = chunks[pairs["chunk"].to_list()]
    parts = zip(cut["start"], cut["end"], chunk_texts(cut, documents), strict=True)
    made: dict[tuple[int, int], tuple[Pooled, Places]] = {}
    for (question, doc), (start, end, text) in zip(
        pairs.select("question", "doc").iter_rows(), parts, strict=True
    ):
        if (question, doc) not in made:
            row = Pooled(
                questions["question_id"][question], questions["text"][question],
                tuple(expected.get(question, ())), documents["doc_id"][doc],
                documents["title"][doc] or "", documents["text"][doc], "",
            )  # fmt: skip
            made[question, doc] = row, {}
        made[question, doc][1][start, end] = text
    return list(made.values())


def _new(pairs: pl.DataFrame, questions: pl.DataFrame, looked_at: pl.DataFrame) -> pl.DataFrame:
    """Pairs that nobody looked at: not those of questions labelled over the whole corpus."""
    partly = pl.col("question").is_in(looked_at["question"].unique().implode())
    whole = questions.filter(pl.col("labelled") & ~partly)["question"]
    kept = pairs.filter(~pl.col("question").is_in(whole.implode()))
    return kept.join(looked_at, on=["question", "doc"], how="anti")


def _shown(text: str, places: Places, characters: int) -> str:
    """The document, or its retrieved parts where it is longer than people are shown."""
    if len(text) <= characters:
        return text
    parts = GAP.join(places[place] for place in sorted(places))
    return parts if len(parts) <= characters else f"{parts[:characters]}{GAP.rstrip()}"


def _shuffled(seed: int, question_id: str, doc_id: str) -> str:
    return sha256(f"{seed}\0{question_id}\0{doc_id}".encode()).hexdigest()


def _check(runs: Sequence[Path]) -> None:
    first: dict[str, str] = {}
    for data in runs:
        manifest = data / "freeze" / "manifest.json"
        if not manifest.is_file() or not (data / "rerank" / f"{Ranking.name}.parquet").is_file():
            raise ConfigError(
                "label-pool", expected=f"a finished run in {data}", got="none",
                remedy="run `python -m pipeline` first",
            )  # fmt: skip
        try:
            hashes = read_json(manifest)["hashes"]
            mine = {name: str(hashes[name]) for name in ("corpus", "questions")}
        except (ValueError, LookupError, TypeError) as error:
            raise ConfigError(
                "label-pool", expected=f"the manifest of a frozen set in {manifest}",
                got=" ".join(str(error).split()), remedy="`python -m pipeline` writes it anew",
            ) from error  # fmt: skip
        first = first or mine
        if mine != first:
            part = next(name for name in mine if mine[name] != first[name])
            raise ConfigError("label-pool", expected=f"runs on the same {part}", got=str(data))
