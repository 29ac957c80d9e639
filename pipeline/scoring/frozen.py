"""The frozen tables as the arrays that scoring works on."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import polars as pl

from pipeline.contract.tables import RESPONSE_KEY
from pipeline.scoring.arrays import Ints, Ragged
from pipeline.scoring.corpus import Corpus
from pipeline.scoring.gold import Gold, settle
from pipeline.scoring.marked import mark
from pipeline.scoring.measures import Measures
from pipeline.scoring.resolutions import Policy

BLOCK = 20_000
"""Responses scored at a time, so that what they need stays in the cache."""


@dataclass(frozen=True)
class Tables:
    """What scores are made of; frames of `pipeline.contract.tables`.

    `ranking`, `answers` and `statements` have one row for each system, repeat and question,
    in that order. Of `documents` and `questions` the texts are not needed.
    """

    documents: pl.DataFrame
    questions: pl.DataFrame
    claims: pl.DataFrame
    relevance: pl.DataFrame
    support: pl.DataFrame
    evidence: pl.DataFrame
    chunks: pl.DataFrame
    found: pl.DataFrame
    ranking: pl.DataFrame
    answers: pl.DataFrame
    statements: pl.DataFrame


@dataclass(frozen=True)
class Responses:
    """Some responses, as arrays.

    Attributes:
        question: (responses,) the question of each.
        failed: (responses,) whether the system gave no answer.
        judged: (responses,) whether the judge ruled on it.
        ranking: documents of the ranked chunks, best first; not given: it was lost.
        chunks: their codes.
        delivered: how many of them the answer was given.
        claims: expected claim that each claim made is, -1: none; not given: not recorded.
        cited: how many documents each claim cites; lists as in `claims`.
        citations: documents cited, claim after claim; -1: not in the corpus.
        named: the chunk that each citation names, -1: none; None: no citation names one.
    """

    question: Ints
    failed: Any
    judged: Any
    ranking: Ragged
    chunks: Ragged
    delivered: Ints
    claims: Ragged
    cited: Ragged
    citations: Ragged
    named: Ragged | None

    @classmethod
    def of(cls, tables: Tables, corpus: Corpus) -> Self:
        """Take the responses of the tables, row for row.

        Args:
            tables: the frozen tables.
            corpus: their documents and chunks.

        Raises:
            ValueError: the tables do not hold the same responses in the same order, or not
                all of them: a stage before this one is wrong.
        """
        _check(tables)
        chunks = Ragged.of(tables.ranking["chunks"])
        statements = tables.statements
        cited, citations = Ragged.of(statements["cited"]), Ragged.of(statements["citations"])
        claims = Ragged.of(statements["claims"])
        if not (
            np.array_equal(cited.lengths, claims.lengths)
            and np.array_equal(citations.lengths, cited.sum(cited.values))
        ):
            raise ValueError("statements: expected as many citations as counted, got others")
        return cls(
            tables.ranking["question"].to_numpy(),
            (tables.answers["status"] == "failed").to_numpy(),
            statements["judged"].to_numpy(),
            Ragged(chunks.offsets, corpus.cuts.documents(chunks.values), chunks.given),
            chunks,
            tables.answers["context"].list.len().fill_null(0).to_numpy().astype(np.int64),
            claims,
            cited,
            citations,
            _named(statements, citations),
        )

    def blocks(self) -> Iterator[Self]:
        """The responses in order, `BLOCK` at a time; without any, one empty block."""
        for start in range(0, max(len(self.question), 1), BLOCK):
            stop = min(start + BLOCK, len(self.question))
            yield type(self)(
                self.question[start:stop],
                self.failed[start:stop],
                self.judged[start:stop],
                self.ranking.part(start, stop),
                self.chunks.part(start, stop),
                self.delivered[start:stop],
                self.claims.part(start, stop),
                self.cited.part(start, stop),
                self.citations.part(start, stop),
                self.named and self.named.part(start, stop),
            )


def _named(statements: pl.DataFrame, citations: Ragged) -> Ragged | None:
    """The chunks that citations name; null stands for a list of -1."""
    if statements["chunks"].null_count() == len(statements):
        return None
    none = pl.col("citations").list.eval(pl.element() * 0 - 1)
    named = Ragged.of(statements.select(pl.col("chunks").fill_null(none))["chunks"])
    if not np.array_equal(named.offsets, citations.offsets):
        raise ValueError("statements: expected a chunk or -1 for each citation, got others")
    return named


def _check(tables: Tables) -> None:
    """Compare the keys of the response tables with each other and with the questions."""
    key = tables.ranking.select(RESPONSE_KEY)
    for other in (tables.answers, tables.statements):
        if not key.equals(other.select(RESPONSE_KEY)):
            raise ValueError("score: expected the same responses in all tables, got others")
    size = max(len(tables.questions), 1)
    whole = np.tile(np.arange(size), len(key) // size)
    if not np.array_equal(key["question"].to_numpy(), whole):
        raise ValueError("score: expected each question once a repeat, in order, got others")
    first, last = (key[at::size].select("system", "repeat") for at in (0, size - 1))
    if not first.equals(last) or not first.equals(first.unique().sort("system", "repeat")):
        raise ValueError("score: expected whole repeats of each system, in order, got others")


def labels(tables: Tables, policy: Policy, *, with_claims: bool) -> Gold:
    """Apply the policy to the labels of the tables; without claim labels, to relevance only."""
    support = tables.support if with_claims else tables.support.clear()
    return settle(
        tables.questions["labelled"].to_numpy(),
        _columns(tables.relevance, "question", "doc", "yes", "votes"),
        _columns(support, "question", "claim", "doc", "yes", "votes"),
        tables.claims["question"].to_numpy(),
        policy,
    )


def measures(
    tables: Tables, gold: Gold, corpus: Corpus, overlap: int, spanned: bool | None
) -> Measures | None:
    """Find where the evidence lies and measure the chunks by it; None if no mark says.

    `spanned` is whether any mark of the set says; None: these tables are all of the set.
    """
    if not (known(tables.evidence) if spanned is None else spanned):
        return None
    voted = np.zeros(len(tables.questions), np.bool_)
    voted[tables.relevance.filter(pl.col("votes") > 1)["question"].to_numpy()] = True
    marked = mark(gold, tables.evidence, corpus.cuts, overlap, voted)
    return Measures.of(gold, marked, corpus.found)


def known(evidence: pl.DataFrame) -> bool:
    """Whether any mark says where the evidence lies."""
    return evidence["start"].null_count() < len(evidence)


def _columns(frame: pl.DataFrame, *names: str) -> dict[str, Any]:
    return {name: frame[name].to_numpy().astype(np.int64) for name in names}
