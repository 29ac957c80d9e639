"""Vectors from a sentence-transformers model that runs here."""

from collections.abc import Sequence
from functools import cached_property
from hashlib import file_digest, sha256
from typing import Any

import numpy as np

from pipeline.adapters.retrievers.vectors import FloatMatrix, Role
from pipeline.contract.errors import ConfigError
from pipeline.settings.installed import hushed_hub, model_folder, optional

MODEL = "conf: retriever.model"


class LocalModel:
    """A model of sentence-transformers, loaded when the first text has to be embedded."""

    def __init__(self, name: str, revision: str | None, batch: int) -> None:
        self._name, self._revision, self._batch = name, revision, batch
        self._folder = model_folder(name)

    @property
    def identity(self) -> dict[str, str | None]:
        """A folder counts by what its files hold, a model of the hub by name and revision."""
        if self._folder is None:
            return {"model": self._name, "revision": self._revision}
        total = sha256()
        for file in sorted(path for path in self._folder.rglob("*") if path.is_file()):
            with file.open("rb") as stream:
                digest = file_digest(stream, "sha256").hexdigest()
            total.update(f"{file.relative_to(self._folder).as_posix()}\0{digest}\0".encode())
        return {"files": total.hexdigest()}

    def embed(self, texts: Sequence[str], role: Role) -> FloatMatrix:
        """Texts -> (texts, dimensions), with the prompt that the model has for the role.

        A text longer than the model can read is cut off by the model.
        """
        encode = self._model.encode_query if role == "question" else self._model.encode_document
        made = encode(list(texts), batch_size=self._batch, show_progress_bar=False)
        return np.asarray(made, dtype=np.float32)

    @cached_property
    def _model(self) -> Any:
        package = optional("sentence_transformers", extra="dense", where=MODEL)
        optional("transformers.utils.logging", extra="dense", where=MODEL).disable_progress_bar()
        hushed_hub()
        place = self._name if self._folder is None else str(self._folder)
        try:
            return package.SentenceTransformer(place, revision=self._revision)
        except (OSError, ValueError) as error:
            raise ConfigError(
                MODEL,
                expected="a folder or a model that can be had",
                got=f"{self._name} ({' '.join(str(error).split())[:200]})",
            ) from error
