"""Whether a folder holds whole results, looked at before anything of it is compared."""

from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from pipeline.contract.errors import ConfigError, DataError
from pipeline.contract.files import read_json
from pipeline.contract.results import Aggregates, Judged, PerQuestion, Ranked
from pipeline.contract.tables import (
    Answers,
    Chunks,
    Claims,
    Documents,
    Evidence,
    Questions,
    Ranking,
    Relevance,
    Statements,
    Support,
    Table,
    Usage,
    Verdicts,
    read,
)
from pipeline.sides.documents import Frozen, Identity, Ruled, Settings, System

STAGES = ("freeze", "chunk", "retrieve", "rerank", "answer", "judge", "score")
"""Folders of a side; those of a run in MLflow are the same."""

TABLES: dict[str, tuple[Table, ...]] = {
    "freeze": (Questions, Documents, Claims, Relevance, Support, Evidence),
    "chunk": (Chunks,),
    "rerank": (Ranking,),
    "answer": (Answers, Usage),
    "judge": (Statements, Verdicts),
    "score": (PerQuestion, Judged, Aggregates),
}
"""What a comparison and its report read; of a side that was asked for cutoffs Ranked too."""

WANTED = "the results of a finished run (freeze to score)"
REMEDY = "`python -m pipeline` makes them in data/"


def identity(folder: Path, spec: str) -> dict[str, Any]:
    """Return score/identity.json of a folder that has the results of every stage.

    Raises:
        ConfigError: the folder, a stage or the file is not there, or it is not such a file.
    """
    missing = [stage for stage in STAGES if not (folder / stage).is_dir()]
    if missing:
        got = f"no {', '.join(missing)} in {folder}" if folder.is_dir() else f"no folder {folder}"
        raise ConfigError(spec, expected=WANTED, got=got, remedy=REMEDY)
    path = folder / "score" / "identity.json"
    return _of_kind(_document(path, spec), Identity, path, spec)


def whole(folder: Path, system: str, spec: str) -> None:
    """Make sure that one system's results are there and hold together.

    Raises:
        ConfigError: a file is not there, is broken, or does not go with the others.
    """
    path = folder / "score" / "identity.json"
    _of_kind(_document(path, spec)["systems"][system], System, path, spec)
    path = folder / "score" / "settings.json"
    scoring = _of_kind(_document(path, spec), Settings, path, spec)
    path = folder / "judge" / "settings.json"
    _of_kind(_document(path, spec), Ruled, path, spec)
    path = folder / "freeze" / "manifest.json"
    frozen = _of_kind(_document(path, spec), Frozen, path, spec)
    _tables(folder, spec)
    if scoring.get("cutoffs"):
        _table(folder / "score", Ranked, spec)
    documents = read(folder / "freeze", Documents, ["doc"]).height
    if documents != frozen["corpus"]["documents"]:
        found = f"{documents:,} documents where its manifest has {frozen['corpus']['documents']:,}"
        raise _fault(spec, f"{folder / 'freeze'}: {found}")
    asked = read(folder / "freeze", Questions, ["question_id"])["question_id"]
    scored = read(folder / "score", PerQuestion, ["system", "repeat", "question_id"])
    repeats = scored.filter(system=system).partition_by("repeat")
    if not repeats:
        raise _fault(spec, f"no scores of {system} in {folder / 'score'}")
    for rows in repeats:
        apart = sorted(set(rows["question_id"]) ^ set(asked))
        if apart or len(rows) != len(asked):
            named = ", ".join(apart[:5]) or "one twice"
            raise _fault(spec, f"scores of {system} over other questions than its own ({named})")
    for stage, table in (("rerank", Ranking), ("answer", Answers), ("judge", Statements)):
        rows = read(folder / stage, table, ["system"]).filter(system=system)
        shared = table is Ranking and len(rows) == len(asked)  # by repeats of the answer alone
        if len(rows) != len(repeats) * len(asked) and not shared:
            got = f"{len(rows):,} rows of {system} in {stage}/{table.name}"
            raise _fault(spec, f"{got} where {len(repeats) * len(asked):,} were scored")


def _tables(folder: Path, spec: str) -> None:
    for stage, tables in TABLES.items():
        for table in tables:
            _table(folder / stage, table, spec)


def _table(folder: Path, table: Table, spec: str) -> None:
    try:
        read(folder, table, [next(iter(table.columns))])
        _declared(folder / f"{table.name}.parquet", table)
    except DataError as error:
        fault = error.faults[0]
        column = f" column {fault.id}:" if fault.id else ""
        raise _fault(spec, f"{fault.file}:{column} {fault.got}") from error


def _declared(path: Path, table: Table) -> None:
    """Look at all columns by name and type without reading them."""
    found = pl.read_parquet_schema(path)
    if dict(found) != dict(table.schema):
        read(path.parent, table)  # which says what is not right


def _document(path: Path, spec: str) -> Any:
    try:
        return read_json(path)
    except (FileNotFoundError, IsADirectoryError) as error:
        raise _fault(spec, f"no file {path}") from error
    except (ValueError, RecursionError) as error:
        raise _fault(spec, f"{path}: {' '.join(str(error).split())}") from error


def _of_kind(found: Any, kind: type[msgspec.Struct], path: Path, spec: str) -> dict[str, Any]:
    try:
        msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        raise _fault(spec, f"{path}: {error}") from error
    return dict(found)


def _fault(spec: str, got: str) -> ConfigError:
    remedy = "make them anew: python -m pipeline"
    return ConfigError(spec, expected=WANTED, got=got, remedy=remedy)
