"""Results as a git revision or a DVC experiment had them, taken out of DVC's cache."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.contract.errors import ConfigError
from pipeline.contract.files import remove, replacing, root
from pipeline.sides.whole import STAGES

if TYPE_CHECKING:
    from dvc.repo import Repo

KEPT = ".rag-assay/sides"
"""Folder below the project's root where revisions that were taken out stay, by commit."""


def commit_of(name: str) -> str | None:
    """Commit that a revision or an experiment's name stands for; None: there is no such."""
    with _repo() as repo:
        return _resolved(repo, name)


def taken_out(name: str, data: Path) -> tuple[Path, str]:
    """Take the results of a revision out of the cache, unless they are there already.

    Args:
        name: branch, tag, commit, or a DVC experiment's name.
        data: the data folder, relative to the project's root.

    Returns:
        The folder, laid out as `data`, and the time of the commit: its numbers had been seen
        by then.

    Raises:
        ConfigError: there is no such revision, or the cache lacks its results.
    """
    from dvc.api import DVCFileSystem

    spec = f"rev:{name}"
    with _repo() as repo:
        commit = _resolved(repo, name)
        if commit is None:
            raise ConfigError(
                spec, expected="a git revision or a DVC experiment", got="none of that name",
                remedy="`git branch -a`, `git log` and `dvc exp list` show what there is",
            )  # fmt: skip
        time = _time(repo, commit)
    folder = root() / KEPT / commit
    if not all((folder / stage).is_dir() for stage in STAGES):  # people may tidy up in there
        with replacing(folder) as temporary:
            source = DVCFileSystem(str(root()), rev=commit)
            for stage in STAGES:
                _copy(source, f"{data.as_posix()}/{stage}", temporary / stage, spec, commit)
    return folder, time


def _copy(source: Any, path: str, to: Path, spec: str, commit: str) -> None:
    """Copy a folder of a revision, whole, or say that the cache lacks it."""
    from dvc.exceptions import DvcException

    got = f"no {path} at {commit[:12]}"
    try:
        if source.isdir(path):
            names = [Path(name).name for name in source.ls(path, detail=False)]
            to.parent.mkdir(parents=True, exist_ok=True)
            source.get(path, str(to), recursive=True)
            if all((to / name).is_file() for name in names):
                return
            got = f"{path} at {commit[:12]} in part"
    except (DvcException, OSError) as error:
        got = " ".join(str(error).split()) or type(error).__name__
    remove(to)
    raise ConfigError(
        spec,
        expected="its results in DVC's cache",
        got=got,
        remedy=f"`dvc pull`, or once: git checkout {commit[:12]} && python -m pipeline",
    )


def _repo() -> "Repo":
    from dvc.exceptions import NotDvcRepoError
    from dvc.repo import Repo

    try:
        return Repo(str(root()))
    except NotDvcRepoError as error:
        raise ConfigError(
            "rev:", expected="a project that DVC keeps", got=str(root()),
            remedy="change to the project's folder first",
        ) from error  # fmt: skip


def _resolved(repo: "Repo", name: str) -> str | None:
    from dvc.scm import RevError, resolve_rev

    with suppress(RevError, UnicodeError):  # a name's bytes may be no text at all
        return str(resolve_rev(repo.scm, name)) if name else None
    return None


def _time(repo: "Repo", commit: str) -> str:
    stamp = repo.scm.resolve_commit(commit).commit_time
    return datetime.fromtimestamp(stamp, UTC).isoformat(timespec="seconds")
