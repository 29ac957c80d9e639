"""When each acceptance policy was first seen, so that none is written to fit its scores.

`data/policies.jsonl` below the project's root, kept by git, one line for each policy by its
hash. Lines are only ever added, under a lock, and on disk before anything is scored.
"""

import fcntl
import json
import os
from datetime import datetime
from typing import Any

from pipeline.contract.errors import DataError, Fault
from pipeline.contract.files import canonical, root

NAME = "data/policies.jsonl"


def record(policy: str, digest: str, now: datetime) -> str:
    """Write down that a policy is there, unless it was seen before.

    Args:
        policy: its name.
        digest: its hash.
        now: the time, in UTC.

    Returns:
        When it was first seen, ISO 8601.

    Raises:
        DataError: a line of the file is not one that was written by this function.
    """
    if (seen := first_seen(digest)) is not None:
        return seen  # nothing to write, where perhaps nothing can be written
    path = root() / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        content = file.read()
        whole = content.rfind(b"\n") + 1
        known = _first(content[:whole], digest)
        if known is not None:
            return known
        file.truncate(whole)  # the piece that a killed writer left
        seen = now.isoformat(timespec="microseconds")
        line = canonical({"policy": policy, "hash": digest, "first_seen": seen})
        file.write(f"{line}\n".encode())
        file.flush()
        os.fsync(file.fileno())
        return seen


def first_seen(digest: str) -> str | None:
    """When a policy of this hash was first seen, ISO 8601 in UTC; None: never.

    Raises:
        DataError: a line of the file is not one that `record` wrote.
    """
    path = root() / NAME
    if not path.is_file():
        return None
    content = path.read_bytes()
    return _first(content[: content.rfind(b"\n") + 1], digest)


def after_scores(seen: str | None, scored_at: str | None) -> bool:
    """Whether a policy was first seen after a candidate's scores; False where one is not known.

    Args:
        seen: as `first_seen` says it.
        scored_at: when the scores were first seen, ISO 8601 with its time zone.
    """
    if seen is None or scored_at is None:
        return False
    return datetime.fromisoformat(seen) > datetime.fromisoformat(scored_at)


def _first(content: bytes, digest: str) -> str | None:
    """The earliest time given for this hash: a merge of branches may leave two lines."""
    times = [entry["first_seen"] for entry in _parse(content) if entry["hash"] == digest]
    return min(times, key=datetime.fromisoformat, default=None)


def _parse(content: bytes) -> list[dict[str, Any]]:
    found = []
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():  # an editor's or a merge's
            continue
        try:
            entry = json.loads(line)
            timed = datetime.fromisoformat(entry["first_seen"]).utcoffset() is not None
            if not (timed and isinstance(entry["hash"], str)):
                raise ValueError("no time zone, or no hash")
        except (ValueError, KeyError, TypeError) as error:
            got = ascii(line[:80].decode(errors="backslashreplace"))
            fault = Fault(NAME, number, None, "a policy as it was written", got)
            raise DataError([fault], remedy=f"restore the line: git log -p {NAME}") from error
        found.append(entry)
    return found
