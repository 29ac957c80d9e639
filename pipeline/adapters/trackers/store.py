"""Where the MLflow store is, and what can be said about it without importing MLflow."""

import fcntl
import json
import os
import socket
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from ssl import SSLError
from urllib.parse import quote, unquote, urlsplit

from pipeline.contract.errors import EndpointError
from pipeline.contract.files import root
from pipeline.manifest.public import public

SQLITE = "sqlite:///"
ARTIFACTS = "mlartifacts"
PORTS = {"postgresql": 5432, "mysql": 3306, "mssql": 1433}
COMPLETE = """
SELECT fingerprint.value, runs.run_uuid, beside.value FROM runs
JOIN experiments ON experiments.experiment_id = runs.experiment_id
JOIN tags AS fingerprint ON fingerprint.run_uuid = runs.run_uuid
JOIN tags AS content ON content.run_uuid = runs.run_uuid
JOIN tags AS complete ON complete.run_uuid = runs.run_uuid
LEFT JOIN tags AS beside ON beside.run_uuid = runs.run_uuid AND beside.key = 'beside'
WHERE experiments.name = ? AND experiments.lifecycle_stage = 'active'
AND runs.lifecycle_stage = 'active' AND fingerprint.key = 'fingerprint'
AND content.key = 'content' AND content.value = ? AND complete.key = 'complete'
ORDER BY runs.start_time DESC
"""
Held = tuple[str, str | None]
"""Id of a run, and the digest of what stands beside its scores."""
PATIENCE = 5
"""Seconds that a server has for a first answer."""

LATER = "results are safe in data/; when the store is back: python -m pipeline track"


@dataclass(frozen=True)
class Store:
    """A tracking store: its URI as MLflow needs it, and its file if it is one of SQLite's."""

    uri: str
    database: Path | None

    @property
    def public(self) -> str:
        """The URI without user and password."""
        return str(public(self.uri))

    @property
    def remote(self) -> bool:
        """Whether it is a server that speaks HTTP."""
        return urlsplit(self.uri).scheme in ("http", "https")

    @property
    def artifacts(self) -> Path | None:
        """Folder for artifacts; None where a server keeps them itself.

        MLflow would take one relative to the working folder, which is a temporary one in
        `dvc exp run --temp`.
        """
        if self.remote or urlsplit(self.uri).scheme == "databricks":
            return None
        return (self.database.parent if self.database else root()) / ARTIFACTS

    def failed(
        self,
        error: BaseException | str,
        *,
        expected: str = "it to take the run",
        remedy: str = LATER,
    ) -> EndpointError:
        """The store's own error as one line of ours."""
        lines = [line for line in str(error).splitlines() if line.strip()]
        line = public(lines[0][:300]) if lines else type(error).__name__
        return EndpointError(
            f"MLflow store {self.public}", expected=expected, got=line, remedy=remedy
        )

    def complete(self, experiment: str, content: str) -> dict[str, Held]:
        """Runs by fingerprint that a SQLite store holds; empty for any other.

        Reads the file itself: MLflow would have to be imported to say the same.
        """
        if self.database is None or not self.database.exists():
            return {}
        try:
            with closing(self._connect("ro")) as connection:
                rows = connection.execute(COMPLETE, (experiment, content)).fetchall()
                return {fingerprint: (run_id, beside) for fingerprint, run_id, beside in rows}
        except sqlite3.Error:
            return {}

    def lacks(self, run_id: str) -> bool:
        """Whether a server says that it has no such run; not where it says nothing.

        So a server that was set up anew gets its runs again, and one that is down, or
        wants a password for this question, does not fail a run with nothing left to log.
        """
        if not self.remote:
            return False
        try:
            status, body = self._ask(f"/api/2.0/mlflow/runs/get?run_id={quote(run_id)}")
            if status != HTTPStatus.OK:
                return status == HTTPStatus.NOT_FOUND
            return bool(json.loads(body)["run"]["info"]["lifecycle_stage"] == "deleted")
        except (OSError, HTTPException, ValueError, LookupError, TypeError):
            return False

    def probe(self) -> None:
        """Raise EndpointError at once where MLflow would try again for minutes."""
        parts = urlsplit(self.uri)
        port = PORTS.get(parts.scheme.split("+")[0])
        try:
            if self.database is not None and self.database.exists():
                with closing(self._connect("rw")) as connection:
                    connection.execute("PRAGMA schema_version").fetchone()
            elif port is not None:
                socket.create_connection((parts.hostname, parts.port or port), PATIENCE).close()
            elif self.remote:
                self._ask("/health")  # whatever it answers: it is there
        except (OSError, HTTPException, ValueError, sqlite3.Error) as error:
            # MLflow may be told of certificates that we know nothing of.
            if not isinstance(getattr(error, "reason", error), SSLError):
                raise self.failed(getattr(error, "reason", error)) from error

    def check(self, experiment: str, location: str) -> None:
        """Raise EndpointError where an experiment's files lie in a folder that has moved."""
        folder = Path(unquote(urlsplit(location).path)).parent
        ours = location.startswith("file:") and folder.name == ARTIFACTS
        if ours and folder != self.artifacts and not folder.is_dir():
            raise EndpointError(
                f"MLflow experiment {experiment!r}",
                expected=f"its files in {self.artifacts}",
                got=f"{folder}, which is gone",
                remedy="move the folder back, or name another: tracker.experiment=NAME",
            )

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep every other process of ours on this machine away from the store.

        Two processes that create a fresh SQLite store at once break it, and two that
        log the same system would log it twice.
        """
        if self.database is not None:
            path = self.database.with_name(f"{self.database.name}.lock")
        else:
            digest = sha256(self.uri.encode()).hexdigest()[:16]
            path = Path(tempfile.gettempdir()) / f"rag-assay-{os.getuid()}-{digest}.lock"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("a")
        except OSError as error:
            raise self.failed(error) from error
        with file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _ask(self, path: str) -> tuple[int, bytes]:
        from urllib.error import HTTPError
        from urllib.request import urlopen

        try:
            with urlopen(self.public.rstrip("/") + path, timeout=PATIENCE) as answer:
                return answer.status, answer.read()
        except HTTPError as error:
            return error.code, b""

    def _connect(self, mode: str) -> sqlite3.Connection:
        return sqlite3.connect(f"file:{quote(str(self.database))}?mode={mode}", uri=True, timeout=5)


def locate(uri: str | None) -> Store:
    """Find the store: the given URI, else MLFLOW_TRACKING_URI, else mlflow.db in the root."""
    uri = uri or os.environ.get("MLFLOW_TRACKING_URI") or f"{SQLITE}mlflow.db"
    if not uri.startswith(SQLITE):
        return Store(uri, None)
    path, _, query = uri.removeprefix(SQLITE).partition("?")
    database = root() / path
    return Store(f"{SQLITE}{database}" + (f"?{query}" if query else ""), database)
