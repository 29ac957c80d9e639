"""The configuration as typed values, and adapters built from it.

One mechanism checks both: a frozen dataclass whose annotations carry type and range.
"""

import dataclasses
import re
from importlib import import_module
from importlib.metadata import entry_points
from typing import Annotated, Any, Literal, TypeVar, get_type_hints

import msgspec
from msgspec import Meta

from pipeline.contract.errors import ConfigError, nearest

GROUPS = (
    "dataset", "chunker", "retriever", "reranker", "answerer",
    "judge", "rubric", "acceptance", "tracker",
)  # fmt: skip
"""Keys of the composed configuration that hold a group; `experiment` overlays leave none."""

PORTS = frozenset(GROUPS) - {"rubric", "acceptance"}
PLUGINS = "rag_assay.adapters"
"""Entry-point group under which an installed plug-in names the modules it offers."""

Built = TypeVar("Built")


@dataclasses.dataclass(frozen=True)
class Versioned:
    """Name, version and change note of a corpus or a question set; null: as the data say."""

    name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")] | None
    version: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")] | None
    note: str | None


@dataclasses.dataclass(frozen=True)
class QuestionSet(Versioned):
    """As above; `claims` says whether the set carries claim labels (auto: if any has)."""

    claims: bool | Literal["auto"]


@dataclasses.dataclass(frozen=True)
class Rubric:
    """The scoring rules that people may choose; hashed into every fingerprint."""

    ids: Literal["open", "narrow"]
    unresolved: Literal["interval", "exclude", "majority"]


@dataclasses.dataclass(frozen=True)
class Acceptance:
    """The policy a candidate has to meet; `none` measures and judges nothing."""

    policy: Literal["none"]


@dataclasses.dataclass(frozen=True)
class Settings:
    """Everything of params.yaml but the adapters, which `adapter` builds one by one."""

    corpus: Versioned
    question_set: QuestionSet
    cutoff: Annotated[int, Meta(ge=1, le=100)]
    budget: Annotated[int, Meta(ge=1)] | None
    depth: Annotated[int, Meta(ge=1, le=10_000)]
    split: Literal["dev", "heldout", "all"]
    repeats: Annotated[int, Meta(ge=1, le=1_000)] | None
    missing: Literal["refuse", "failed"]
    baseline: str | None
    reason: str | None
    seed: Annotated[int, Meta(ge=0, lt=2**63)]
    rubric: Rubric
    acceptance: Acceptance


def settings(params: dict[str, Any]) -> Settings:
    """Return the typed settings of a composed configuration.

    Raises:
        ConfigError: a key is unknown, missing, of another type or out of range.
    """
    ports = {key: value for key, value in params.items() if key in PORTS}
    rest = {key: value for key, value in params.items() if key not in PORTS}
    for port in sorted(PORTS - set(ports)):
        raise ConfigError(f"conf: {port}", expected="an adapter", got="no such key")
    typed = build(Settings, rest, "conf", also=PORTS)
    if typed.split != "dev" and not typed.reason:
        raise ConfigError(
            "conf: reason",
            expected=f"why the held-out questions are opened (split={typed.split})",
            got="nothing",
            remedy="add reason='...'; it is written to the ledger",
        )
    return typed


def adapter(port: str, params: dict[str, Any]) -> Any:
    """Build the adapter that `params[port]` names.

    Raises:
        ConfigError: its target lies outside this package and every installed plug-in,
            or one of its keys is unknown, missing, of another type or out of range.
    """
    where = f"conf: {port}"
    fields = params.get(port)
    if not isinstance(fields, dict) or not isinstance(fields.get("_target_"), str):
        raise ConfigError(where, expected="a mapping with _target_", got=repr(fields))
    target: str = fields["_target_"]
    module, _, name = target.rpartition(".")
    if not _offered(module, port):
        raise ConfigError(
            f"{where}._target_",
            expected=f"a class below pipeline.adapters.{port}s or of an installed plug-in",
            got=repr(target),
        )
    try:
        cls = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ConfigError(
            f"{where}._target_",
            expected="an adapter that can be imported",
            got=f"{target} ({error})",
        ) from error
    if not (isinstance(cls, type) and dataclasses.is_dataclass(cls)):
        raise ConfigError(f"{where}._target_", expected="an adapter class", got=repr(target))
    return build(cls, {k: v for k, v in fields.items() if k != "_target_"}, where)


def describe(built: Any) -> dict[str, Any]:
    """Name and settings of an adapter, as they enter manifests; where data lie is left out."""
    fields = {f.name: getattr(built, f.name) for f in dataclasses.fields(built) if f.name != "path"}
    cls = type(built)
    return {"adapter": f"{cls.__module__}.{cls.__qualname__}", **fields}


def build(
    cls: type[Built], fields: dict[str, Any], where: str, *, also: frozenset[str] = frozenset()
) -> Built:
    """Build a dataclass from plain values, strictly: no unknown key, no conversion.

    `also` names keys that are legal elsewhere, for the hint at a typing error.
    """
    hints = get_type_hints(cls, include_extras=True)
    known = {f.name: hints[f.name] for f in dataclasses.fields(cls)}  # type: ignore[arg-type]
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
            raise ConfigError(place, expected="a value", got="no such key")
        values[key] = _value(hint, fields[key], place)
    return cls(**values)


def _value(hint: Any, value: Any, place: str) -> Any:
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        if not isinstance(value, dict):
            raise ConfigError(place, expected="a mapping", got=repr(value))
        return build(hint, value, place)
    try:
        return msgspec.convert(value, hint, strict=True)
    except msgspec.ValidationError as error:
        raise ConfigError(place, expected=_expected(hint, str(error)), got=repr(value)) from error


def _expected(hint: Any, message: str) -> str:
    choices = [
        str(c) for part in _parts(hint) for c in getattr(part, "__args__", ()) if _is_literal(part)
    ]
    bounds = [
        m for part in _parts(hint) for m in getattr(part, "__metadata__", ()) if isinstance(m, Meta)
    ]
    if choices:
        return "one of " + ", ".join(choices)
    for meta in bounds:
        if meta.ge is not None and meta.le is not None:
            return f"a whole number from {meta.ge} to {meta.le}"
        if meta.ge is not None:
            return f"a whole number, {meta.ge} or more"
    found = re.search(r"Expected (.*?)(, got .*)?$", message)
    return (found.group(1) if found else message).replace("`", "")


def _parts(hint: Any) -> tuple[Any, ...]:
    args = getattr(hint, "__args__", ())
    return (hint, *args) if hasattr(hint, "__args__") and not _is_literal(hint) else (hint,)


def _is_literal(hint: Any) -> bool:
    return getattr(hint, "__origin__", None) is Literal


def _offered(module: str, port: str) -> bool:
    if module.startswith(f"pipeline.adapters.{port}s."):
        return True
    return any(module == point.module for point in entry_points(group=PLUGINS))
