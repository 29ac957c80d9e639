"""Score every response and average the scores.

Reads   freeze/*, chunk/chunks, rerank/ranking, answer/answers, judge/statements,
        judge/verdicts
Writes  score/per_question, score/judged, score/aggregates (Parquet and CSV),
        score/metrics.json, score/points.json, score/slices.json, score/identity.json; a line
        in the ledger where held-out questions are opened
"""

import dataclasses
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.contract.files import canonical, read_json, replacing, write_json
from pipeline.contract.results import Aggregates, Judged, PerQuestion, present
from pipeline.contract.streamed import Stored, write_parts
from pipeline.contract.tables import (
    RESPONSE_KEY,
    Answers,
    Chunks,
    Claims,
    Documents,
    Evidence,
    Found,
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
from pipeline.scoring.aggregates import Averages, summary
from pipeline.scoring.blocks import Source
from pipeline.scoring.curves import curves
from pipeline.scoring.grounding import grounded_set, grounds
from pipeline.scoring.intervals import Ends, intervals
from pipeline.scoring.judged import judged
from pipeline.scoring.points import points
from pipeline.scoring.totals import Totals, average, scored, together
from pipeline.settings import Rubric


def run(
    data: Path,
    *,
    cutoff: int,
    budget: int | None,
    rubric: Rubric,
    reason: str | None,
    seed: int,
) -> str:
    """Score the run; return one line on what came out.

    Args:
        data: the data folder, with every stage up to `judge` done.
        cutoff: k, how many ranked chunks are the visible context; not used under a budget.
        budget: units of the context, by which the stage `answer` delivered; null: by `cutoff`.
        rubric: the scoring rules.
        reason: why held-out questions are opened; needed for every split but `dev`.
        seed: of the draws that the intervals of the means come from.
    """
    frozen = read_json(data / "freeze" / "manifest.json")
    cut = cutoff if budget is None else None  # a budget takes its place
    settings = {
        "cutoff": cut, "budget": budget, "rubric": dataclasses.asdict(rubric), "seed": seed
    }  # fmt: skip
    identity = identify(data, settings)
    source = opened(data)
    bounded = rubric.unresolved != "exclude"
    totals = Totals(Averages(bounded))
    values = scored(
        source,
        totals,
        cutoff=cut,
        policy=rubric.unresolved,
        with_claims=frozen["question_set"]["claims"],
        overlap=rubric.overlap,
    )
    ruled = rulings(data)
    systems = {system for system, _ in source.units}  # and whether the tables fit together

    if frozen["split"] != "dev":
        record(data, identity, reason or "")
    with replacing(data / "score") as folder:
        write_parts(folder, PerQuestion, values)
        if not together(source):
            stored = Stored.of(folder, PerQuestion, PerQuestion.columns)
            average(source, stored, totals.averages)
        write(folder, Judged, ruled)
        averages, ends = _averages(data, totals.averages, ruled, bounded=bounded, seed=seed)
        write(folder, Aggregates, averages)
        averages.write_csv(folder / "aggregates.csv")
        (folder / "metrics.json").write_text(canonical(summary(averages)) + "\n", encoding="utf-8")
        curve = points(ends, totals.contexts, averages, told(data) | settings)
        write_json(folder / "points.json", curve)
        write_json(folder / "slices.json", curves(averages))
        write_json(folder / "identity.json", identity)
        write_json(folder / "settings.json", settings)
    questions = source.questions.size
    return f"{totals.responses:,} responses of {len(systems)} systems to {questions:,} questions"


def _averages(
    data: Path, of_values: Averages, ruled: pl.DataFrame, *, bounded: bool, seed: int
) -> tuple[pl.DataFrame, dict[tuple[str, str], Ends]]:
    """Aggregates of PerQuestion, and of Judged where there is something in it; intervals."""
    averages, ends = of_values.table(), intervals(of_values, seed=seed)
    metrics = present(ruled)
    if not metrics:
        return averages, ends
    more = Averages(bounded, metrics)
    more.add(ruled, read(data / "freeze", Questions, ["attributes"])["attributes"])
    ends |= intervals(more, seed=seed, metrics=metrics)
    return check(Aggregates, pl.concat([averages, more.table()]).sort(Aggregates.key)), ends


def rulings(data: Path) -> pl.DataFrame:
    """Judged; its tables are held whole, unless there is nothing to rule on."""
    verdicts = read(data / "judge", Verdicts)
    questions = pl.scan_parquet(data / "freeze" / "questions.parquet")
    if verdicts.is_empty() and not grounded_set(questions):
        return Judged.empty()
    asked = read(data / "freeze", Questions, ["question_id", "labelled", "attributes"])
    relevance = read(data / "freeze", Relevance, ["question", "doc", "yes", "votes"])
    return judged(
        verdicts,
        read(data / "answer", Answers, [*RESPONSE_KEY, "status"]),
        read(data / "judge", Statements, [*RESPONSE_KEY, "judged", "citations"]),
        asked["question_id"],
        grounds(asked, relevance),
    )


def told(data: Path) -> dict[str, Any]:
    """What the stages before were told that points of a curve can stand against."""
    chunker = read_json(data / "chunk" / "settings.json")["chunker"]
    module = chunker["adapter"].split(".")[-2]
    depth = read_json(data / "retrieve" / "settings.json").get("depth")
    return {**chunker, "chunker": module, "depth": depth}


def opened(data: Path) -> Source:
    """Name what scoring needs, and nothing else, of the tables of the stages before."""
    freeze, key = data / "freeze", RESPONSE_KEY
    judge = (*key, "judged", "claims", "cited", "citations", "chunks")
    marks = ("question", "doc", "claim", "annotator", "grade", "start", "end")
    labels = ("question", "doc", "yes", "votes")
    asked = ("question_id", "labelled", "caller_groups", "attributes")
    return Source(
        documents=read(freeze, Documents, ["doc_id", "access_groups"]),
        chunks=read(data / "chunk", Chunks, ["doc", "start", "end"]),
        found=read(data / "chunk", Found, ["start", "end"]),
        questions=Stored.of(freeze, Questions, asked),
        claims=Stored.of(freeze, Claims, ("claim", "question")),
        relevance=Stored.of(freeze, Relevance, labels),
        support=Stored.of(freeze, Support, Support.columns),
        evidence=Stored.of(freeze, Evidence, marks),
        ranking=Stored.of(data / "rerank", Ranking, (*key, "chunks")),
        answers=Stored.of(data / "answer", Answers, (*key, "status", "context")),
        statements=Stored.of(data / "judge", Statements, judge),
    )
