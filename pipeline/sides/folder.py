"""Sides in a folder that is laid out as the data folder is."""

from json import JSONDecodeError
from pathlib import Path
from typing import Any

from pipeline.contract import CONTRACT_VERSION
from pipeline.contract.errors import ConfigError, nearest
from pipeline.contract.files import read_json
from pipeline.contract.sides import Side
from pipeline.manifest import scored
from pipeline.manifest.run import filename

STAGES = ("freeze", "chunk", "retrieve", "rerank", "answer", "judge", "score")
"""Folders of a side; those of a run in MLflow are the same."""


def one_in(folder: Path, spec: str, system: str | None, *, seen: str | None = None) -> Side:
    """Return one system's side of a folder.

    Args:
        folder: with the results of the stages `freeze` to `score`.
        spec: how it was asked for, without the system.
        system: its name; None: the only one there is.
        seen: when its numbers were first seen, where the place itself says so.

    Raises:
        ConfigError: no such system, or several and none was named.
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
    identity = _identity(folder, spec)["systems"][system]
    manifest = _manifest(folder, system, identity["fingerprint"])
    times = (seen, manifest.get("time"), scored.known(identity["fingerprint"]))
    return Side(
        name=system,
        spec=spec,
        system=system,
        folder=folder,
        fingerprint=identity["fingerprint"],
        parts=identity["parts"],
        scored_at=min(filter(None, times), default=None),
        run_id=manifest.get("run_id"),
    )


def names_in(folder: Path, spec: str) -> list[str]:
    """Names of the systems that a folder holds scores of, in order.

    Raises:
        ConfigError: it holds none, or those of another contract version, whose tables may
            mean something else.
    """
    identity = _identity(folder, spec)
    if identity["contract_version"] != CONTRACT_VERSION:
        raise ConfigError(
            spec,
            expected=f"scores under contract {CONTRACT_VERSION}",
            got=f"contract {identity['contract_version']}",
            remedy="score it again with this version: python -m pipeline",
        )
    return sorted(identity["systems"])


def _identity(folder: Path, spec: str) -> dict[str, Any]:
    missing = [stage for stage in STAGES if not (folder / stage).is_dir()]
    try:
        if not missing:
            return dict(read_json(folder / "score" / "identity.json"))
        got = f"no {', '.join(missing)} in {folder}" if folder.is_dir() else f"no folder {folder}"
    except (OSError, JSONDecodeError) as error:
        got = " ".join(str(error).split())
    raise ConfigError(
        spec, expected="the results of a finished run (freeze to score)", got=got,
        remedy="`python -m pipeline` makes them in data/",
    )  # fmt: skip


def _manifest(folder: Path, system: str, fingerprint: str) -> dict[str, Any]:
    """The run manifest beside the results, if it is of the same ones."""
    for path in (folder / "manifest.json", folder / "track" / filename(system)):
        try:
            found = dict(read_json(path))
        except (OSError, JSONDecodeError):
            continue
        if found.get("fingerprint") == fingerprint:
            return found
    return {}
