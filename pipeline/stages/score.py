"""Score every response and average the scores.

Reads   freeze/*, chunk/chunks, rerank/ranking, answer/answers, judge/statements,
        judge/verdicts
Writes  score/per_question, score/judged, score/silences, score/ranked, score/aggregates
        (Parquet and CSV), score/metrics.json, score/points.json, score/slices.json,
        score/identity.json, score/judged_at_k.json (empty unless a question says what was
        looked at); a line in the ledger where held-out questions are opened
"""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.contract.files import canonical, read_json, replacing, write_json
from pipeline.contract.repeats import answered
from pipeline.contract.results import Aggregates, Judged, PerQuestion, Ranked, Silences, present
from pipeline.contract.tables import (
    RESPONSE_KEY,
    Answers,
    Chunks,
    Claims,
    Documents,
    Evidence,
    Found,
    LookedAt,
    Questions,
    Ranking,
    Relevance,
    Statements,
    Support,
    Verdicts,
    check,
    read,
    write,
)
from pipeline.manifest.identity import identify
from pipeline.manifest.ledger import record
from pipeline.scoring.aggregates import aggregate, over_cutoffs, summary
from pipeline.scoring.curves import curves
from pipeline.scoring.frozen import Tables
from pipeline.scoring.grounding import grounds
from pipeline.scoring.judged import judged
from pipeline.scoring.points import points
from pipeline.scoring.pooled_labels import judged_at
from pipeline.scoring.pooled_labels import summary as looked_at
from pipeline.scoring.ranked import ranked
from pipeline.scoring.silences import silences
from pipeline.scoring.values import score
from pipeline.settings import Rubric


def run(
    data: Path,
    *,
    cutoff: int,
    budget: int | None,
    rubric: Rubric,
    reason: str | None,
    seed: int,
    cutoffs: Sequence[int] | None = None,
) -> str:
    """Score the run; return one line on what came out.

    Args:
        data: the data folder, with every stage up to `judge` done.
        cutoff: k, how many ranked chunks are the visible context; not used under a budget.
        budget: units of the context, by which the stage `answer` delivered; null: by `cutoff`.
        rubric: the scoring rules.
        reason: why held-out questions are opened; needed for every split but `dev`.
        seed: of the draws that the intervals of the means come from.
        cutoffs: every k at which rankings are measured beside that; null: none, or, where
            documents share scores that decide their order, `cutoff`.
    """
    frozen = read_json(data / "freeze" / "manifest.json")
    cut = cutoff if budget is None else None  # a budget takes its place
    settings: dict[str, Any] = {
        "cutoff": cut, "budget": budget, "rubric": dataclasses.asdict(rubric), "seed": seed
    }  # fmt: skip
    if cutoffs is not None:
        settings["cutoffs"] = sorted(set(cutoffs))
    identity = identify(data, settings)
    tables = read_tables(data)
    tied = by_scores(frozen, identity)

    values = score(
        tables,
        cutoff=cut,
        policy=rubric.unresolved,
        with_claims=frozen["question_set"]["claims"],
        overlap=rubric.overlap,
    )
    bounded = rubric.unresolved != "exclude"
    verdicts, ids = read(data / "judge", Verdicts), tables.questions["question_id"]
    known = grounds(tables.questions, tables.relevance, verdicts)
    ruled = judged(verdicts, tables.answers, tables.statements, ids, known)
    at = settings.get("cutoffs") or ([cutoff] if tied else [])
    rankings = Ranked.empty()
    if at:
        rankings = ranked(
            tables, cutoffs=at, policy=rubric.unresolved, overlap=rubric.overlap, tied=tied,
            with_claims=frozen["question_set"]["claims"],
        )  # fmt: skip
    attributes = tables.questions["attributes"]
    averages = _averages(values, ruled, rankings, attributes, bounded=bounded)
    curve = points(values, ruled, averages, told(data) | settings, bounded=bounded, seed=seed)

    if frozen["split"] != "dev":
        record(data, identity, reason or "")
    with replacing(data / "score") as folder:
        write(folder, PerQuestion, values)
        write(folder, Judged, ruled)
        write(folder, Silences, silences(verdicts, tables.statements, ids))
        write(folder, Ranked, rankings)
        write(folder, Aggregates, averages)
        averages.write_csv(folder / "aggregates.csv")
        (folder / "metrics.json").write_text(canonical(summary(averages)) + "\n", encoding="utf-8")
        write_json(folder / "points.json", curve)
        write_json(folder / "slices.json", curves(averages))
        write_json(folder / "judged_at_k.json", pooled(data, tables, cut))
        write_json(folder / "identity.json", identity)
        write_json(folder / "settings.json", settings)
    systems = values["system"].n_unique()
    return f"{len(values):,} responses of {systems} systems to {len(tables.questions):,} questions"


def _averages(
    values: pl.DataFrame, ruled: pl.DataFrame, rankings: pl.DataFrame, attributes: pl.Series, *,
    bounded: bool,
) -> pl.DataFrame:  # fmt: skip
    """Aggregates of PerQuestion, and of Judged and Ranked where there is something in them."""
    parts = [aggregate(values, attributes, bounded=bounded)]
    if metrics := present(ruled):
        parts.append(aggregate(ruled, attributes, bounded=bounded, metrics=metrics))
    parts += over_cutoffs(rankings, attributes, bounded=bounded)
    if len(parts) == 1:
        return parts[0]
    return check(Aggregates, pl.concat(parts).sort(Aggregates.key))


def by_scores(frozen: dict[str, Any], identity: dict[str, Any]) -> frozenset[str]:
    """The recorded systems whose order is that of their scores, some of which are tied."""
    found = set()
    for name, system in identity["systems"].items():
        parts = system["parts"]
        told_ = frozen["responses"].get(name, {}) if parts["responses_hash"] else {}
        untouched = parts["reranker"]["adapter"].endswith(".none.Unchanged")
        if told_.get("ties") and untouched:
            found.add(name)
    return frozenset(found)


def pooled(data: Path, tables: Tables, cutoff: int | None) -> dict[str, Any]:
    """Judged@k of each system; nothing where no question says what people looked at."""
    seen = read(data / "freeze", LookedAt)
    if seen.is_empty():
        return {}
    ranking = tables.ranking
    if cutoff is None:
        ranking = ranking.with_columns(tables.answers["context"].alias("chunks"))
    doc, questions = tables.chunks["doc"], tables.questions
    values = judged_at(ranking, doc, questions, tables.relevance, seen, cutoff=cutoff)
    return {"cutoff": cutoff, "systems": looked_at(values)}


def told(data: Path) -> dict[str, Any]:
    """What the stages before were told that points of a curve can stand against."""
    chunker = read_json(data / "chunk" / "settings.json")["chunker"]
    module = chunker["adapter"].split(".")[-2]
    depth = read_json(data / "retrieve" / "settings.json").get("depth")
    return {**chunker, "chunker": module, "depth": depth}


def read_tables(data: Path) -> Tables:
    """Read what scoring needs, and nothing else, of the tables of the stages before."""
    freeze = data / "freeze"
    key = list(RESPONSE_KEY)
    evidence = read(
        freeze, Evidence, ["question", "doc", "claim", "annotator", "grade", "start", "end"]
    )
    answers = read(data / "answer", Answers, [*key, "status", "context"])
    return Tables(
        documents=read(freeze, Documents, ["doc_id", "access_groups"]),
        questions=read(
            freeze, Questions, ["question_id", "labelled", "caller_groups", "attributes"]
        ),
        claims=read(freeze, Claims, ["question"]),
        relevance=read(freeze, Relevance),
        support=read(freeze, Support),
        evidence=evidence,
        chunks=read(data / "chunk", Chunks, ["doc", "start", "end"]),
        found=read(data / "chunk", Found, ["start", "end"]),
        ranking=answered(read(data / "rerank", Ranking), answers),
        answers=answers,
        statements=read(
            data / "judge",
            Statements,
            [*key, "judged", "claims", "cited", "citations", "chunks"],
        ),
    )
