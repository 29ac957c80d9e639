"""Sides in a folder that is laid out as the data folder is."""

from pathlib import Path
from typing import Any

from pipeline.contract import CONTRACT_VERSION
from pipeline.contract.errors import ConfigError, nearest
from pipeline.contract.files import read_json
from pipeline.contract.sides import Side
from pipeline.manifest import scored
from pipeline.manifest.run import filename
from pipeline.manifest.scored import stamped
from pipeline.sides.whole import identity, whole


def one_in(folder: Path, spec: str, system: str | None, *, seen: str | None = None) -> Side:
    """Return one system's side of a folder.

    Args:
        folder: with the results of the stages `freeze` to `score`.
        spec: how it was asked for, without the system.
        system: its name; None: the only one there is.
        seen: when its numbers were first seen, where the place itself says so.

    Raises:
        ConfigError: no such system, or several and none was named; or its results are not
            whole.
    """
    systems = names_in(folder, spec)
    if system is None:
        if len(systems) > 1:
            raise ConfigError(
                spec,
                expected="one system, or the name of one",
                got=f"{len(systems)}: {', '.join(systems)}",
                remedy=f"name it after a #: {spec}#{systems[0]}",
            )
        system = systems[0]
    elif system not in systems:
        raise ConfigError(
            spec,
            expected=f"one of its systems ({', '.join(systems)})" + nearest(system, systems),
            got=repr(system),
        )
    whole(folder, system, spec)
    known = identity(folder, spec)["systems"][system]
    manifest = _manifest(folder, system, known["fingerprint"])
    times = (seen, manifest.get("time"), scored.known(known["fingerprint"]))
    return Side(
        name=system,
        spec=spec,
        system=system,
        folder=folder,
        fingerprint=known["fingerprint"],
        parts=known["parts"],
        scored_at=min(filter(None, times), default=None),
        run_id=manifest.get("run_id"),
    )


def names_in(folder: Path, spec: str) -> list[str]:
    """Names of the systems that a folder holds scores of, in order.

    Raises:
        ConfigError: it holds none, or those of another contract version, whose tables may
            mean something else.
    """
    found = identity(folder, spec)
    if found["contract_version"] != CONTRACT_VERSION:
        raise ConfigError(
            spec,
            expected=f"scores under contract {CONTRACT_VERSION}",
            got=f"contract {found['contract_version']}",
            remedy="score it again with this version: python -m pipeline",
        )
    return sorted(found["systems"])


def _manifest(folder: Path, system: str, fingerprint: str) -> dict[str, Any]:
    """The run manifest beside the results, if it is of the same ones."""
    for path in (folder / "manifest.json", folder / "track" / filename(system)):
        try:
            found = dict(read_json(path))
        except (OSError, ValueError, TypeError):  # not there, or nothing that we wrote
            continue
        if found.get("fingerprint") == fingerprint and stamped(found.get("time")):
            return found
    return {}
