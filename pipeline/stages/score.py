"""Score every response and average the scores.

Reads   freeze/*, chunk/chunks, rerank/ranking, answer/answers, judge/statements,
        judge/verdicts
Writes  score/per_question, score/judged, score/silences, score/ranked, score/aggregates
        (Parquet and CSV), score/metrics.json, score/points.json, score/slices.json,
        score/identity.json, score/judged_at_k.json (empty unless a question says what was
        looked at); a line in the ledger where held-out questions are opened
"""

import dataclasses
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.contract.cells import guarded
from pipeline.contract.files import canonical, read_json, replacing, write_json
from pipeline.contract.repeats import answered
from pipeline.contract.results import Aggregates, Judged, PerQuestion, Ranked, Silences, present
from pipeline.contract.streamed import Stored, write_parts
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
    Table,
    Verdicts,
    check,
    read,
    write,
)
from pipeline.manifest.identity import identify
from pipeline.manifest.ledger import record
from pipeline.scoring.aggregates import Averages, averages_at, summary
from pipeline.scoring.blocks import GROWING, Source
from pipeline.scoring.curves import curves
from pipeline.scoring.frozen import Tables
from pipeline.scoring.grounding import grounded_set, grounds
from pipeline.scoring.intervals import Ends, intervals, intervals_at
from pipeline.scoring.judged import judged
from pipeline.scoring.points import points
from pipeline.scoring.pooled_labels import judged_at
from pipeline.scoring.pooled_labels import summary as looked_at
from pipeline.scoring.ranked import ranked
from pipeline.scoring.silences import silences
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
    tied = by_scores(frozen, identity)
    at = settings.get("cutoffs") or ([cutoff] if tied else [])
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
    verdicts = read(data / "judge", Verdicts)
    ruled, silent = rulings(data, verdicts)
    rankings, at_k = _of_whole_tables(
        data, rubric, at, tied, cut, with_claims=frozen["question_set"]["claims"]
    )
    systems = {system for system, _ in source.units}  # and whether the tables fit together

    if frozen["split"] != "dev":
        record(data, identity, reason or "")
    with replacing(data / "score") as folder:
        write_parts(folder, PerQuestion, values)
        if not together(source):
            stored = Stored.of(folder, PerQuestion, PerQuestion.columns)
            average(source, stored, totals.averages)
        write(folder, Judged, ruled)
        write(folder, Silences, silent)
        write(folder, Ranked, rankings)
        averages, ends = _averages(
            data, totals.averages, ruled, rankings, bounded=bounded, seed=seed
        )
        write(folder, Aggregates, averages)
        guarded(averages).write_csv(folder / "aggregates.csv")
        (folder / "metrics.json").write_text(canonical(summary(averages)) + "\n", encoding="utf-8")
        curve = points(ends, totals.contexts, averages, told(data) | settings)
        write_json(folder / "points.json", curve)
        write_json(folder / "slices.json", curves(averages))
        write_json(folder / "judged_at_k.json", at_k)
        write_json(folder / "identity.json", identity)
        write_json(folder / "settings.json", settings)
    questions = source.questions.size
    return f"{totals.responses:,} responses of {len(systems)} systems to {questions:,} questions"


def _averages(
    data: Path,
    of_values: Averages,
    ruled: pl.DataFrame,
    rankings: pl.DataFrame,
    *,
    bounded: bool,
    seed: int,
) -> tuple[pl.DataFrame, dict[tuple[str, str], Ends]]:  # fmt: skip
    """Aggregates of PerQuestion, and of Judged and Ranked where there is something; intervals."""
    parts, ends = [of_values.table()], intervals(of_values, seed=seed)
    attributes = read(data / "freeze", Questions, ["attributes"])["attributes"]
    if metrics := present(ruled):
        more = Averages(bounded, metrics)
        more.add(ruled, attributes)
        parts.append(more.table())
        ends |= intervals(more, seed=seed, metrics=metrics)
    for means, names in averages_at(rankings, attributes, bounded=bounded):
        parts.append(means.table().with_columns(pl.col("metric").replace(names)))
        ends |= intervals_at(means, names, seed=seed)
    if len(parts) == 1:
        return parts[0], ends
    return check(Aggregates, pl.concat(parts).sort(Aggregates.key)), ends


def _of_whole_tables(
    data: Path, rubric: Rubric, cutoffs: Sequence[int], tied: frozenset[str], cutoff: int | None, *,
    with_claims: bool,
) -> tuple[pl.DataFrame, dict[str, Any]]:  # fmt: skip
    """Ranked and Judged@k, for which the tables are held whole; each empty if not asked for.

    Ranked is where there are cutoffs, Judged@k where a question says what people looked at.
    """
    seen = read(data / "freeze", LookedAt)
    if not cutoffs and seen.is_empty():
        return Ranked.empty(), {}
    tables = read_tables(data)
    rankings = Ranked.empty() if not cutoffs else ranked(
        tables, cutoffs=cutoffs, policy=rubric.unresolved, overlap=rubric.overlap, tied=tied,
        with_claims=with_claims, looked_at=seen,
    )  # fmt: skip
    return rankings, pooled(tables, seen, cutoff)


def rulings(data: Path, verdicts: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judged and Silences; the tables are held whole, unless there is nothing to rule on."""
    questions = pl.scan_parquet(data / "freeze" / "questions.parquet")
    if verdicts.is_empty() and not grounded_set(questions):
        return Judged.empty(), Silences.empty()
    asked = read(data / "freeze", Questions, ["question_id", "labelled", "attributes"])
    relevance = read(data / "freeze", Relevance)
    statements = read(data / "judge", Statements, [*RESPONSE_KEY, "judged", "claims", "citations"])
    answers = read(data / "answer", Answers, [*RESPONSE_KEY, "status"])
    known = grounds(asked, relevance, verdicts)
    ids = asked["question_id"]
    return (
        judged(verdicts, answers, statements, ids, known),
        silences(verdicts, statements, ids),
    )


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


def pooled(tables: Tables, seen: pl.DataFrame, cutoff: int | None) -> dict[str, Any]:
    """Judged@k of each system; nothing where no question says what people looked at."""
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


def opened(data: Path) -> Source:
    """Name what scoring needs, and nothing else, of the tables of the stages before."""
    named: dict[str, Any] = {}
    for name, (stage, table, columns) in NEEDED.items():
        of = Stored.of if name in GROWING else read
        named[name] = of(data / stage, table, list(columns))
    return Source(**named)


def read_tables(data: Path) -> Tables:
    """Read the same tables whole, for what is not made block by block, with `GRADED` columns."""
    held = {
        name: read(data / stage, table, [*columns, *GRADED.get(name, ())])
        for name, (stage, table, columns) in NEEDED.items()
    }
    return Tables(**held | {"ranking": answered(held["ranking"], held["answers"])})


NEEDED: dict[str, tuple[str, Table, Iterable[str]]] = {
    "documents": ("freeze", Documents, ("doc_id", "access_groups")),
    "chunks": ("chunk", Chunks, ("doc", "start", "end")),
    "found": ("chunk", Found, ("start", "end")),
    "questions": ("freeze", Questions, ("question_id", "labelled", "caller_groups", "attributes")),
    "claims": ("freeze", Claims, ("claim", "question")),
    "relevance": ("freeze", Relevance, ("question", "doc", "yes", "votes")),
    "support": ("freeze", Support, Support.columns),
    "evidence": (
        "freeze", Evidence, ("question", "doc", "claim", "annotator", "grade", "start", "end")
    ),
    "ranking": ("rerank", Ranking, (*RESPONSE_KEY, "chunks")),
    "answers": ("answer", Answers, (*RESPONSE_KEY, "status", "context")),
    "statements": (
        "judge", Statements,
        (*RESPONSE_KEY, "judged", "claims", "cited", "citations", "chunks"),
    ),
}  # fmt: skip
"""By its name in `Source`: the stage that wrote a table, and the columns that are read."""

GRADED = {"relevance": ("grade",), "ranking": ("scores",)}
"""Columns that only Ranked is made of."""
