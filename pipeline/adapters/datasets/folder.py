"""The folder or file of a set: finding it, and keeping what the data name inside it."""

import os
from dataclasses import dataclass
from pathlib import Path

from pipeline.contract.errors import DataError, Fault, nearest
from pipeline.contract.files import root


@dataclass(frozen=True)
class Folder:
    """A folder with a set in it; `path` is absolute, `given` as people wrote it."""

    path: Path
    given: str

    @classmethod
    def open(cls, given: str, holds: str, *, key: str = "path") -> "Folder":
        """Find the folder, a relative path from the project's root.

        Args:
            given: the folder.
            holds: what has to be in it, in words.
            key: the key of the data set that names it.

        Raises:
            DataError: nothing of that name is there, or it is no folder.
        """
        path = place(given)
        if not path.is_dir():
            raise _other(path, given, holds, key, wanted="folder", found="file")
        return cls(path, given)

    def required(self, name: str, holds: str) -> Path:
        """The file of that name.

        Raises:
            DataError: it is not there.
        """
        path = self.path / name
        if path.is_file():
            return path
        known = [file.name for file in self.path.iterdir() if file.is_file()]
        got = f"no such file{nearest(name, known)}"
        fault = Fault(f"{self.given.rstrip('/')}/{name}", None, None, f"a file with {holds}", got)
        remedy = "rename the file, or name it under files: in set.yaml"
        raise DataError([fault], remedy=remedy)

    def inside(self, name: str) -> Path | str:
        """The file that the data name, or what is wrong with the name.

        It has to lie below the folder once links are followed, and not be hidden: changes
        of hidden files go unnoticed when the inputs are hashed.
        """
        top = self.path.resolve()
        try:
            path = (self.path / name).resolve()
            if not path.is_relative_to(top):
                return f"{name!r}, which lies outside the folder"
            if not path.is_file():
                known = [str(file.relative_to(top)) for file in top.rglob("*") if file.is_file()]
                return f"{name!r}, which is not there{nearest(name, known)}"
        except (OSError, ValueError, RuntimeError):  # too long, a null byte, a loop of links
            return f"{name!r}, which cannot be opened"
        if any(part.startswith(".") for part in path.relative_to(top).parts):
            return f"{name!r}, which is hidden"
        return path


def one_file(given: str, holds: str, *, key: str = "path") -> Path:
    """Find a set that is one file, a relative path from the project's root.

    Args:
        given: the file.
        holds: what has to be in it, in words.
        key: the setting that gave it, for the remedy.

    Raises:
        DataError: nothing of that name is there, or it is no file.
    """
    path = place(given)
    if not path.is_file():
        raise _other(path, given, holds, key, wanted="file", found="folder")
    return path


def place(given: str) -> Path:
    """Where a set lies, a relative path from the project's root; links are kept."""
    return Path(os.path.abspath(root() / Path(given).expanduser()))  # noqa: PTH100 - keeps links


def _other(path: Path, given: str, holds: str, key: str, *, wanted: str, found: str) -> DataError:
    """What to raise where nothing is, or the other kind of thing."""
    beside = [one.name for one in path.parent.glob("*")] if path.parent.is_dir() else []
    got = f"a {found}" if path.exists() else f"no such {wanted}{nearest(path.name, beside)}"
    fault = Fault(given, None, None, f"a {wanted} with {holds}", got)
    return DataError([fault], remedy=f"give the {wanted} as dataset.{key}=…")
