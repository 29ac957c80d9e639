"""What a comparison found, question by question first: worse, better, unpaired; then averages.

An error never helps: a value that the baseline has and the candidate lost to an error is a
regression, and so is a document that only the candidate shows to somebody who may not read
it. A question may be worse in one metric and better in another; it is then named twice.
"""

import math
from collections.abc import Iterable
from typing import Any

import polars as pl

from pipeline.contract.metrics import JUDGED, RANKED, SHOWN, at_cutoff
from pipeline.contract.naming import in_order
from pipeline.scoring.deltas import ERRORS, causes_of

OUTSIDE = ("not_labelled", "unanswerable", "answerable")
"""Reasons that put a question outside a metric's population: there was no pair to make."""

OF_LABELS = pl.col("metric").str.contains(
    f"^({'|'.join(metric.name for metric in RANKED if metric.of_labels)})@"
)
"""Whether a row of Deltas says how far the labels reach: no question is worse for it."""

WORSE = ~OF_LABELS & (
    (pl.col("direction") == "worse")
    | (
        pl.col("before").is_not_null()
        & pl.col("before_reason").is_null()
        & pl.col("after_reason").is_in(ERRORS).fill_null(False)
    )
)
"""Whether a row of Deltas is a regression: a worse value, or one lost to an error."""

BETTER = ~OF_LABELS & (pl.col("direction") == "better")
"""Whether a row of Deltas is an improvement."""

RETRIEVAL = ("not_retrieved", "below_cutoff")
"""Causes that a worse ranking may have."""

MISSING = (pl.col("direction") == "unpaired") & ~(
    pl.col("before_reason").is_in(OUTSIDE) & pl.col("after_reason").is_in(OUTSIDE)
).fill_null(False)
"""Whether a row of Deltas is a pair that should be there and lacks a side."""


def findings(rows: pl.DataFrame, values: pl.DataFrame) -> dict[str, Any]:
    """Name what one candidate changed.

    Args:
        rows: Deltas of one candidate.
        values: PerQuestion of the run, for causes and leaks on both sides.

    Returns:
        `regressions`, `improvements` and `unpaired`: lists by question, each with its
        `metrics` (before and after, with reasons); regressions also with the candidate's
        `causes` (those of retrieval where only rankings at cutoffs fell), the `new_causes`
        among them that the baseline has not, and `leaks`, the documents that only the
        candidate shows. `questions`: how many are in each list, in two of them (`mixed`),
        the `same` in all pairs, or have `no_pair`.
        `averages`: see there. `context`: mean characters that both sides were given.
    """
    baseline, candidate = rows["baseline"].unique().item(), rows["candidate"].unique().item()
    leaks = _new_leaks(values, baseline, candidate)
    causes = {
        system: dict(of.select("question_id", "causes").iter_rows())
        for (system,), of in causes_of(values).group_by("system")
    }
    worse = _by_question(rows.filter(WORSE), leaks)
    better = _by_question(rows.filter(BETTER))
    regressions = [
        {
            "question_id": question,
            "metrics": metrics,
            "causes": why,
            "new_causes": [cause for cause in why if cause not in causes[baseline][question]],
            "leaks": leaks.get(question, []),
        }
        for question, metrics in worse.items()
        for why in [_proven(causes[candidate][question], metrics)]
    ]
    missing = _by_question(rows.filter(MISSING))
    return {
        "regressions": regressions,
        "improvements": _listed(better),
        "unpaired": _listed(missing),
        "questions": _counts(rows, set(worse), set(better), set(missing)),
        "averages": averages(rows),
        "context": context(values, baseline, candidate),
    }


def _proven(causes: list[str], metrics: list[dict[str, Any]]) -> list[str]:
    """The causes of a regression; what claims did is none where only a ranking at cutoffs fell."""
    if metrics and all(at_cutoff(row["metric"]) for row in metrics):
        return [cause for cause in causes if cause in RETRIEVAL]
    return causes


def context(values: pl.DataFrame, baseline: str, candidate: str) -> dict[str, float | int | None]:
    """Compare how long the delivered contexts are.

    Args:
        values: PerQuestion of the run.
        baseline: the one system.
        candidate: the other.

    Returns:
        `before` and `after`: mean characters over the `n` questions whose context is known
        on both sides, of the mean over repeats; null without any.
    """
    sides = [
        values.filter(system=system)
        .group_by("question_id")
        .agg(pl.col("context_length").mean())
        .drop_nulls()
        for system in (baseline, candidate)
    ]
    both = sides[0].join(sides[1], on="question_id", suffix="_after").sort("question_id")
    n = len(both)
    means = [
        math.fsum(both[name].to_list()) / n if n else None
        for name in ("context_length", "context_length_after")
    ]
    return {"before": means[0], "after": means[1], "n": n}


def averages(rows: pl.DataFrame) -> list[dict[str, Any]]:
    """Average the deltas of one candidate over the questions that have both sides.

    Args:
        rows: Deltas of one candidate.

    Returns:
        For each metric, in the order in which metrics are shown, those of verdicts and of
        rankings at cutoffs only where there are some: `before`, `after` and
        `delta` as macro means over `n` pairs (null without a pair), how many pairs are
        `better`, `worse` and `same`, and how many are `unpaired`. Sums are exactly rounded.
    """
    found = []
    for metric in (*SHOWN, *(m for m in in_order(rows["metric"].unique()) if m not in SHOWN)):
        of = rows.filter(pl.col("metric") == metric.name)
        if metric in JUDGED and of.is_empty():
            continue
        paired = of.filter(pl.col("direction") != "unpaired")
        n = len(paired)
        means: dict[str, Any] = {
            side: math.fsum(paired[side].to_list()) / n if n else None
            for side in ("before", "after", "delta")
        }
        ways = {way: int((paired["direction"] == way).sum()) for way in ("better", "worse", "same")}
        unpaired = len(of.filter(MISSING))
        found.append({"metric": metric.name, **means, "n": n, **ways, "unpaired": unpaired})
    return found


def _by_question(rows: pl.DataFrame, also: Iterable[str] = ()) -> dict[str, list[dict[str, Any]]]:
    """The sides of each row under its question, metrics in the order in which they are shown."""
    shown = [metric.name for metric in in_order(rows["metric"].unique())]
    found: dict[str, list[dict[str, Any]]] = {question: [] for question in also}
    sides = ("metric", "before", "before_reason", "after", "after_reason")
    for row in rows.iter_rows(named=True):
        found.setdefault(row["question_id"], []).append({side: row[side] for side in sides})
    return {
        question: sorted(found[question], key=lambda row: shown.index(row["metric"]))
        for question in sorted(found)
    }


def depth(entry: dict[str, Any]) -> tuple[Any, ...]:
    """Where a regression or an improvement of `findings` stands, the deepest first.

    What cannot be made up for comes first (a leak, then a lost answer), then by how much the
    value that moved most did, and all together; then by id.
    """
    lost = any(row["after_reason"] in ERRORS for row in entry["metrics"])
    moved = [
        abs(row["after"] - row["before"])
        for row in entry["metrics"]
        if None not in (row["before"], row["after"])
    ]
    leaks = bool(entry.get("leaks"))
    return not leaks, not lost, -max(moved, default=0.0), -sum(moved), entry["question_id"]


def _listed(found: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    return [{"question_id": question, "metrics": metrics} for question, metrics in found.items()]


def _counts(
    rows: pl.DataFrame, worse: set[str], better: set[str], missing: set[str]
) -> dict[str, int]:
    asked = set(rows["question_id"].unique())
    paired = set(rows.filter(pl.col("direction") != "unpaired")["question_id"].unique())
    return {
        "asked": len(asked),
        "worse": len(worse),
        "better": len(better),
        "mixed": len(worse & better),
        "same": len(paired - worse - better),
        "unpaired": len(missing),
        "no_pair": len(asked - paired - worse),
    }


def _new_leaks(values: pl.DataFrame, baseline: str, candidate: str) -> dict[str, list[str]]:
    """Documents that the candidate leaks and the baseline does not, for each question."""
    shown: dict[str, dict[str, set[str]]] = {baseline: {}, candidate: {}}
    leaking = values.filter(pl.col("leaks").list.len() > 0)
    for system, question, leaks in leaking.select("system", "question_id", "leaks").iter_rows():
        if system in shown:
            shown[system].setdefault(question, set()).update(leaks)
    new = {
        question: sorted(leaks - shown[baseline].get(question, set()))
        for question, leaks in shown[candidate].items()
    }
    return {question: leaks for question, leaks in new.items() if leaks}
