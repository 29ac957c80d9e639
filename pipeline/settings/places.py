"""Where the data set's files lie, and what they hold, as hashes."""

from collections.abc import Iterator
from hashlib import file_digest
from pathlib import Path
from typing import Any

from pipeline.contract.errors import ConfigError
from pipeline.contract.files import root
from pipeline.settings.adapters import PLACES


def places(params: dict[str, Any]) -> dict[str, str]:
    """Where the data set's files lie, by the key of its adapter that says so."""
    dataset = params["dataset"]
    return {key: dataset[key] for key in PLACES if dataset.get(key) is not None}


def hashed(path: str, key: str = "path") -> list[dict[str, Any]]:
    """Hash every file at `path` (a file, or a folder with what lies below it).

    Returns:
        Name relative to `path`, SHA-256 and length of each file, sorted by name; hidden
        files are left out.

    Raises:
        ConfigError: nothing is there, or some of it cannot be read.
    """
    where = f"conf: dataset.{key}"
    try:
        top = root() / Path(path).expanduser()
        if not path.strip() or not top.exists():
            raise ConfigError(
                where,
                expected="a folder or file that exists",
                got=path if path.strip() else repr(path),
            )
        files = [top] if top.is_file() else sorted(_visible(top))
        return [
            _hash(file, file.name if file == top else file.relative_to(top).as_posix())
            for file in files
        ]
    except (OSError, RuntimeError, ValueError) as error:  # no right, too long, no such user
        got = " ".join(str(error).split())
        raise ConfigError(where, expected="files that can be read", got=got) from error


def _hash(file: Path, name: str) -> dict[str, Any]:
    with file.open("rb") as stream:
        digest = file_digest(stream, "sha256").hexdigest()
    return {"name": name, "sha256": digest, "bytes": file.stat().st_size}


def _visible(folder: Path) -> Iterator[Path]:
    for entry in folder.rglob("*"):
        parts = entry.relative_to(folder).parts
        if entry.is_file() and not any(part.startswith(".") for part in parts):
            yield entry
