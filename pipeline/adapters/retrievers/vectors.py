"""Vectors of texts, kept so that only new text is embedded."""

import sqlite3
from collections.abc import Sequence
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

BLOCK = 256
"""Texts embedded before their vectors are written: what a run that dies may lose."""
ASKED = 500
"""Keys in one look-up; SQLite may be built to allow no more than 999."""


class Embedder(Protocol):
    """Whatever turns texts into vectors."""

    @property
    def identity(self) -> dict[str, str | None]:
        """What decides the vectors: another identity, other vectors."""
        ...

    def embed(self, texts: Sequence[str], role: Role) -> FloatMatrix:
        """Texts -> (texts, dimensions)."""
        ...


def vectors(embedder: Embedder, texts: Sequence[str], role: Role) -> FloatMatrix:
    """Vectors of distinct texts, (texts, dimensions), each scaled to length 1.

    They lie below the project's `.dvc/tmp/embeddings`, a file for each model, by the hash of
    text and role. Several runs may write at the same time; one that dies leaves what it had
    written. A vector stays what it was first, so that later runs agree to the last digit.

    Raises:
        EndpointError: the file cannot be used, or vectors are not numbers of one length.
    """
    name = sha256(canonical(embedder.identity).encode()).hexdigest()[:16]
    path = root() / ".dvc" / "tmp" / "embeddings" / f"{name}.sqlite"
    path.parent.mkdir(parents=True, exist_ok=True)
    keys = [sha256(f"{role}\0{text}".encode()).digest() for text in texts]
    try:
        with closing(sqlite3.connect(path, timeout=60)) as store:
            store.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, value BLOB)")
            known = _read(store, keys)
            missing = [at for at, key in enumerate(keys) if key not in known]
            missing.sort(key=lambda at: (len(texts[at]), texts[at]))
            for begin in range(0, len(missing), BLOCK):
                block = missing[begin : begin + BLOCK]
                made = _unit(embedder.embed([texts[at] for at in block], role), path)
                rows = [(keys[at], row.tobytes()) for at, row in zip(block, made, strict=True)]
                with store:
                    store.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
                known |= _read(store, [key for key, _ in rows])
    except sqlite3.Error as error:
        raise EndpointError(
            str(path), expected="a store of vectors", got=str(error), remedy="remove the file"
        ) from error
    return _matrix([known[key] for key in keys], path)


def _read(store: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    for begin in range(0, len(keys), ASKED):
        block = keys[begin : begin + ASKED]
        marks = ",".join("?" * len(block))
        found |= dict(store.execute(f"SELECT * FROM vectors WHERE key IN ({marks})", block))
    return found


def _matrix(rows: Sequence[bytes], path: Path) -> FloatMatrix:
    lengths = sorted({len(row) // 4 for row in rows})
    if len(lengths) > 1:
        raise EndpointError(
            str(path),
            expected="vectors of one length",
            got=f"lengths {lengths}",
            remedy="the model behind that name was replaced: remove the file",
        )
    return np.frombuffer(b"".join(rows), dtype="<f4").reshape(len(rows), -1 if rows else 0)


def _unit(made: FloatMatrix, path: Path) -> FloatMatrix:
    if not np.isfinite(made).all():
        raise EndpointError(str(path), expected="vectors of numbers", got="some that are none")
    lengths = np.linalg.norm(made.astype(np.float64), axis=1, keepdims=True)
    scaled: FloatMatrix = (made / np.where(lengths > 0, lengths, 1)).astype("<f4")
    return scaled
