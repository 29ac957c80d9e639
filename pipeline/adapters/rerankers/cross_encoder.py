"""Reading question and chunk together, through sentence-transformers."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import polars as pl
from msgspec import Meta

from pipeline.contract.errors import ConfigError
from pipeline.contract.spans import chunk_texts
from pipeline.contract.tables import Ranking
from pipeline.settings.installed import ModelName, hushed_hub, model_folder, optional

MODEL = "conf: reranker.model"
Pair = tuple[str, str]


@dataclass(frozen=True)
class CrossEncoder:
    """Orders each ranking, all of it, by the score that the model gives question and chunk.

    The model is a folder, one that an installed package ships, or a name on the hub at
    `revision`. Equal texts score equally; of equal scores the earlier rank stays first. A
    ranking that was lost stays null.
    """

    model: ModelName
    revision: str | None
    batch: Annotated[int, Meta(ge=1)]

    def rerank(
        self,
        questions: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
        ranking: pl.DataFrame,
    ) -> pl.DataFrame:
        """Questions, Chunks, Documents, Ranking -> Ranking, with the model's scores beside it.

        Raises:
            ConfigError: the extra [dense] or the model is not there, or the model gives
                more than one number.
        """
        texts = chunk_texts(chunks, documents)
        asked = dict(questions.select("question", "text").iter_rows())
        rows = [
            None if held is None else [(chunk, (asked[question], texts[chunk])) for chunk in held]
            for question, held in ranking.select("question", "chunks").iter_rows()
        ]
        scores = self._scores(sorted({pair for row in rows for _, pair in row or ()}))
        ordered = [
            row if row is None else sorted(row, key=lambda held: -scores[held[1]]) for row in rows
        ]
        return ranking.with_columns(
            pl.Series(
                "chunks",
                [row if row is None else [chunk for chunk, _ in row] for row in ordered],
                dtype=Ranking.schema["chunks"],
            ),
            pl.Series(
                "scores",
                [row if row is None else [scores[pair] for _, pair in row] for row in ordered],
                dtype=Ranking.schema["scores"],
            ),
        )

    def _scores(self, pairs: list[Pair]) -> dict[Pair, float]:
        if not pairs:
            return {}
        made = self._loaded().predict(pairs, batch_size=self.batch, show_progress_bar=False)
        values = np.asarray(made, dtype=np.float64)
        if values.shape != (len(pairs),):
            raise ConfigError(
                MODEL,
                expected="a model with one number for a pair",
                got=f"{values.shape[1]} numbers from {self.model}",
            )
        return dict(zip(pairs, values.tolist(), strict=True))

    def _loaded(self) -> Any:
        package = optional("sentence_transformers", extra="dense", where=MODEL)
        optional("transformers.utils.logging", extra="dense", where=MODEL).disable_progress_bar()
        hushed_hub()
        place = model_folder(self.model) or self.model
        try:
            return package.CrossEncoder(str(place), revision=self.revision)
        except (OSError, ValueError) as error:
            raise ConfigError(
                MODEL,
                expected="a folder or a model that can be had",
                got=f"{self.model} ({' '.join(str(error).split())[:200]})",
            ) from error
