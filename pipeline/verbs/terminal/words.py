"""Reasons, causes, metrics and values in the words that people read."""

from pipeline.contract.metrics import AGGREGATED, Metric

NA = "n/a"

REASON = {
    "not_labelled": "not labelled",
    "unanswerable": "unanswerable",
    "answerable": "answerable",
    "unresolved": "labels in dispute",
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

METRIC = {metric.name: metric for metric in AGGREGATED}

YES_NO = ("abstention", "false_abstention")
"""Metrics that are yes or no for one response."""


def label(metric: Metric, cutoff: int) -> str:
    """The metric's name for people, with k as a number."""
    return metric.label.replace("@k", f"@{cutoff}")


def value(metric: str, number: float | None) -> str:
    """One value with two decimals, yes or no, or n/a."""
    if number is None:
        return NA
    if metric in YES_NO and number in (0.0, 1.0):
        return "yes" if number else "no"
    return f"{number:.2f}"


def change(row: dict[str, object], cutoff: int) -> str:
    """`support 1.00 → 0.50` for one metric of a finding, with the reason of a lost side."""
    name = str(row["metric"])
    sides = []
    for side in ("before", "after"):
        number, reason = row[side], row[f"{side}_reason"]
        shown = value(name, number if isinstance(number, float) else None)
        sides.append(f"{shown} ({REASON[str(reason)]})" if reason else shown)
    return f"{label(METRIC[name], cutoff)} {sides[0]} → {sides[1]}"


def causes(found: list[str]) -> str:
    """Causes in words, one after the other."""
    return ", ".join(CAUSE[cause] for cause in found)


def counted(n: int, noun: str) -> str:
    """`1 question`, `2,400 questions`."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
