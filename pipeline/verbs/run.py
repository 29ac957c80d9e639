"""`run [key=value …]`: compose conf/ afresh, bring the pipeline up to date, print the results."""

import logging
import os
import sys
import tempfile
from pathlib import Path
from signal import SIGINT
from typing import Any

from pipeline.contract.errors import ConfigError, EndpointError
from pipeline.settings.words import applied, parsed
from pipeline.stages.compose import CONF, composed, validate, write_params

NO_GIT = "DVC works inside git: `git init && git add -A && git commit -m start` here first"

BY_SIGINT = f"exited with -{SIGINT.value}"
"""How DVC words a stage that Ctrl-C ended before it could say so itself."""


def main(words: list[str], data: Path) -> int:
    """Write params.yaml from conf/ and the words, reproduce, print; return the exit code.

    Without words params.yaml returns to what conf/ says. Nothing is written when a word,
    a key or a value is not right.
    """
    in_project()
    params = configured(words)
    write_params(params, composed(CONF, []), data / "compose" / "base.yaml")
    code = reproduce()
    if code == 0:
        from pipeline.verbs.results import show_results

        show_results(data)
    return code


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
        os.environ["RAG_ASSAY_EXIT"] = str(exit_file)
        try:
            with Repo() as repo:
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
