"""The store of calls: one SQLite file below the project, to which attempts are only added."""

import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from pipeline.calls.attempt import Attempt, Reply, reply
from pipeline.contract.errors import EndpointError
from pipeline.contract.files import root

ASKED = 500
"""Keys looked up at once: SQLite takes no endless list."""
BUSY = 60.0
"""Seconds to wait for another process that writes."""
TABLES = """
CREATE TABLE IF NOT EXISTS calls (
    key TEXT, dataset TEXT, kind TEXT, model TEXT, request TEXT, PRIMARY KEY (key, dataset)
);
CREATE TABLE IF NOT EXISTS attempts (
    id INTEGER PRIMARY KEY, key TEXT, at TEXT, ok INTEGER, status INTEGER, error TEXT,
    latency_s REAL, text TEXT, finish_reason TEXT, model TEXT,
    input_tokens INTEGER, output_tokens INTEGER, spent INTEGER
);
CREATE INDEX IF NOT EXISTS attempts_of_call ON attempts (key);
"""
FIELDS = (
    "ok", "status", "error", "latency_s", "text", "finish_reason", "model",
    "input_tokens", "output_tokens", "spent",
)  # fmt: skip

Entry = tuple[str, str, str, str, str]
"""Key, data set, kind, model and body of a call."""


def place() -> Path:
    """Where the store lies: below the project's own folder, also in a DVC experiment.

    Git ignores it, and DVC does not know it, so that `dvc gc` leaves it alone.
    """
    return root() / ".rag-assay" / "calls.sqlite"


class Store:
    """Every attempt at every call, each committed as soon as it is over.

    A process that is killed loses what was in flight and nothing else. Several processes and
    threads may write at once; where two asked the same, the answer that came first counts for
    both. An attempt that failed is kept and counted, and its call asked again by the next run.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        with self._mended():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(path, timeout=BUSY, check_same_thread=False)
            self._wal()
            self._base.execute("PRAGMA synchronous = FULL")
            self._base.executescript(TABLES)

    def close(self) -> None:
        """Close the file; nothing is lost without it."""
        self._base.close()

    def register(self, calls: Iterable[Entry]) -> None:
        """Note what is asked, before it is: its request, and the data set it is about."""
        with self._mended(), self._lock, self._base:
            self._base.executemany("INSERT OR IGNORE INTO calls VALUES (?, ?, ?, ?, ?)", calls)

    def add(self, key: str, attempt: Attempt) -> None:
        """Add an attempt; it is on the disk when this returns."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        values = [key, now, *(getattr(attempt, name) for name in FIELDS)]
        marks = ", ".join("?" * len(values))
        sql = f"INSERT INTO attempts (key, at, {', '.join(FIELDS)}) VALUES ({marks})"
        with self._mended(), self._lock, self._base:
            self._base.execute(sql, values)

    def replies(self, keys: Sequence[str]) -> dict[str, Reply]:
        """What is known of these calls, by key; nothing of one that was never tried."""
        found: dict[str, list[Attempt]] = {}
        for begin in range(0, len(keys), ASKED):
            block = keys[begin : begin + ASKED]
            marks = ", ".join("?" * len(block))
            sql = f"SELECT key, {', '.join(FIELDS)} FROM attempts WHERE key IN ({marks})"
            with self._mended(), self._lock:
                rows = self._base.execute(f"{sql} ORDER BY id", block).fetchall()
            for key, *values in rows:
                fields = dict(zip(FIELDS, values, strict=True))
                fields |= {"ok": bool(fields["ok"]), "spent": bool(fields["spent"])}
                found.setdefault(key, []).append(Attempt(**fields))
        return {key: reply(attempts) for key, attempts in found.items()}

    def purge(self, *, before: str | None = None, dataset: str | None = None) -> int:
        """Take calls away with all their attempts; return how many.

        Args:
            before: ISO 8601, UTC: calls whose last attempt is older.
            dataset: calls that were made about this data set, for others too or not.
        """
        wanted, values = ["1"], []
        if before is not None:
            wanted.append("key NOT IN (SELECT key FROM attempts WHERE at >= ?)")
            values.append(before)
        if dataset is not None:
            wanted.append("key IN (SELECT key FROM calls WHERE dataset = ?)")
            values.append(dataset)
        chosen = f"SELECT DISTINCT key FROM calls WHERE {' AND '.join(wanted)}"
        with self._mended(), self._lock:
            with self._base:
                keys = self._base.execute(chosen, values).fetchall()
                self._base.executemany("DELETE FROM attempts WHERE key = ?", keys)
                self._base.executemany("DELETE FROM calls WHERE key = ?", keys)
            self._base.execute("VACUUM")  # or the words would stay in the file
            self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return len(keys)

    def _wal(self) -> None:
        """Let readers and a writer work at once; the switch itself does not wait by itself."""
        end = time.monotonic() + BUSY
        while True:
            try:
                self._base.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > end:
                    raise
                time.sleep(0.02)

    @contextmanager
    def _mended(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise EndpointError(
                str(self.path),
                expected="a store of calls",
                got=" ".join(str(error).split()),
                remedy="look at the disk and the rights of the file, then run it again",
            ) from error
