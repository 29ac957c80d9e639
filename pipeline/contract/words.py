"""Reasons, causes, metrics and values in the words that people read."""

from collections.abc import Iterable
from typing import Any, Literal

import polars as pl

from pipeline.contract.metrics import COMPARED, Metric
from pipeline.contract.naming import named

NA = "n/a"

PLURAL = {"person": "people"}
"""Of nouns that take no s."""

REASON = {
    "not_labelled": "not labelled",
    "unanswerable": "unanswerable",
    "answerable": "answerable",
    "unresolved": "in dispute",
    "failed": "failed",
    "judge_failed": "judge failed",
    "no_claims": "no claims",
}
"""Why a value is n/a."""

CAUSE = {
    "failed": "the system gave no answer",
    "judge_failed": "the judge gave no ruling",
    "not_retrieved": "evidence not retrieved",
    "below_cutoff": "evidence retrieved below the cutoff",
    "not_used": "evidence delivered but not used",
    "miscited": "miscited",
    "cited_not_visible": "cited but not visible",
    "extra_claim": "extra claim",
    "claim_on_unanswerable": "claim on an unanswerable question",
    "false_abstention": "false abstention",
    "leak": "leak",
}
"""What went wrong, as the labels prove it."""

STANDING = {
    "counts": "labelled for this claim and visible",
    "unknown": "which is not in the corpus",
    "not_labelled": "which is not labelled for this claim",
    "chunk_not_labelled": "this part of it is not labelled for the claim",
    "not_visible": "which is labelled for this claim, but not visible",
    "disputed": "whose label for this claim is in dispute",
}
"""How a citation of a claim stands."""

GROUND = {
    "no_label": "no label expects this claim",
    "no_citation": "it cites nothing",
}
"""Why a claim does not count whatever its citations are."""

PLACE = {
    "leak": "LEAK: who asks may not read it",
    "not_labelled": "not labelled",
    "irrelevant": "not relevant",
    "elsewhere": "of a relevant document, another part of which is labelled",
    "relevant": "relevant",
    "disputed": "relevance in dispute",
}
"""What the labels make of a chunk."""

WIDEST = max(len(metric.label) for metric in COMPARED)
"""Columns that the names of metrics take in a table, unless one of them is longer."""

YES_NO = ("abstention", "false_abstention")
"""Metrics that are yes or no for one response."""


def widest(names: Iterable[str]) -> int:
    """Columns that these names of metrics take in a table."""
    return max([WIDEST, *map(len, names)])


Cut = int | Literal["k"]
"""The cutoff, or k where a budget delivers more to one question than to another."""


def cut(values: pl.DataFrame) -> Cut:
    """The cutoff of all rows of PerQuestion."""
    return int(values["cutoff"][0]) if values["cutoff"].n_unique() == 1 else "k"


def label(metric: Metric, cutoff: Cut) -> str:
    """The metric's name for people, with k as a number."""
    return metric.label.replace("@k", f"@{cutoff}")


def value(metric: str, number: float | None) -> str:
    """One value with two decimals, yes or no, or n/a."""
    if number is None:
        return NA
    if metric in YES_NO and number in (0.0, 1.0):
        return "yes" if number else "no"
    return f"{number:.2f}"


def apart(metric: str, before: float | None, after: float | None) -> tuple[str, str]:
    """Two values of a metric in words, with as many digits as it takes to see that they differ.

    >>> apart("recall", 0.5, 1.0), apart("recall", 0.01991, 0.01993)
    (('0.50', '1.00'), ('0.01991', '0.01993'))
    """
    words = value(metric, before), value(metric, after)
    for digits in range(4, 18):
        if words[0] != words[1] or before is None or after is None or before == after:
            break
        words = f"{before:.{digits}f}", f"{after:.{digits}f}"
    return words


def change(row: dict[str, Any], cutoff: Cut) -> str:
    """`support 1.00 → 0.50` for one metric of a finding, with the reason of a lost side."""
    sides = []
    words = apart(row["metric"], row["before"], row["after"])
    for side, shown in zip(("before", "after"), words, strict=True):
        reason = row[f"{side}_reason"]
        sides.append(f"{shown} ({REASON[reason]})" if reason else shown)
    return f"{label(named(row['metric']), cutoff)} {sides[0]} → {sides[1]}"


def lost(rows: list[dict[str, Any]], cutoff: Cut) -> str:
    """`failed, where P@2 was 0.50, R@2 1.00` for the values that an error took."""
    reasons = ", ".join(dict.fromkeys(REASON[row["after_reason"]] for row in rows))
    partly = " in some repeats" if any(row["after"] is not None for row in rows) else ""
    names = [
        (label(named(row["metric"]), cutoff), value(row["metric"], row["before"])) for row in rows
    ]
    first, *others = names
    return ", ".join(
        [f"{reasons}{partly}, where {first[0]} was {first[1]}", *map(" ".join, others)]
    )


def causes(found: list[str]) -> str:
    """Causes in words, one after the other."""
    return ", ".join(CAUSE[cause] for cause in found)


def counted(n: int, noun: str) -> str:
    """`1 question`, `2,400 questions`, `3 people`."""
    return f"{n:,} {noun if n == 1 else PLURAL.get(noun, f'{noun}s')}"
