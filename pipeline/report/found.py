"""What got worse and better, question by question, in the words of the page; worst first."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from pipeline.contract.metrics import CAUSES
from pipeline.contract.naming import named
from pipeline.contract.rankings import told
from pipeline.contract.spelling import clean
from pipeline.contract.words import CAUSE, REASON, Cut, apart, label
from pipeline.scoring.deltas import ERRORS
from pipeline.scoring.findings import depth


@dataclass(frozen=True)
class Change:
    """One metric of one question: both sides in words, and as numbers to draw (None: n/a)."""

    metric: str
    before: str
    after: str
    drawn: tuple[float | None, float | None]
    lost: bool


@dataclass(frozen=True)
class Finding:
    """A question that got worse or better, and what the labels say of it.

    `why` is in words, causes that only the candidate has first; `new` of them are new.
    `more` changes of rankings at cutoffs are not among `changes`.
    """

    question_id: str
    changes: list[Change]
    why: list[str]
    new: int
    leaks: list[str]
    more: int

    @property
    def title(self) -> str:
        """The question's id, spelled so that it is harmless to show."""
        return clean(self.question_id)


def regressions(found: dict[str, Any], cutoff: Cut) -> list[Finding]:
    """The regressions of a candidate: leaks first, then lost answers, then the deepest falls."""
    return [_finding(entry, cutoff) for entry in sorted(found["regressions"], key=depth)]


def improvements(found: dict[str, Any], cutoff: Cut) -> list[Finding]:
    """The improvements of a candidate, the highest rises first."""
    return [_finding(entry, cutoff) for entry in sorted(found["improvements"], key=depth)]


def one_sided(found: dict[str, Any], cutoff: Cut) -> list[Finding]:
    """Questions with a value on one side only, by id; those named as worse are left out."""
    worse = {
        (entry["question_id"], row["metric"])
        for entry in found["regressions"]
        for row in entry["metrics"]
    }
    listed = []
    for entry in found["unpaired"]:
        rows = [
            row
            for row in entry["metrics"]
            if (entry["question_id"], row["metric"]) not in worse
            if (row["before"], row["after"]) != (None, None)
        ]
        if rows:
            listed.append(_finding({**entry, "metrics": rows}, cutoff))
    return listed


def tally(findings: list[Finding]) -> list[tuple[str, int]]:
    """Count of how many findings each cause is told, most first; new causes where there are."""
    counts = Counter(
        cause for one in findings for cause in (one.why[: one.new] if one.new else one.why)
    )
    return counts.most_common()


def _finding(entry: dict[str, Any], cutoff: Cut) -> Finding:
    new = [cause for cause in CAUSES if cause in entry.get("new_causes", ())]
    old = [cause for cause in CAUSES if cause in entry.get("causes", ()) and cause not in new]
    rows, more = told(entry["metrics"])
    return Finding(
        entry["question_id"],
        [_change(row, cutoff) for row in rows],
        [CAUSE[cause] for cause in (*new, *old)],
        len(new),
        [clean(doc) for doc in entry.get("leaks", ())],
        more,
    )


def _change(row: dict[str, Any], cutoff: Cut) -> Change:
    words = apart(row["metric"], row["before"], row["after"])
    reasons = row["before_reason"], row["after_reason"]
    before, after = (
        f"{shown} ({REASON[reason]})" if reason else shown
        for shown, reason in zip(words, reasons, strict=True)
    )
    return Change(
        label(named(row["metric"]), cutoff),
        before,
        after,
        drawn=(row["before"], row["after"]),
        lost=row["after_reason"] in ERRORS,
    )
