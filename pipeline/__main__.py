"""The door: `python -m pipeline [verb] [key=value …]`."""

import errno
import io
import os
import re
import sys
import traceback
from importlib import import_module
from json import JSONDecodeError
from pathlib import Path

from pipeline.contract.errors import (
    BAD_INPUT,
    BUG,
    ENDPOINT,
    EXIT_FILE,
    INTERRUPTED,
    OK,
    AssayError,
    ConfigError,
    nearest,
)

VERBS = {
    "run": "run the pipeline and print its results (the default verb)",
    "validate": "say whether data and configuration are good; writes nothing",
    "init": "write a template for data of your own: init DIR",
    "record": "ask a live system a set's questions: record --system NAME …",
    "import": "take answers from another tool's file: import FORMAT FILE …",
    "compare": "set sides against each other: compare BASELINE CANDIDATE …",
    "show": "open one question in the terminal: show QUESTION",
    "gate": "hold a comparison to its acceptance policy; exit code 1: rejected",
    "sweep": "set every metric against a number, over runs: sweep KEY",
    "ledger": "list who opened held-out questions, and follow the chain",
    "purge": "take old calls of models out of their store: purge --older DAYS",
    "export": "write rankings and labels as TREC's files: export --run FILE",
    "track": "log a finished run to MLflow, e.g. after the store was down",
    "judge-report": "hold a judge to people's labels: judge-report RULINGS",
    "judge-sample": "draw items for people to label: judge-sample RULINGS",
    "judge-take": "take people's decisions back: judge-take SHEET",
    "label-pool": "a sheet of what was retrieved, to label: label-pool --out SHEET",
    "label-take": "put people's labels into a set: label-take SHEET --set DIR",
    "stage": "run one stage of dvc.yaml; DVC calls this",
}
DATA = Path("data")
READERS = frozenset({"export", "ledger", "show", "track"})
"""Verbs that only read what a run left, which people may have touched since."""
MACHINE = frozenset(
    {
        errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EIO,
        errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EBADF,
        errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENAMETOOLONG,
    }
)  # fmt: skip
"""What a disk or its rights refuse: nothing of ours is wrong, and no traceback helps."""


def main(words: list[str]) -> int:
    """Run the verb and return its exit code; people's mistakes are a line, bugs a traceback."""
    verb, rest = "run", words
    if words and "=" not in words[0] and not words[0].startswith("-"):
        verb, rest = words[0], words[1:]
    try:
        code = _dispatch(verb, rest)
    except AssayError as error:
        print(error, file=sys.stderr)
        code = error.exit_code
    except KeyboardInterrupt:
        print("\ninterrupted; the next run goes on from the last finished stage", file=sys.stderr)
        code = INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = OK
    except Exception as error:
        code = _unexpected(verb, error)
    if verb == "stage" and code and EXIT_FILE in os.environ:
        Path(os.environ[EXIT_FILE]).write_text(str(code), encoding="utf-8")
    return code


def _unexpected(verb: str, error: Exception) -> int:
    """Say what came as no error of ours: the machine's refusal in a line, a bug in full."""
    found = re.search(r"\(os error (\d+)\)", str(error))  # how Polars words one
    number = error.errno if isinstance(error, OSError) and error.errno else None
    if (number or (int(found[1]) if found else None)) in MACHINE:
        line = " ".join(str(error).split())
        remedy = "look at the disk and the rights of its files, then run it again"
        print(
            f"machine: expected to read and write its files, got {line}; {remedy}", file=sys.stderr
        )
        return ENDPOINT
    if verb in READERS and (
        isinstance(error, FileNotFoundError | JSONDecodeError) or "parquet: " in str(error)
    ):
        line = " ".join(str(error).split())
        remedy = "`python -m pipeline` makes anew what is missing or broken"
        print(f"data: expected whole results, got {line}; {remedy}", file=sys.stderr)
        return BAD_INPUT
    traceback.print_exception(error)
    print("this is a bug of rag-assay; please report the lines above", file=sys.stderr)
    return BUG


def _spell() -> None:
    """Let the streams spell what their encoding lacks, and be there where they were closed."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # for as long as the process lives
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _dispatch(verb: str, words: list[str]) -> int:
    if verb not in VERBS:
        raise ConfigError(
            "command line",
            expected=f"a verb ({', '.join(VERBS)}) or key=value" + nearest(verb, VERBS),
            got=repr(verb),
        )
    if words[:1] in (["-h"], ["--help"]):
        help_pages = import_module("pipeline.verbs.help")
        if verb == "run":
            return int(help_pages.main(VERBS))
        if verb != "show":
            return int(help_pages.of_verb(verb))
    return int(import_module(f"pipeline.verbs.{verb.replace('-', '_')}").main(words, DATA))


if __name__ == "__main__":
    _spell()
    sys.exit(main(sys.argv[1:]))
