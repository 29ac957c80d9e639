"""`run [key=value …]`: compose conf/ afresh, bring the pipeline up to date, print the results."""

import fcntl
import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGINT
from typing import TYPE_CHECKING, Any

from pipeline.contract.errors import EXIT_FILE, ConfigError, EndpointError
from pipeline.contract.files import read_json, remove
from pipeline.settings.words import applied, parsed
from pipeline.stages.compose import CONF, composed, validate, write_params

if TYPE_CHECKING:
    from dvc.repo import Repo

NO_GIT = "DVC works inside git: `git init && git add -A && git commit -m start` here first"

LOCK = Path(".dvc") / "tmp" / "rag-assay.lock"
"""Held while a run is at work in this folder; a run that is killed lets go of it."""

BY_SIGINT = f"exited with -{SIGINT.value}"
"""How DVC words a stage that Ctrl-C ended before it could say so itself."""


def main(words: list[str], data: Path) -> int:
    """Write params.yaml from conf/ and the words, reproduce, print; return the exit code.

    Without words params.yaml returns to what conf/ says. Nothing is written when a word,
    a key or a value is not right.
    """
    in_project()
    params = configured(words)
    with alone():
        write_params(params, composed(CONF, []), data / "compose" / "base.yaml")
        code = reproduce()
        if code == 0:
            from pipeline.verbs.results import show_results

            show_results(data)
    return code


@contextmanager
def alone() -> Iterator[None]:
    """Wait for another run in this folder: its stages read the params.yaml that we write."""
    if not LOCK.parent.parent.is_dir():  # no project of DVC's, as it will say itself
        yield
        return
    LOCK.parent.mkdir(exist_ok=True)
    with LOCK.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("waiting for another run in this folder to end", file=sys.stderr, flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def in_project() -> None:
    """Make sure that the working folder is a project.

    Raises:
        ConfigError: it holds no conf/config.yaml and dvc.yaml.
    """
    if not (CONF / "config.yaml").is_file() or not Path("dvc.yaml").is_file():
        raise ConfigError(
            "working folder",
            expected="the project's folder, with conf/ and dvc.yaml",
            got=str(Path.cwd()),
            remedy="change to it first",
        )


def configured(words: list[str]) -> dict[str, Any]:
    """Return the validated configuration that `words` name.

    Raises:
        ConfigError: a word, key or value is not right.
    """
    choices, values = parsed(words, CONF)
    params = applied(composed(CONF, choices), values)
    validate(params)
    return params


def reproduce() -> int:
    """Do what `dvc repro` does and return the failing stage's own exit code, or 0.

    Raises:
        EndpointError: DVC itself failed (no repository, a lock held elsewhere, …).
    """
    from dvc.exceptions import DvcException, ReproductionError
    from dvc.repo import Repo

    logging.getLogger("dvc").setLevel(logging.ERROR)
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    with tempfile.TemporaryDirectory() as folder:
        exit_file = Path(folder) / "code"
        os.environ[EXIT_FILE] = str(exit_file)
        try:
            with Repo() as repo:
                _mend(repo)
                repo.reproduce()
        except ReproductionError as error:
            if exit_file.is_file():
                return int(exit_file.read_text(encoding="utf-8"))
            if _chain(error).endswith(BY_SIGINT):
                raise KeyboardInterrupt from error
            raise EndpointError("dvc", expected="every stage to run", got=_chain(error)) from error
        except DvcException as error:
            remedy = "" if _in_git() else NO_GIT
            raise EndpointError(
                "dvc", expected="to reproduce", got=_chain(error), remedy=remedy
            ) from error
    return 0


def _mend(repo: "Repo") -> None:
    """Take away files of DVC's that a kill has cut short and that it then refuses for good.

    They hold nothing that DVC does not find out again; it writes them in place, so that
    about one kill in ten hits one of them.
    """
    from dvc.dvcfile import LOCK_FILE, Lockfile
    from dvc.exceptions import DvcException
    from dvc.rwlock import RWLOCK_FILE

    lock, held = Path(LOCK_FILE), Path(repo.tmp_dir or "") / RWLOCK_FILE
    try:
        if lock.is_file():
            Lockfile(repo, LOCK_FILE).load()
    except DvcException:
        _drop(lock)
    try:
        if held.is_file():
            read_json(held)
    except ValueError:
        _drop(held)


def _drop(path: Path) -> None:
    print(f"{path.name}: broken, as a kill leaves it; it is made anew", file=sys.stderr)
    remove(path)


def _in_git() -> bool:
    here = Path.cwd()
    return any((folder / ".git").exists() for folder in (here, *here.parents))


def _chain(error: BaseException) -> str:
    lines = []
    at: BaseException | None = error
    while at is not None:
        lines.append(" ".join(str(at).split()))
        at = at.__cause__
    return ": ".join(line for line in lines if line)
