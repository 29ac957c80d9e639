"""What determined each side's numbers, side by side; what differs comes first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.contract.files import canonical
from pipeline.contract.sides import Side
from pipeline.contract.spelling import clean
from pipeline.manifest.public import public

OWN = ("system", "responses_hash", "verdicts_hash", "decisions_hash")
"""Parts that differ between any two systems: they are what is compared, not how."""


@dataclass(frozen=True)
class Part:
    """One setting or content hash with its value on each side.

    `kind` is `differs` (a setting in which sides differ), `compared` (it differs because it
    is what is compared) or `same`.
    """

    name: str
    kind: str
    values: list[str]


def manifests(sides: Sequence[Side]) -> list[Part]:
    """Set the parts of every side's fingerprint under dotted names, differing ones first."""
    flat = [_flat(public(side.parts)) for side in sides]
    names = sorted({name for part in flat for name in part})
    parts = [
        Part(
            clean(name),
            _kind(name, [part.get(name) for part in flat]),
            [clean(part.get(name, "—")) for part in flat],
        )
        for name in names
    ]
    return sorted(parts, key=lambda part: ("differs", "compared", "same").index(part.kind))


def _kind(name: str, values: list[str | None]) -> str:
    if len(set(values)) == 1:
        return "same"
    return "compared" if name in OWN else "differs"


def _flat(value: Any, name: str = "") -> dict[str, str]:
    if not isinstance(value, dict):
        return {name: value if isinstance(value, str) else canonical(value)}
    found: dict[str, str] = {}
    for key, item in value.items():
        found |= _flat(item, f"{name}.{key}" if name else str(key))
    return found
