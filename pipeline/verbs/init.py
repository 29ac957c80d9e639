"""`init DIR`: write a small set that runs, to be replaced by data of one's own."""

import shlex
from importlib.resources import files
from pathlib import Path

from pipeline.contract.errors import OK, ConfigError

TEMPLATE = ("README.md", "set.yaml", "documents.jsonl", "questions.jsonl", "responses.jsonl")


def main(words: list[str], data: Path) -> int:  # noqa: ARG001 - every verb has this signature
    """Write the template into the folder `words[0]`.

    Raises:
        ConfigError: the words are not one folder, or it is there and not empty.
    """
    if len(words) != 1 or words[0].startswith("-"):
        got = " ".join(words) or "nothing"
        raise ConfigError("init", expected="a folder to write: init DIR", got=got)
    folder = Path(words[0])
    write_template(folder)
    print(f"wrote {', '.join(TEMPLATE)} to {folder}")
    path = shlex.quote(f"dataset.path={folder}")
    print(f"try it: python -m pipeline experiment=recorded {path} cutoff=2")
    return OK


def write_template(folder: Path) -> None:
    """Copy the template into a folder that is new or empty.

    Raises:
        ConfigError: the folder holds something, or cannot be made.
    """
    source = files("pipeline.verbs") / "template"
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            got = "a folder with files in it" if folder.is_dir() else "a file"
            raise ConfigError(f"init {folder}", expected="a new or empty folder", got=got)
        folder.mkdir(parents=True, exist_ok=True)
        for name in TEMPLATE:
            (folder / name).write_bytes((source / name).read_bytes())
    except OSError as error:
        raise ConfigError(
            f"init {folder}", expected="a folder that can be written", got=str(error)
        ) from error
