"""Compose conf/ into params.yaml, check it, and hash the inputs.

Reads   conf/, params.yaml, compose/base.yaml (what was composed last), the data set's files,
        the decisions of people that the judge reads, and people's labels, to which a judge
        is held
Writes  params.yaml, compose/base.yaml; hashes of what a run depends on:
        compose/inputs.json, compose/baseline.json, compose/ledger.json,
        compose/decisions.json, compose/people.json; a line in data/policies.jsonl for an
        acceptance policy that was never seen before

DVC never composes on `repro`, so this stage always runs. Between what was composed last,
params.yaml and conf/ now it merges key by key: what only conf/ changed is taken, what only
params.yaml changed (by hand, by `dvc exp run -S`, by `dvc exp apply`) is kept and named,
what both changed is refused.
"""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

from pipeline.contract.errors import ConfigError
from pipeline.contract.files import read_json, replacing, write_json
from pipeline.contract.ports import OfPeople
from pipeline.manifest.policies import record
from pipeline.rulings import pinned as people
from pipeline.settings import PORTS, acceptance, adapter, settings
from pipeline.settings.merge import flat, merge, nested, overrides
from pipeline.settings.places import hashed, places
from pipeline.settings.together import check_together
from pipeline.sides import heldout
from pipeline.sides import pinned as baseline

CONF, PARAMS = Path("conf"), Path("params.yaml")
IGNORED_BY_DVC = {"size", "nfiles"}
"""Names of keys whose changes DVC's run-cache does not see: results would be stale."""


def run(data: Path) -> str:
    """Merge, validate and write; return one line for each override of conf/.

    Raises:
        ConfigError: a key was changed on both sides, or a key or value is not allowed.
        DataError: a line of data/policies.jsonl is not one that was written there.
    """
    base_file = data / "compose" / "base.yaml"
    seen_file = data / "compose" / "seen.json"
    sources = [CONF, Path(__file__).parent.parent, PARAMS, base_file]
    noted = _seen(seen_file)
    if _digest(sources) == noted.get("digest"):
        _pin(data, read_yaml(PARAMS), noted)
        return str(noted["line"])

    conf = composed(CONF, [])
    params = _merged(conf, base_file)
    validate(params)
    noted = {
        "line": "; ".join(overrides(flat(conf), flat(params))),
        "places": places(params),
        "policy": _policy(params),
        "people": isinstance(adapter("judge", params), OfPeople),
    }
    _pin(data, params, noted)
    write_params(params, conf, base_file)
    write_json(seen_file, {"digest": _digest(sources), **noted})
    return str(noted["line"])


def _merged(conf: dict[str, Any], base_file: Path) -> dict[str, Any]:
    """What params.yaml has to say now; without one, what conf/ says."""
    params = read_yaml(PARAMS) if PARAMS.is_file() else conf
    if "DVC_EXP_NAME" in os.environ:
        base = conf  # DVC has just composed params.yaml itself, overrides included
    else:
        base = read_yaml(base_file) if base_file.is_file() else conf
    return nested(merge(flat(base), flat(params), flat(conf)))


def _pin(data: Path, params: dict[str, Any], noted: dict[str, Any]) -> None:
    """Write down how all stands that this run depends on and that lies outside of its stages.

    Args:
        data: the data folder.
        params: the whole configuration.
        noted: of it `places`, `policy` and whether the judge is `people`: none of them has to
            be worked out again where nothing was changed.
    """
    found = {
        "files" if key == "path" else key: hashed(at, key) for key, at in noted["places"].items()
    }
    write_json(data / "compose" / "inputs.json", found)
    baseline.pin(data, params)
    heldout.pin(data, params)
    people.pin(data)
    judge = adapter("judge", params) if noted["people"] else None
    decisions = judge.decided() if isinstance(judge, OfPeople) else None
    write_json(data / "compose" / "decisions.json", {"decisions": decisions})
    if noted["policy"] is not None:
        name, digest = noted["policy"]
        record(name, digest, datetime.now(UTC))


def _encodable(value: Any) -> bool:
    """Whether a value can be written at all: words of another encoding hold half characters."""
    if isinstance(value, list | dict):
        return all(map(_encodable, value.values() if isinstance(value, dict) else value))
    try:
        str(value).encode()
    except UnicodeEncodeError:
        return False
    return True


def _seen(file: Path) -> dict[str, Any]:
    """What the last run of this stage noted; nothing where it was lost or broken."""
    try:
        return dict(read_json(file))
    except (OSError, ValueError, TypeError):
        return {}


def composed(conf: Path, choices: Sequence[str]) -> dict[str, Any]:
    """Compose `conf/config.yaml` with choices of groups (`group=name`) as plain values.

    Raises:
        ConfigError: the files do not compose; Hydra's message as one line.
    """
    from hydra import compose, initialize_config_dir
    from hydra.errors import HydraException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        with initialize_config_dir(str(conf.resolve()), version_base=None):
            config = compose("config", list(choices))
        plain = OmegaConf.to_container(config, resolve=True)
    except (HydraException, OmegaConfBaseException, yaml.YAMLError, ValueError) as error:
        line = " ".join(str(error).split())
        raise ConfigError("conf", expected="a configuration that composes", got=line) from error
    return dict(plain)  # type: ignore[arg-type]  # OmegaConf promises no type


def validate(params: dict[str, Any]) -> None:
    """Check every key, value, adapter, and that the data are there.

    Raises:
        ConfigError: naming the first that is not right.
    """
    for key, value in flat(params).items():
        name = ".".join(key)
        if IGNORED_BY_DVC & set(key):
            raise ConfigError(f"conf: {name}", expected="a key that DVC sees", got="size or nfiles")
        if value == "???":
            raise ConfigError(
                f"conf: {name}", expected="a value", got="none", remedy=f"add {name}=…"
            )
        if not (_encodable(name) and _encodable(value)):
            raise ConfigError(f"conf: {name}", expected="text in UTF-8", got=ascii(value))
    typed = settings(params)
    for port in sorted(PORTS):
        adapter(port, params)
    check_together(typed, params)
    for place, path in places(params).items():
        hashed(path, place)


def write_params(params: dict[str, Any], conf: dict[str, Any], base_file: Path) -> None:
    """Write params.yaml and, after it, the composed conf/ that it was made from.

    In this order a process that dies between the two leaves a conflict that is refused,
    never an old value that passes for an override.
    """
    text = "# Composed from conf/ by the stage `compose`; see the README before editing.\n"
    for path, value in ((PARAMS, params), (base_file, conf)):
        body = yaml.safe_dump(value, sort_keys=True, allow_unicode=True)
        wanted = text + body
        if path.is_file() and path.read_text(encoding="utf-8") == wanted:
            continue
        with replacing(path) as temporary:
            temporary.write_text(wanted, encoding="utf-8")


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a YAML mapping.

    Raises:
        ConfigError: it is not there, no YAML, or no mapping.
    """
    try:
        value = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, IsADirectoryError) as error:
        remedy = "`python -m pipeline` writes it" if path == PARAMS else ""
        got = str(error.strerror).lower()
        raise ConfigError(str(path), expected="a file", got=got, remedy=remedy) from error
    except (yaml.YAMLError, ValueError) as error:
        line = " ".join(str(error).split())
        raise ConfigError(str(path), expected="YAML", got=line) from error
    if not isinstance(value, dict):
        raise ConfigError(str(path), expected="a mapping", got=type(value).__name__)
    return value


def _policy(params: dict[str, Any]) -> list[str] | None:
    """Name and hash of the acceptance policy; None where nothing is demanded."""
    policy = acceptance(params)
    return [policy.policy, policy.hash] if policy.judges else None


def _digest(paths: Sequence[Path]) -> str:
    """Hash the sources that decide what this stage does: YAML and Python, by name."""
    total = sha256()
    for path in paths:
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.suffix in {".yaml", ".py"} and file.is_file():
                total.update(f"{file.as_posix()}\0".encode() + file.read_bytes() + b"\0")
    return total.hexdigest()
