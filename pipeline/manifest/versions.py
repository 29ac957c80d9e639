"""Versions that mean something: what a name and version was first frozen as, kept by git.

One file a version, `data/versions/<kind>/<name>/<version>.json`; its layout stands in
`version.schema.json`.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.contract import SCHEMA_VERSION
from pipeline.contract.errors import ConfigError, DataError, Fault
from pipeline.contract.files import read_json, root, write_json

FOLDER = Path("data") / "versions"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

LISTED = 1_000
"""Members whose hashes a version file lists; of a larger set it keeps the number."""

DIGITS = 12
"""Digits of a hash that are shown, and that name a version which nobody declared."""


@dataclass(frozen=True)
class Frozen:
    """A corpus or question set as it is frozen now.

    Attributes:
        kind: `corpus` or `question_set`.
        name: its name.
        version: its version; None: it declares none.
        note: what changed against the version before; None: not said.
        content: hash of all of it.
        members: short hash of each document or question, by id.
        terms: licence, authorisation and retention, as far as stated.
    """

    kind: str
    name: str
    version: str | None
    note: str | None
    content: str
    members: dict[str, str]
    terms: dict[str, str | None]

    @property
    def title(self) -> str:
        """What it is called, version included."""
        return self.version or self.content[:DIGITS]

    @property
    def file(self) -> Path:
        """Where its version is kept, relative to the project."""
        return FOLDER / self.kind / self.name / f"{self.version}.json"


def conflict(frozen: Frozen) -> Fault | None:
    """Say why a set may not be frozen under its version; None where it may.

    Raises:
        ConfigError: its name or version cannot be part of a file's name.
    """
    if frozen.version is None:
        return None
    for key, value in (("name", frozen.name), ("version", frozen.version)):
        if not NAME.fullmatch(value):
            raise ConfigError(
                f"conf: {frozen.kind}.{key}",
                expected="at most 64 letters, digits and . _ -, a letter or digit first",
                got=repr(value),
            )
    before = _read(frozen)
    if before is not None and before["content"] != frozen.content:
        return Fault(
            frozen.file.as_posix(),
            None,
            None,
            f"the content that {frozen.kind} {frozen.name} {frozen.version} was frozen as, "
            f"{before['content'][:DIGITS]}",
            f"{frozen.content[:DIGITS]}",
        )
    if before is None and (older := previous(frozen)) and not frozen.note:
        expected = f"a note on what changed since {older['version']}"
        return Fault(frozen.file.as_posix(), None, None, expected, "none")
    return None


def remedy(frozen: Frozen) -> str:
    """What to do about a conflict."""
    before = _read(frozen)
    if before is None:
        return f"add {frozen.kind}.note='…', or a note to the {frozen.kind} in set.yaml"
    return (
        f"{frozen.version} was frozen as {before['content'][:DIGITS]}, "
        f"found {frozen.content[:DIGITS]}: restore it or name a new version, with a note"
    )


def register(frozen: Frozen) -> None:
    """Write the file of a version that is frozen for the first time."""
    if frozen.version is None or _read(frozen) is not None:
        return
    older = previous(frozen)
    listed = frozen.members if len(frozen.members) <= LISTED else None
    document = {
        "schema_version": SCHEMA_VERSION,
        "kind": frozen.kind,
        "name": frozen.name,
        "version": frozen.version,
        "content": frozen.content,
        "count": len(frozen.members),
        "members": listed,
        "note": frozen.note,
        "before": older["version"] if older else None,
        "changes": changes(older["members"], frozen.members) if older else None,
        **frozen.terms,
    }
    write_json(root() / frozen.file, document)


def previous(frozen: Frozen) -> dict[str, Any] | None:
    """The version that no other one of this name follows; the last by name of several."""
    files = sorted((root() / frozen.file).parent.glob("*.json"))
    others = [frozen.file.with_name(file.name) for file in files if file.stem != frozen.version]
    known = [_document(file) for file in others]
    followed = {document["before"] for document in known}
    ends = [document for document in known if document["version"] not in followed]
    return ends[-1] if ends else None


def changes(before: dict[str, str] | None, now: dict[str, str]) -> dict[str, int] | None:
    """Count members added, removed and changed; None where those before are not listed."""
    if before is None:
        return None
    return {
        "added": len(now.keys() - before.keys()),
        "removed": len(before.keys() - now.keys()),
        "changed": sum(before[id_] != now[id_] for id_ in now.keys() & before.keys()),
    }


def _read(frozen: Frozen) -> dict[str, Any] | None:
    return _document(frozen.file) if (root() / frozen.file).is_file() else None


def _document(file: Path) -> dict[str, Any]:
    """Read a version file, which a merge may have broken."""
    try:
        found: dict[str, Any] = read_json(root() / file)
    except ValueError as error:
        fault = Fault(file.as_posix(), None, None, "JSON", " ".join(str(error).split()))
        raise DataError([fault], remedy="restore the file from git") from error
    return found
