"""Dataclasses from plain values, checked by their annotations: type, range, no unknown key."""

import dataclasses
import re
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from pipeline.contract.errors import ConfigError, nearest

Built = TypeVar("Built")

LONGEST = 80
"""Characters of a wrong value that a message shows."""


def build(
    cls: type[Built], fields: dict[str, Any], where: str, *, also: frozenset[str] = frozenset()
) -> Built:
    """Build a dataclass from plain values, strictly: no unknown key, no conversion.

    Only a field with a default may be left out. Dataclasses inside are built alike, also as
    members of a list, whose places count from 0. `also` names keys that are legal elsewhere,
    for the hint at a typing error.
    """
    hints = get_type_hints(cls, include_extras=True)
    fields_of = dataclasses.fields(cls)  # type: ignore[arg-type]  # cls is a dataclass
    known = {f.name: hints[f.name] for f in fields_of}
    absent = dataclasses.MISSING
    optional = {f.name for f in fields_of if (f.default, f.default_factory) != (absent, absent)}
    for key in fields:
        if key not in known:
            raise ConfigError(
                f"{where}.{key}" if where != "conf" else f"conf: {key}",
                expected="a known key" + nearest(key, set(known) | also),
                got=repr(key),
            )
    values: dict[str, Any] = {}
    for key, hint in known.items():
        place = f"{where}.{key}" if where != "conf" else f"conf: {key}"
        if key not in fields:
            if key in optional:
                continue
            raise ConfigError(place, expected="a value", got="no such key")
        values[key] = _value(hint, fields[key], place)
    return cls(**values)


def _value(hint: Any, value: Any, place: str) -> Any:
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        if not isinstance(value, dict):
            raise ConfigError(place, expected="a mapping", got=_shown(value))
        return build(hint, value, place)
    kinds = [kind for kind in get_args(hint) if dataclasses.is_dataclass(kind)]
    if kinds and get_origin(hint) is tuple:
        if not isinstance(value, list | tuple):
            raise ConfigError(place, expected="a list", got=_shown(value))
        return tuple(_value(kinds[0], one, f"{place}[{at}]") for at, one in enumerate(value))
    if kinds:  # or null
        return None if value is None else _value(kinds[0], value, place)
    try:
        return msgspec.convert(value, hint, strict=True)
    except msgspec.ValidationError as error:
        raise ConfigError(place, expected=_expected(hint, str(error)), got=_shown(value)) from error


def _expected(hint: Any, message: str) -> str:
    choices = [
        str(c) for part in _parts(hint) for c in getattr(part, "__args__", ()) if _is_literal(part)
    ]
    bounds = [
        m for part in _parts(hint) for m in getattr(part, "__metadata__", ()) if isinstance(m, Meta)
    ]
    if choices:
        choices += ["true", "false"] * (bool in _parts(hint))
        return "one of " + ", ".join(choices)
    found = re.search(r"Expected (.*?)(, got .*)?$", message)
    words = (found.group(1) if found else message).replace("`", "")
    if words.startswith("array"):
        return f"a list, as in {'[1, 5]' if {int, float} & {*_parts(hint)} else '[one, two]'}"
    number = "a number" if float in _parts(hint) else "a whole number"
    for meta in bounds:
        if meta.ge is not None and meta.le is not None:
            return f"{number} from {meta.ge} to {meta.le}"
        if meta.ge is not None:
            return f"{number}, {meta.ge} or more"
    return words


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _parts(hint: Any) -> tuple[Any, ...]:
    """The hint with every hint inside of it; a literal's values are none."""
    inside = () if _is_literal(hint) else getattr(hint, "__args__", ())
    return (hint, *(part for one in inside for part in _parts(one)))


def _is_literal(hint: Any) -> bool:
    return getattr(hint, "__origin__", None) is Literal
