"""Where a JSON value does not fit a record, every place of it, in words."""

from collections.abc import Iterator
from math import isfinite
from typing import Any

import msgspec.inspect as types

from pipeline.checks.ids import label, show
from pipeline.checks.texts import surrogate
from pipeline.contract.errors import nearest

Finding = tuple[str, str]
"""What was expected (and where), what was found."""


def mismatches(value: Any, wanted: types.Type, place: str = "") -> Iterator[Finding]:
    """Yield each way in which a value is not of the wanted type.

    Args:
        value: what JSON gave, objects as dicts.
        wanted: the type, as msgspec describes it.
        place: the field, such as `claims[0].citations`; empty for the whole line.
    """
    if isinstance(wanted, types.AnyType):
        return
    fitting = _fitting(value, wanted)
    if fitting is None:
        yield f"{_words(wanted)}{_in(place)}", _found(value, wanted)
    elif isinstance(fitting, types.StrType):
        fault = surrogate(value)
        if fault:
            yield f"whole characters{_in(place)}", fault
    elif isinstance(fitting, types.ListType):
        for at, item in enumerate(value):
            yield from mismatches(item, fitting.item_type, f"{place}[{at}]")
    elif isinstance(fitting, types.DictType):
        for key, item in value.items():
            yield from mismatches(item, fitting.value_type, f"{place}.{label(key)}")
    elif isinstance(fitting, types.StructType):
        yield from _object(value, fitting, f"{place}." if place else "")


def _object(value: dict[str, Any], wanted: types.StructType, prefix: str) -> Iterator[Finding]:
    fields = {field.encode_name: field for field in wanted.fields}
    for name, field in fields.items():
        if name in value:
            yield from mismatches(value[name], field.type, prefix + name)
        elif field.required:
            yield f"{_words(field.type)} in {prefix}{name}", "no such field"
    for name in value:
        if name not in fields:
            yield f"a known field{nearest(name, fields)}", show(prefix + name)


def _fitting(value: Any, wanted: types.Type) -> types.Type | None:
    """The one of the wanted types whose kind of JSON value this is."""
    for one in _options(wanted):
        if isinstance(one, types.NoneType):
            fits = value is None
        elif isinstance(one, types.LiteralType):
            fits = type(value) is str and value in one.values
        elif isinstance(one, types.StrType):
            fits = type(value) is str
        elif isinstance(one, types.BoolType):
            fits = type(value) is bool
        elif isinstance(one, types.IntType):
            fits = type(value) is int
        elif isinstance(one, types.FloatType):
            fits = type(value) is int or (type(value) is float and isfinite(value))
        elif isinstance(one, types.ListType):
            fits = type(value) is list
        else:
            fits = type(value) is dict
        if fits:
            return one
    return None


def _options(wanted: types.Type) -> tuple[types.Type, ...]:
    return wanted.types if isinstance(wanted, types.UnionType) else (wanted,)


def _words(wanted: types.Type) -> str:
    return " or ".join(
        dict.fromkeys(_word(one) for one in _options(wanted) if not isinstance(one, types.NoneType))
    )


def _word(wanted: types.Type) -> str:
    if isinstance(wanted, types.LiteralType):
        return " or ".join(map(str, wanted.values))
    names: dict[type, str] = {
        types.StrType: "text",
        types.BoolType: "true or false",
        types.IntType: "a whole number",
        types.FloatType: "a finite number",
        types.ListType: "a list",
    }
    return names.get(type(wanted), "an object")


def _found(value: Any, wanted: types.Type) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        text = any(isinstance(one, types.StrType) for one in _options(wanted))
        return f"number {value}" + (f" where the text '{value}' belongs" if text else "")
    if isinstance(value, str):
        return show(value)
    return "a list" if isinstance(value, list) else "an object"


def _in(place: str) -> str:
    return f" in {place}" if place else ""
