"""The file of responses: whole or not at all, with what other systems have in it kept."""

import fcntl
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from pipeline.adapters.datasets.lines import lines
from pipeline.contract.errors import ConfigError, DataError
from pipeline.contract.files import read_json, replacing, root, write_json
from pipeline.contract.records import Collection, Response
from pipeline.contract.words import counted


@dataclass(frozen=True)
class Out:
    """A file of responses, and beside it a note on how each system's came to be.

    Attributes:
        path: the file.
        system: whose responses are to be written.
        replace: whether those that are there of it may go.
    """

    path: Path
    system: str
    replace: bool

    @property
    def note(self) -> Path:
        """Where the note lies; no adapter reads it."""
        return self.path.with_suffix(".note.json")

    def check(self) -> int:
        """How many responses of the system are there.

        Raises:
            ConfigError: there are some, and they may not go, or the file cannot be one.
            DataError: with every fault of the file.
        """
        if self.path.is_dir():
            raise ConfigError("--out", expected="a file", got=f"the folder {self.path}")
        _, there = self._others()
        if there and not self.replace:
            raise ConfigError(
                f"--system {self.system}",
                expected=f"a system that {self.path} does not have",
                got=f"{counted(there, 'response')} of it there",
                remedy="--replace puts the new ones in their place",
            )
        return there

    def write(self, responses: Sequence[Response], note: dict[str, Any]) -> int:
        """Write both files; return how many responses were replaced.

        Raises:
            ConfigError: as `check`: somebody may have been here since.
        """
        with _alone():
            replaced = self.check()
            others, _ = self._others()
            write_json(self.note, {**self._notes(), self.system: note})
            with replacing(self.path) as temporary, temporary.open("wb") as file:
                for line in others:
                    file.write(line + b"\n")
                for response in responses:
                    file.write(msgspec.json.encode(response) + b"\n")
        return replaced

    def _notes(self) -> dict[str, Any]:
        """What is noted of all systems; nothing where somebody broke the file."""
        try:
            return dict(read_json(self.note))
        except (OSError, ValueError, TypeError):
            return {}

    def _others(self) -> tuple[list[bytes], int]:
        """Lines of other systems as they stand, and the number of this one's."""
        if not self.path.exists():
            return [], 0
        collection, kept, own = Collection(), [], 0
        for _, line in lines(self.path, str(self.path), collection):
            if _system(line) == self.system:
                own += 1
            else:
                kept.append(line)
        if collection.faults:
            raise DataError(collection.faults)
        return kept, own


def _system(line: bytes) -> str | None:
    try:
        return str(json.loads(line)["system"])
    except (ValueError, KeyError, TypeError):
        return None


@contextmanager
def _alone() -> Iterator[None]:
    """Wait for another process that writes responses: it may be the same file."""
    folder = root() / ".rag-assay"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "responses.lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
