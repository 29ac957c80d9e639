"""The ledger of held-out looks: who opened the held-out questions, when and why.

`data/ledger.jsonl` below the project's root, kept by git, one line for each system and
look. Lines are only ever added, under a lock, and on disk before any number is written; each
names the line before it by hash (`pipeline.manifest.chain`). The first line of a question set
carries hashes of its held-out texts, by which looks are counted (`pipeline.manifest.opened`).
"""

import fcntl
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import polars as pl

from pipeline.contract.errors import DataError, Fault
from pipeline.contract.files import canonical, read_json, root
from pipeline.contract.tables import Questions, read
from pipeline.manifest.chain import START, Chain, Entry, Written, walk
from pipeline.manifest.opened import Looks, Texts, count, known, texts

NAME = "data/ledger.jsonl"

log = logging.getLogger(__name__)


def record(data: Path, identity: dict[str, Any], reason: str) -> None:
    """Write down that the systems of a run are about to be scored on held-out questions.

    Does nothing for the split `dev`. A system whose fingerprint is in the ledger with the
    same questions and reason is not written again, so that a stage that is run twice, or
    killed and run again, counts as one look. A broken chain is warned of and goes on.

    Args:
        data: the data folder; `freeze` there names split and questions.
        identity: what `pipeline.manifest.identity.identify` returned.
        reason: why they are opened.

    Raises:
        DataError: a line of the ledger is not one that was written by this function.
    """
    frozen = read_json(data / "freeze" / "manifest.json")
    if frozen["split"] == "dev":
        return
    asked = frozen["question_set"]
    look = {
        "question_set": asked["content"],
        "name": asked["name"],
        "version": asked["version"],
        "contract_version": identity["contract_version"],
        "time": datetime.now(UTC).isoformat(timespec="microseconds"),
        "reason": reason,
    }
    with _opened() as file:
        before = _parse(_healed(file))
        there = {_key(line.entry) for line in before}
        systems = [
            look | {"system": name, "fingerprint": system["fingerprint"]}
            for name, system in sorted(identity["systems"].items())
        ]
        new = [one for one in systems if _key(one) not in there]
        if new and asked["content"] not in known(line.entry for line in before):
            opened = _texts(data)
            new[0] |= {"questions": opened.asked, "texts": opened.least}
        file.write(_chained(new, walk(before)))
        file.flush()
        os.fsync(file.fileno())


def entries() -> list[Entry]:
    """Every line of the ledger in order; a line that was never finished is left out.

    Raises:
        DataError: a line is not one that `record` wrote.
    """
    return [line.entry for line in _lines()]


def chain() -> Chain:
    """Whether every line follows the one before it; raises as `entries` does."""
    return walk(_lines())


def looks(data: Path) -> Looks:
    """How often the held-out questions of the run in `data` were opened; raises as `entries`.

    A run of the split `dev` does not hold their texts; they are known where its question set
    was opened before, and else only lines that name this very set count.
    """
    frozen = read_json(data / "freeze" / "manifest.json")
    content, found = frozen["question_set"]["content"], entries()
    sets = known(found)
    mine = sets.get(content) if frozen["split"] == "dev" else _texts(data)
    asked = frozen["question_set"]["counts"]["heldout"]
    return count(found, content, mine, asked=asked, sets=sets)


def looks_at(data: Path, question: str) -> int:
    """How often one held-out question of the run in `data`, by its text, was opened."""
    content, found = (
        read_json(data / "freeze" / "manifest.json")["question_set"]["content"],
        entries(),
    )
    return count(found, content, texts([question]), asked=1, sets=known(found)).most


def _texts(data: Path) -> Texts:
    asked = read(data / "freeze", Questions, ["split", "text"])
    return texts(asked.filter(pl.col("split") == "heldout")["text"])


def _chained(new: Sequence[dict[str, Any]], found: Chain) -> bytes:
    """The bytes of lines to add, each with the hash of the one before it.

    The first joins the ends of merged branches; not while the chain is broken, since what is
    mended later would then be missing.
    """
    if found.broken:
        log.warning("%s: its chain is %s: see python -m pipeline ledger", NAME, found.state)
    head = found.head or START
    merged = {"merged": found.loose} if found.loose and not found.broken else {}
    lines: list[bytes] = []
    for look in new:
        lines.append(canonical(look | {"previous": head} | (merged if not lines else {})).encode())
        head = sha256(lines[-1]).hexdigest()
    return b"".join(line + b"\n" for line in lines)


def _lines() -> list[Written]:
    path = root() / NAME
    if not path.is_file():
        return []
    content = path.read_bytes()
    return _parse(content[: content.rfind(b"\n") + 1])


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


def _key(look: Any) -> tuple[str, ...]:
    return look["question_set"], look["fingerprint"], look["reason"]


def _parse(content: bytes) -> list[Written]:
    found = []
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():  # an editor's or a merge's
            continue
        try:
            found.append(Written(number, line, msgspec.json.decode(line, type=Entry)))
        except ValueError as error:
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
    return found
