"""`stage NAME`: run one stage of dvc.yaml with its part of params.yaml."""

import inspect
from importlib import import_module
from pathlib import Path
from typing import Any

from pipeline.contract.errors import AssayError, ConfigError, nearest
from pipeline.contract.files import remove
from pipeline.settings import PORTS, adapter, settings
from pipeline.stages.compose import PARAMS, read_yaml

ORDER = (
    "compose", "freeze", "chunk", "retrieve", "rerank",
    "answer", "judge", "score", "compare", "track",
)  # fmt: skip
"""The stages as they follow each other."""


def main(words: list[str], data: Path) -> int:
    """Run the stage `words[0]` on the data folder.

    What later stages made of older inputs is taken away first, so that after a refusal or
    a kill no older result looks current; DVC brings it back where it is still right.
    """
    if len(words) != 1 or words[0] not in ORDER:
        got = " ".join(words) or "nothing"
        raise ConfigError(
            "stage", expected="one of " + ", ".join(ORDER) + nearest(got, ORDER), got=got
        )
    name = words[0]
    module = import_module(f"pipeline.stages.{name}")
    if name != "compose":
        _follows(data, name)
        retire(data, name)
    try:
        arguments = {} if name == "compose" else _arguments(module.run, read_yaml(PARAMS))
        line = module.run(data, **arguments)
    except AssayError:
        retire(data, name)
        raise
    if line:
        print(f"{name}: {line}", flush=True)
    return 0


def _follows(data: Path, name: str) -> None:
    before = ORDER[ORDER.index(name) - 1]
    if not (data / before).is_dir():
        raise ConfigError(
            f"stage {name}",
            expected=f"the results of {before} in {data / before}",
            got="none",
            remedy="`python -m pipeline` runs every stage in order",
        )


def retire(data: Path, name: str) -> None:
    """Remove the results of every stage after `name`."""
    for later in ORDER[ORDER.index(name) + 1 :]:
        remove(data / later)


def _arguments(run: Any, params: dict[str, Any]) -> dict[str, Any]:
    typed = settings(params)
    arguments: dict[str, Any] = {}
    for name in list(inspect.signature(run).parameters)[1:]:
        if name == "params":
            arguments[name] = params
        elif name in PORTS:
            arguments[name] = adapter(name, params)
        else:
            arguments[name] = getattr(typed, name)
    return arguments
