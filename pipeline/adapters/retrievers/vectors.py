"""Vectors of texts, kept so that only new text is embedded."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from pipeline.contract.errors import EndpointError
from pipeline.contract.files import canonical, root

FloatMatrix = NDArray[np.float32]
Role = Literal["question", "document"]

ASKED_AT_ONCE = 500
"""Keys in one look-up; SQLite allows 999 in its oldest builds."""


class Embedder(Protocol):
    """Whatever turns texts into vectors."""

    @property
    def identity(self) -> dict[str, str | None]:
        """What decides the vectors: another identity, other vectors."""
        ...

    def embed(self, texts: Sequence[str], role: Role) -> Iterator[tuple[Sequence[str], FloatMatrix]]:
        """Yield texts and their vectors, (texts, dimensions), some at a time, each text once."""
        ...


def vectors(embedder: Embedder, texts: Sequence[str], role: Role) -> FloatMatrix:
    """The vector of each text, (texts, dimensions), scaled to length 1.

    They are kept below the project's `.dvc/tmp/embeddings`, one file a model, by the hash of
    the text and its role. What was embedded is kept at once, so a run that dies loses at most
    the texts in hand; two runs may write at the same time.

    Raises:
        EndpointError: the file is no store, is locked for too long, or the model changed the
            length of its vectors.
    """
    distinct = {_key(text, role): text for text in texts}
    name = sha256(canonical(embedder.identity).encode()).hexdigest()[:16]
    path = root() / ".dvc" / "tmp" / "embeddings" / f"{name}.sqlite"
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with closing(sqlite3.connect(path, timeout=60)) as store:
            store.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, value BLOB)")
            known = _read(store, list(distinct))
            missing = [text for key, text in distinct.items() if key not in known]
            for some, made in embedder.embed(missing, role):
                rows = {_key(t, role): v for t, v in zip(some, _unit(made), strict=True)}
                with store:
                    store.executemany(
                        "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                        [(key, vector.tobytes()) for key, vector in rows.items()],
                    )
                known.update(rows)
    except sqlite3.Error as error:
        raise EndpointError(
            str(path), expected="a store of vectors", got=str(error), remedy="remove the file"
        ) from error
    lengths = sorted({len(vector) for vector in known.values()})
    if len(lengths) > 1:
        raise EndpointError(
            str(path),
            expected="vectors of one length",
            got=f"lengths {lengths}",
            remedy="the model behind that name has changed; remove the file",
        )
    if not texts:
        return np.zeros((0, 0), dtype=np.float32)
    return np.stack([known[_key(text, role)] for text in texts])
