"""The door: `python -m pipeline [verb] [key=value …]`."""

import os
import sys
import traceback
from importlib import import_module
from pathlib import Path

from pipeline.contract.errors import BUG, INTERRUPTED, OK, AssayError, ConfigError, nearest

VERBS = {
    "run": "run the pipeline and print its results (the default verb)",
    "validate": "say whether data and configuration are good; writes nothing",
    "init": "write a template for data of your own: init DIR",
    "show": "open one question in the terminal: show QUESTION",
    "track": "log a finished run to MLflow, e.g. after the store was down",
    "stage": "run one stage of dvc.yaml; DVC calls this",
}
DATA = Path("data")
EXIT_FILE = "RAG_ASSAY_EXIT"
"""Names the file in which a stage leaves its exit code, since DVC loses it."""


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
    except Exception:
        traceback.print_exc()
        print("this is a bug of rag-assay; please report the lines above", file=sys.stderr)
        code = BUG
    if verb == "stage" and code and EXIT_FILE in os.environ:
        Path(os.environ[EXIT_FILE]).write_text(str(code), encoding="utf-8")
    return code


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
    return int(import_module(f"pipeline.verbs.{verb}").main(words, DATA))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
