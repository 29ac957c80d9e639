"""Compose conf/ into params.yaml, check it, and hash the inputs.

Reads   conf/, params.yaml, compose/base.yaml (what was composed last), the data set's files,
        the decisions of people that the judge reads
Writes  params.yaml, compose/inputs.json, compose/baseline.json, compose/ledger.json,
        compose/decisions.json,
        compose/base.yaml; a line in data/policies.jsonl for an acceptance policy that was
        never seen before

DVC never composes on `repro`, so this stage always runs. Between what was composed last,
params.yaml and conf/ now it merges key by key: what only conf/ changed is taken, what only
params.yaml changed (by hand, by `dvc exp run -S`, by `dvc exp apply`) is kept and named,
what both changed is refused.
"""

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

import yaml

from pipeline.contract.errors import ConfigError
from pipeline.contract.files import read_json, replacing, root, write_json
from pipeline.contract.ports import OfPeople
from pipeline.manifest.policies import record
from pipeline.settings import PORTS, acceptance, adapter, settings
from pipeline.settings.adapters import PLACES
from pipeline.settings.merge import flat, merge, nested, overrides
from pipeline.settings.together import check_together
from pipeline.sides import heldout
from pipeline.sides.pinned import pin

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
    digest = _digest([CONF, Path(__file__).parent.parent, PARAMS, base_file])
    seen = _seen(seen_file)
    if digest == seen.get("digest"):
        _write_inputs(data, seen["places"])
        params = read_yaml(PARAMS)
        pin(data, params)
        heldout.pin(data, params)
        _record(seen["policy"])
        _write_decisions(data, params if seen["people"] else None)
        return str(seen["line"])

    conf = composed(CONF, [])
    params = read_yaml(PARAMS) if PARAMS.is_file() else conf
    if "DVC_EXP_NAME" in os.environ:
        base = conf  # DVC has just composed params.yaml itself, overrides included
    else:
        base = read_yaml(base_file) if base_file.is_file() else conf
    merged = nested(merge(flat(base), flat(params), flat(conf)))

    validate(merged)
    where = places(merged)
    _write_inputs(data, where)
    pin(data, merged)
    heldout.pin(data, merged)
    policy = _policy(merged)
    _record(policy)
    people = _write_decisions(data, merged)
    line = "; ".join(overrides(flat(conf), flat(merged)))
    write_params(merged, conf, base_file)
    after = _digest([CONF, Path(__file__).parent.parent, PARAMS, base_file])
    noted = {"line": line, "places": where, "policy": policy, "people": people}
    write_json(seen_file, {"digest": after, **noted})
    return line


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


def places(params: dict[str, Any]) -> dict[str, str]:
    """Where the data set's files lie, by the key of its adapter that says so."""
    dataset = params["dataset"]
    return {key: dataset[key] for key in PLACES if dataset.get(key) is not None}


def hashed(path: str, key: str = "path") -> list[dict[str, Any]]:
    """Hash every file at `path` (a file, or a folder with what lies below it).

    Returns:
        Name relative to `path`, SHA-256 and length of each file, sorted by name; hidden
        files are left out.

    Raises:
        ConfigError: nothing is there, or some of it cannot be read.
    """
    where = f"conf: dataset.{key}"
    try:
        top = root() / Path(path).expanduser()
        if not path.strip() or not top.exists():
            raise ConfigError(
                where,
                expected="a folder or file that exists",
                got=path if path.strip() else repr(path),
            )
        files = [top] if top.is_file() else sorted(_visible(top))
        return [
            _hash(file, file.name if file == top else file.relative_to(top).as_posix())
            for file in files
        ]
    except (OSError, RuntimeError, ValueError) as error:  # no right, too long, no such user
        got = " ".join(str(error).split())
        raise ConfigError(where, expected="files that can be read", got=got) from error


def _hash(file: Path, name: str) -> dict[str, Any]:
    with file.open("rb") as stream:
        digest = file_digest(stream, "sha256").hexdigest()
    return {"name": name, "sha256": digest, "bytes": file.stat().st_size}


def _visible(folder: Path) -> Iterator[Path]:
    for entry in folder.rglob("*"):
        parts = entry.relative_to(folder).parts
        if entry.is_file() and not any(part.startswith(".") for part in parts):
            yield entry


def _write_inputs(data: Path, where: dict[str, str]) -> None:
    files = {"files" if key == "path" else key: hashed(path, key) for key, path in where.items()}
    write_json(data / "compose" / "inputs.json", files)


def _policy(params: dict[str, Any]) -> list[str] | None:
    """Name and hash of the acceptance policy; None where nothing is demanded."""
    policy = acceptance(params)
    return [policy.policy, policy.hash] if policy.judges else None


def _record(policy: list[str] | None) -> None:
    if policy is not None:
        name, digest = policy
        record(name, digest, datetime.now(UTC))


def _write_decisions(data: Path, params: dict[str, Any] | None) -> bool:
    """Write the hash of what people have decided; return whether the judge reads any of it."""
    judge = adapter("judge", params) if params else None
    people = isinstance(judge, OfPeople)
    write_json(
        data / "compose" / "decisions.json",
        {"decisions": judge.decided() if isinstance(judge, OfPeople) else None},
    )
    return people


def _digest(paths: Sequence[Path]) -> str:
    """Hash the sources that decide what this stage does: YAML and Python, by name."""
    total = sha256()
    for path in paths:
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.suffix in {".yaml", ".py"} and file.is_file():
                total.update(f"{file.as_posix()}\0".encode() + file.read_bytes() + b"\0")
    return total.hexdigest()
