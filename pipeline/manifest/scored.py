"""When the numbers of each fingerprint were first looked at on this machine.

`.rag-assay/scored.jsonl` below the project's root, a line a fingerprint, only ever added
to. It tells a policy that was written before a candidate's numbers from one that was not;
nothing scored depends on it.
"""

import fcntl
import json
import os
from collections.abc import Iterable
from datetime import datetime

from pipeline.contract.files import canonical, root

NAME = ".rag-assay/scored.jsonl"


def note(fingerprints: Iterable[str], time: str) -> None:
    """Write down the fingerprints that are not there yet, as seen at `time` (ISO 8601, UTC)."""
    path = root() / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        content = file.read()
        seen = _parsed(content)
        new = sorted(set(fingerprints) - seen.keys())
        broken = b"\n" if content and not content.endswith(b"\n") else b""  # by a kill
        lines = [canonical({"fingerprint": one, "time": time}) + "\n" for one in new]
        file.write(broken + "".join(lines).encode() if lines else b"")
        file.flush()
        os.fsync(file.fileno())


def known(fingerprint: str) -> str | None:
    """When the numbers of this fingerprint were first seen; None: not here."""
    path = root() / NAME
    return _parsed(path.read_bytes()).get(fingerprint) if path.is_file() else None


def _parsed(content: bytes) -> dict[str, str]:
    """The earliest time of each fingerprint; lines that are no such line are passed over."""
    found: dict[str, str] = {}
    for line in content.splitlines():
        try:
            entry = json.loads(line)
            fingerprint, time = str(entry["fingerprint"]), str(entry["time"])
        except (ValueError, KeyError, TypeError):
            continue
        if not stamped(time):
            continue
        found[fingerprint] = min(time, found.get(fingerprint, time))
    return found


def stamped(time: object) -> bool:
    """Whether this is a time that can be set against others: ISO 8601 with its zone."""
    try:
        return datetime.fromisoformat(str(time)).utcoffset() is not None
    except ValueError:
        return False
