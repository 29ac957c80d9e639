"""Nearest vectors, searched exactly."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl
from msgspec import Meta
from numpy.typing import NDArray

from pipeline.adapters.retrievers.endpoint import Endpoint
from pipeline.adapters.retrievers.local import LocalModel
from pipeline.adapters.retrievers.permissions import readable
from pipeline.adapters.retrievers.ranked import best, ranking
from pipeline.adapters.retrievers.vectors import vectors
from pipeline.contract.errors import ConfigError
from pipeline.contract.spans import chunk_texts
from pipeline.settings.endpoints import check_url
from pipeline.settings.installed import ModelName

CELLS = 2**25
"""Scores held at once: 256 MB."""
DIGITS = 9
"""Decimals of a score: fewer than the rounding error of a sum, which differs by machine."""


@dataclass(frozen=True)
class Dense:
    """Ranks every chunk by the cosine of its vector and the question's.

    Vectors come from a sentence-transformers model on this machine (a folder, a model that
    an installed package ships, or a name on the hub at `revision`) or, with `base_url`, from
    an OpenAI-compatible endpoint whose key lies in the environment variable `api_key_env`.
    Chunks with equal scores are in order of chunk. With `permissions` the caller of a
    question sees only what they may read, held back before the cut at `depth`.
    """

    model: ModelName
    revision: str | None
    base_url: str | None
    api_key_env: str | None
    batch: Annotated[int, Meta(ge=1)]
    permissions: bool

    def __post_init__(self) -> None:
        if self.base_url is not None:
            check_url(self.base_url, "conf: retriever.base_url")
        for name, value, used in (
            ("revision", self.revision, self.base_url is None),
            ("api_key_env", self.api_key_env, self.base_url is not None),
        ):
            if value is not None and not used:
                where = "an endpoint" if self.base_url else "a model on this machine"
                raise ConfigError(
                    f"conf: retriever.{name}", expected=f"null with {where}", got=repr(value)
                )

    def rank(
        self,
        questions: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
        responses: pl.DataFrame,  # noqa: ARG002 - the port's argument
        depth: int,
    ) -> pl.DataFrame:
        """Questions, Chunks, Documents -> Ranking, at most `depth` a row.

        Raises:
            ConfigError: the extra [dense], the model or the key is not there.
            EndpointError: the endpoint or the store of vectors failed.
        """
        allowed = readable(questions, chunks, documents, permissions=self.permissions)
        found = self._scores(questions["text"].to_list(), chunk_texts(chunks, documents))
        rows = (best(score, mask, depth) for score, mask in zip(found, allowed, strict=True))
        return ranking(questions, rows)

    def _scores(self, questions: list[str], texts: list[str]) -> Iterator[NDArray[np.float64]]:
        """Score every chunk for each question; equal texts score equally, to the last digit."""
        embedder = (
            LocalModel(self.model, self.revision, self.batch)
            if self.base_url is None
            else Endpoint(self.base_url, self.model, self.api_key_env, self.batch)
        )
        rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        asked = {text: row for row, text in enumerate(dict.fromkeys(questions))}
        held = vectors(embedder, list(rows), "document").astype(np.float64)
        sought = vectors(embedder, list(asked), "question").astype(np.float64)
        where = np.array([rows[text] for text in texts], dtype=np.int64)
        step = max(CELLS // max(len(rows), 1), 1)
        order = [asked[text] for text in questions]
        for begin in range(0, len(order), step):
            block = sought[order[begin : begin + step]] @ held.T
            for scores in np.round(block, DIGITS):
                yield scores[where]
