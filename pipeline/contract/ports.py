"""The places where a part can be swapped: one Protocol with one method each.

An adapter is a frozen dataclass that fits a port and is built from one YAML file of the
conf group of the same name. Frames are tables of `pipeline.contract.tables`.
"""

from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

import polars as pl

from pipeline.contract.records import Collection


class Dataset(Protocol):
    """Reads people's files."""

    def load(self) -> Collection:
        """Return everything the set holds with every fault met; raise only without a file."""
        ...


class Chunker(Protocol):
    """Cuts documents into spans."""

    def cut(self, documents: pl.DataFrame) -> pl.DataFrame:
        """Documents -> Chunks, in order of document and start."""
        ...


class Retriever(Protocol):
    """Ranks chunks for each question."""

    def rank(
        self,
        questions: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
        responses: pl.DataFrame,
        depth: int,
    ) -> pl.DataFrame:
        """Questions, Chunks, Documents, recorded Responses -> Ranking, at most `depth` a row."""
        ...


class Reranker(Protocol):
    """Orders a ranking anew."""

    def rerank(
        self,
        questions: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
        ranking: pl.DataFrame,
    ) -> pl.DataFrame:
        """Questions, Chunks, Documents, Ranking -> Ranking over the same chunks."""
        ...


class Answerer(Protocol):
    """Answers each question from its delivered context.

    Attributes:
        draws: whether it may answer the same otherwise: only then has a system without
            recorded repeats as many as are set.
    """

    draws: ClassVar[bool]

    def answer(
        self,
        questions: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
        contexts: pl.DataFrame,
        responses: pl.DataFrame,
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Answer from the contexts, a Ranking cut at the cutoff -> Answers, Usage."""
        ...


class Judge(Protocol):
    """Finds the claims of each answer and what they cite, and rules on them."""

    def judge(
        self,
        answers: pl.DataFrame,
        questions: pl.DataFrame,
        claims: pl.DataFrame,
        relevance: pl.DataFrame,
        evidence: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
        verdicts: pl.DataFrame,
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Judge Answers -> Statements, row for row, and Verdicts in order of their key.

        Beside the answers there are Questions, Claims, Relevance, Evidence, Chunks, Documents
        and the recorded Verdicts, which are empty where the set brought none.
        """
        ...


@runtime_checkable
class OfPeople(Protocol):
    """What a judge has beside its method when it reads decisions that people go on making.

    They lie outside of what the stages write, so that a run depends on their hash.
    """

    def decided(self) -> str:
        """Hash of every decision there is, as 64 hexadecimal digits."""
        ...

    def remark(self) -> str:
        """What people have still to decide and where, in words; empty: nothing is asked."""
        ...


class Tracker(Protocol):
    """Keeps the record of a run somewhere people can compare it."""

    def log(self, data: Path, params: dict[str, Any]) -> dict[str, Any]:
        """Log each system of the run in `data` unless it is there; return the receipt."""
        ...
