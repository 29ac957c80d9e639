"""Limits on what a candidate does: failures, claims too many, leaks, values that are n/a.

Where an error could hide what is counted, a number within the limit does not pass.
"""

from collections.abc import Iterator
from typing import Any

import polars as pl

from pipeline.comparison.bounds import EDGE
from pipeline.comparison.outcomes import Measured, stated
from pipeline.comparison.rows import Rows, unmeasured
from pipeline.contract.policy import Limit, Limits, Share
from pipeline.contract.words import counted


def hold_limits(limits: Limits, after: Rows) -> Iterator[dict[str, Any]]:
    """One row for each limit that there is."""
    for name, measure in COUNTS.items():
        limit: Limit | None = getattr(limits, name)
        if limit is not None:
            yield stated(name, limit, measure(limit.most, after))
    for share in limits.na:
        yield stated(f"na {share.metric}", share, _na(share, after))


def _failures(most: int, after: Rows) -> Measured:
    found = after.failed
    return _count(most, len(found), len(after.values), sorted({one for _, one in found}))


def _judge_failures(most: int, after: Rows) -> Measured:
    """A response that failed may hide one: it was never judged."""
    found = after.judge_failed
    hidden = len(after.failed - found)
    return _count(
        most,
        len(found),
        len(after.values),
        sorted({one for _, one in found}),
        f"{counted(hidden, 'response')} failed and never came before the judge"
        if len(found) + hidden > most
        else "",
    )


def _unsupported(most: int, after: Rows) -> Measured:
    """Claims made less those supported; a claim in dispute counts as unsupported."""
    rows = after.values.filter(pl.col("population") != "not_labelled").select(
        "repeat", "question_id", more=pl.col("claims").cast(pl.Int64) - pl.col("supported")
    )
    known = rows.drop_nulls("more")
    lost = after.failed | after.judge_failed
    unknown = sum(
        more is None or (repeat, question) in lost for repeat, question, more in rows.iter_rows()
    )
    found = known.filter(pl.col("more") > 0)
    measured = _count(
        most,
        int(found["more"].sum()),
        len(known),
        found["question_id"].unique().sort().to_list(),
        f"{counted(unknown, 'response')} without a record of claims" if unknown else "",
    )
    if known.is_empty():
        return Measured(None, 0, False, measured.bound, refused=["no claims are on record"])
    return measured


def _unresolved(most: int, after: Rows) -> Measured:
    """Where a question was lost to an error, its labels may be in dispute unseen."""
    found = after.unresolved
    unseen = len(after.lost - found)
    return _count(
        most,
        len(found),
        after.values["question_id"].n_unique(),
        sorted(found),
        f"{counted(unseen, 'question')} lost to errors" if len(found) + unseen > most else "",
    )


def _leaks(most: int, after: Rows) -> Measured:
    """Documents shown, each once a question; what a lost response showed is not known."""
    found = after.leaks
    lost = len(after.lost)
    return _count(
        most,
        sum(map(len, found.values())),
        after.values["question_id"].n_unique(),
        sorted(found),
        f"{counted(lost, 'question')} lost to errors may have shown more" if lost else "",
    )


COUNTS = {
    "failures": _failures,
    "judge_failures": _judge_failures,
    "unsupported_claims": _unsupported,
    "unresolved": _unresolved,
    "leaks": _leaks,
}
"""How each limit of that name is measured."""


def _na(share: Share, after: Rows) -> Measured:
    """Questions without a value, or with an error in some repeat, of those the metric is over."""
    values = after.of(share.metric)
    missing = values.population - (values.macro.keys() - values.errors)
    n = len(values.population)
    number = len(missing) / n if n else None
    return Measured(
        number,
        n,
        number is not None and number > share.most + EDGE,
        f"≤ {share.most:g}",
        refused=unmeasured([share.metric], after) or ([] if n else ["0 questions to measure"]),
        questions=sorted(missing),
    )


def _count(most: int, found: int, n: int, questions: list[str], hidden: str = "") -> Measured:
    return Measured(
        found,
        n,
        found > most,
        f"≤ {most:,}",
        hidden=[hidden] if hidden else (),
        questions=questions,
    )
