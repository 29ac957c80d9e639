"""The ledger of held-out looks: who opened the held-out questions, when and why.

`data/ledger.jsonl` below the project's root, kept by git, one line for each system and
look. Lines are only ever added, under a lock, and on disk before any number is written.
"""

import fcntl
import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from pipeline.contract.errors import DataError, Fault
from pipeline.contract.files import canonical, read_json, root

NAME = "data/ledger.jsonl"
Entry = dict[str, Any]

log = logging.getLogger(__name__)


def record(data: Path, identity: dict[str, Any], reason: str) -> None:
    """Write down that the systems of a run are about to be scored on held-out questions.

    Does nothing for the split `dev`. A system whose fingerprint is in the ledger with the
    same questions and reason is not written again, so that a stage that is run twice, or
    killed and run again, counts as one look.

    Args:
        data: the data folder; `freeze/manifest.json` there names split and questions.
        identity: what `pipeline.manifest.identity.identify` returned.
        reason: why they are opened.

    Raises:
        DataError: a line of the ledger is not one that was written by this function.
    """
    frozen = read_json(data / "freeze" / "manifest.json")
    if frozen["split"] == "dev":
        return
    look = {
        "question_set": frozen["question_set"]["content"],
        "contract_version": identity["contract_version"],
        "time": datetime.now(UTC).isoformat(timespec="microseconds"),
        "reason": reason,
    }
    with _opened() as file:
        known = {_key(entry) for entry in _parse(_healed(file))}
        lines = [
            canonical({**look, "system": name, "fingerprint": system["fingerprint"]})
            for name, system in sorted(identity["systems"].items())
        ]
        new = [line for line in lines if _key(json.loads(line)) not in known]
        file.write("".join(f"{line}\n" for line in new).encode())
        file.flush()
        os.fsync(file.fileno())


def entries() -> list[Entry]:
    """Every line of the ledger in order; a line that was never finished is left out.

    Raises:
        DataError: a line is not one that `record` wrote.
    """
    path = root() / NAME
    if not path.is_file():
        return []
    content = path.read_bytes()
    return _parse(content[: content.rfind(b"\n") + 1])


def uses(content_hash: str, until: str | None = None) -> int:
    """How many times the held-out questions of this content were looked at.

    Systems scored together are one look. With `until` (a time), later looks do not count.
    """
    looks = {entry["time"] for entry in entries() if entry["question_set"] == content_hash}
    return len([time for time in looks if until is None or time <= until])


@contextmanager
def _opened() -> Iterator[BinaryIO]:
    path = root() / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file


def _healed(file: BinaryIO) -> bytes:
    """The whole lines of the file; the piece that a killed writer left is cut off."""
    file.seek(0)
    content = file.read()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        log.warning("%s: its last line was never finished and is cut off", NAME)
        file.truncate(whole)
    return content[:whole]


def _key(entry: Entry) -> tuple[str, ...]:
    return tuple(entry[name] for name in ("question_set", "fingerprint", "reason"))


def _parse(content: bytes) -> list[Entry]:
    found = []
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():  # an editor's or a merge's
            continue
        try:
            entry = json.loads(line)
            _key(entry), entry["time"], entry["system"]
        except (ValueError, KeyError, TypeError) as error:
            fault = Fault(
                NAME,
                number,
                None,
                "a look as it was written",
                ascii(line[:80].decode(errors="backslashreplace")),
            )
            raise DataError(
                [fault], remedy=f"restore the line: git log -p {NAME}; nothing was scored"
            ) from error
        found.append(entry)
    return found
