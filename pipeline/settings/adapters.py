"""Adapters built from their part of the configuration."""

import dataclasses
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from pipeline.contract.errors import ConfigError
from pipeline.settings.building import build

PLACES = ("path", "documents", "runs", "responses", "verdicts")
"""Fields of a data set's adapter that say where files lie: hashed, and no part of what it is."""

PLUGINS = "rag_assay.adapters"
"""Entry-point group under which an installed plug-in names the modules it offers."""


def adapter(port: str, params: dict[str, Any]) -> Any:
    """Build the adapter that `params[port]` names.

    Raises:
        ConfigError: its target lies outside this package and every installed plug-in,
            or one of its keys is unknown, missing, of another type or out of range.
    """
    cls = adapter_class(port, params)
    fields = {key: value for key, value in params[port].items() if key != "_target_"}
    return build(cls, fields, f"conf: {port}")


def adapter_class(port: str, params: dict[str, Any]) -> type[Any]:
    """Return the class that `params[port]["_target_"]` names.

    Raises:
        ConfigError: it lies outside this package and every installed plug-in, cannot be
            imported, or is no adapter.
    """
    where = f"conf: {port}"
    fields = params.get(port)
    if not isinstance(fields, dict) or not isinstance(fields.get("_target_"), str):
        raise ConfigError(where, expected="a mapping with _target_", got=repr(fields))
    target: str = fields["_target_"]
    module, _, name = target.rpartition(".")
    where = f"{where}._target_"
    if not _offered(module, port):
        expected = f"a class below pipeline.adapters.{port}s or of an installed plug-in"
        raise ConfigError(where, expected=expected, got=repr(target))
    try:
        cls = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        got = f"{target} ({error})"
        raise ConfigError(where, expected="an adapter that can be imported", got=got) from error
    if not (isinstance(cls, type) and dataclasses.is_dataclass(cls)):
        raise ConfigError(where, expected="an adapter class", got=repr(target))
    return cls


def describe(built: Any) -> dict[str, Any]:
    """Name and settings of an adapter, as they enter manifests and fingerprints.

    Left out is where data lie, and what the class names in `HANDLING`: settings that say how
    the work is done and change no result. Its `identity`, if it has one, says what a setting
    leads to (the content of a file, say).
    """
    cls = type(built)
    kept = {*PLACES, *getattr(cls, "HANDLING", ())}
    names = [field.name for field in dataclasses.fields(built) if field.name not in kept]
    fields = {name: getattr(built, name) for name in names}
    found = getattr(built, "identity", {})
    return {"adapter": f"{cls.__module__}.{cls.__qualname__}", **fields, **found}


def _offered(module: str, port: str) -> bool:
    if module.startswith(f"pipeline.adapters.{port}s."):
        return True
    return any(module == point.module for point in entry_points(group=PLUGINS))
