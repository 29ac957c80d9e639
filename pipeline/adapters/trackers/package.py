"""Everything that is logged of one system, made ready before the store is touched."""

from dataclasses import dataclass
from pathlib import Path
from shutil import copy2
from typing import Any

from pipeline.adapters.trackers import payload
from pipeline.adapters.trackers.beside import digest, place, verdict
from pipeline.adapters.trackers.bundle import bundle
from pipeline.adapters.trackers.traces import Trace, traces
from pipeline.contract.files import canonical, read_json
from pipeline.contract.results import Aggregates, Judged, PerQuestion
from pipeline.contract.tables import Answers, Questions, Statements, read
from pipeline.contract.veil import Content, veiled

REPORT = "report.html"
"""The comparison as a page, whose texts are veiled already."""

DIGEST = 12
"""Digits of a content hash that name it; MLflow would take 36, and shows them all."""


@dataclass(frozen=True)
class Package:
    """One run to be; `folder` holds its files, without the manifest."""

    name: str
    manifest: dict[str, Any]
    tags: dict[str, str]
    params: dict[str, str]
    metrics: dict[str, float]
    datasets: dict[str, dict[str, str]]
    table: dict[str, list[Any]]
    traces: list[Trace]
    folder: Path


def pack(
    data: Path,
    manifest: dict[str, Any],
    params: dict[str, Any],
    content: Content,
    limit: int,
    folder: Path,
) -> Package:
    """Read what the stages left of one system, and veil it as `content` says.

    Args:
        data: the data folder with every stage up to `score` done.
        manifest: the run manifest of the system.
        params: the whole configuration.
        content: how much of the texts to show.
        limit: most traces.
        folder: an empty folder for the run's files.
    """
    system = manifest["system"]
    scored = veiled(read(data / "score", PerQuestion).filter(system=system), content)
    judged = read(data / "score", Judged).filter(system=system)
    aggregates = read(data / "score", Aggregates).filter(system=system)
    questions = veiled(read(data / "freeze", Questions, ["question", "text"]), content)
    answers = veiled(read(data / "answer", Answers).filter(system=system), content)
    statements = veiled(read(data / "judge", Statements).filter(system=system), content)
    bundle(data, system, content, params["cutoff"], folder)
    if where := place(manifest):
        (folder / where).mkdir(parents=True)
        copy2(data / "compare" / REPORT, folder / where / REPORT)
    return Package(
        name=_name(manifest, params),
        manifest=manifest,
        tags={
            **payload.tags(manifest, content),
            "beside": digest(manifest),
            **verdict(manifest),
            "mlflow.note.content": payload.note(manifest, aggregates),
        },
        params=payload.params(params, system),
        metrics={
            **payload.metrics(aggregates, manifest, content),
            **payload.of_points(read_json(data / "score" / "points.json"), system),
        },
        datasets={
            "questions": _dataset(manifest["question_set"], "questions"),
            "corpus": _dataset(manifest["corpus"], "documents"),
        },
        table=payload.table(scored, questions, answers, statements, judged),
        traces=traces(
            data, system, content, limit=limit, seed=params["seed"], cutoff=params["cutoff"]
        ),
        folder=folder,
    )


def _name(manifest: dict[str, Any], params: dict[str, Any]) -> str:
    """A run's name: the system, how it cuts, how much it is given, and on what questions."""
    chunker = params["chunker"]
    kind = chunker["_target_"].split(".")[-2]
    cut = f" {kind} {chunker['chunk_size']}" if "chunk_size" in chunker else ""
    held = f"k={params['cutoff']}"
    if params["budget"] is not None:
        held = f"{params['budget']} {params['rubric']['tokenizer']}"
    questions = f"{manifest['question_set']['name']} {manifest['split']}"
    return f"{manifest['system']}{cut} {held} · {questions}"


def _dataset(frozen: dict[str, Any], what: str) -> dict[str, str]:
    """A frozen set as MLflow's Dataset: its digest is the start of its content hash."""
    terms = {key: frozen[key] for key in ("licence", "authorisation", "retention")}
    rows = frozen.get("documents") or frozen["counts"]["questions"]
    return {
        "name": f"{frozen['name']} {frozen['version']} ({what})",
        "digest": frozen["content"][:DIGEST],
        "source_type": "rag-assay",
        "source": canonical({"content": frozen["content"], **terms}),
        "profile": canonical({f"num_{what}": rows}),
    }
