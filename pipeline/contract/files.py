"""How files come to be: whole or not at all, and the same bytes for the same content."""

import errno
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from typing import Any


def root() -> Path:
    """The project's own folder, also inside a DVC experiment that runs elsewhere.

    Whatever has to outlive a temporary workspace (ledger, freeze manifests, the
    tracking store) and relative paths to people's data are resolved against it.
    """
    return Path(os.environ.get("DVC_ROOT") or Path.cwd()).resolve()


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary name beside `path`; on success it takes the place of `path`.

    Works for a file or for a folder (make it yourself). On an error, or when the
    process dies, `path` is untouched and at worst a `.tmp` is left, which the next
    writer removes. Of two that write a folder at once the last one's is what stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.glob(f".{escape(path.name)}.*.tmp"):
        if not _alive(left.name.split(".")[-2]):
            remove(left)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    remove(temporary)
    try:
        yield temporary
        while True:
            if temporary.is_dir():
                _clear(path)
            try:
                temporary.replace(path)
                break
            except OSError as error:
                if error.errno != errno.ENOTEMPTY:  # put there by another writer meanwhile
                    raise
    finally:
        remove(temporary)


def _alive(number: str) -> bool:
    """Whether a process of that number is there, ours or not; so too where it is no number."""
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError, ValueError):
        return True
    return True


def _clear(path: Path) -> None:
    """Remove what is at `path`, also where another writer removes the same."""
    try:
        remove(path)
    except FileNotFoundError:
        _clear(path)


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def canonical(value: Any) -> str:
    """The one JSON spelling of a value that is hashed: sorted keys, no spaces, no NaN."""
    return json.dumps(
        value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )


def write_json(path: Path, value: Any) -> None:
    """Write a JSON document for people and machines: sorted keys, two spaces, no NaN."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, indent=2, allow_nan=False)
    with replacing(path) as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")


def read_json(path: Path) -> Any:
    """Read a JSON document that `write_json` wrote."""
    return json.loads(path.read_text(encoding="utf-8"))
