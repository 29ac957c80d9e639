"""Overrides as words of the command line: `key=value`, checked before anything is touched."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from pipeline.contract.errors import ConfigError, nearest
from pipeline.settings.adapters import adapter_class
from pipeline.settings.merge import flat
from pipeline.settings.schema import GROUPS, PORTS, Settings

Override = tuple[str, str]


def parsed(words: Sequence[str], conf: Path) -> tuple[list[str], list[Override]]:
    """Split words into choices of groups (as Hydra takes them) and values of keys.

    Raises:
        ConfigError: a word has no `=`, or names an option that its group does not have.
    """
    choices, values = [], []
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise ConfigError("command line", expected="key=value", got=repr(word))
        if key not in GROUPS:
            values.append((key, value))
            continue
        options = sorted(file.stem for file in (conf / key).glob("*.yaml"))
        if value not in options:
            raise ConfigError(
                key,
                expected="one of " + ", ".join(options) + nearest(value, options),
                got=repr(value),
            )
        choices.append(f"{key}={value}")
    return choices, values


def applied(params: dict[str, Any], values: Sequence[Override]) -> dict[str, Any]:
    """Return `params` with each `key=value` set; the later of two words wins.

    Raises:
        ConfigError: a key that `params` does not have, with the nearest that it has.
    """
    known = {".".join(path) for path in flat(params)}
    for key, raw in values:
        if key not in known:
            raise ConfigError(
                "command line",
                expected="a known key" + nearest(key, {*known, *GROUPS}),
                got=repr(key),
                remedy="`python -m pipeline --help` lists them",
            )
        *above, last = key.split(".")
        at = params
        for part in above:
            at = at[part]
        at[last] = _typed(_hint(params, key.split(".")), raw)
    return params


def _typed(hint: Any, raw: str) -> Any:
    """Read a word as the type its key wants: `corpus.version=2` is the text '2'.

    Where a list belongs, its words need no quotes: `uncertainty.slices=[topic,hard]`.
    """
    value = scalar(raw)
    if isinstance(value, str) and hint is not None:
        return _words(hint, value)
    if hint is None:
        return value
    try:
        msgspec.convert(value, hint, strict=True)
    except msgspec.ValidationError:
        try:
            return msgspec.convert(raw, hint, strict=True)
        except msgspec.ValidationError:
            return value
    return value


def _words(hint: Any, raw: str) -> Any:
    """A list of words, where one belongs and text does not; else the text."""
    if not (raw.startswith("[") and raw.endswith("]")):
        return raw
    listed = [word.strip() for word in raw[1:-1].split(",")]
    try:
        msgspec.convert(listed, hint, strict=True)
    except msgspec.ValidationError:
        return raw
    return listed


def scalar(raw: str) -> Any:
    """Read null, true, false, a finite number, or JSON in [ ], { } or " "; all else is text."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return raw
    return raw if isinstance(value, float) and not math.isfinite(value) else value


def _hint(params: dict[str, Any], path: list[str]) -> Any:
    """Return the annotation of the key at `path`, or None where there is none."""
    owner: Any = Settings
    if path[0] in PORTS:
        owner, path = adapter_class(path[0], params), path[1:]
    for key in path:
        try:
            owner = get_type_hints(owner, include_extras=True).get(key)
        except TypeError:
            return None
    return owner
