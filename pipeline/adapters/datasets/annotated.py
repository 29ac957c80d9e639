"""One of GaRAGe's rows: its fields, what is wrong in it, and what its labels say."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

from pipeline.adapters.datasets.mismatch import Finding
from pipeline.checks.ids import show

Answered = Literal["YES", "NO"]
Scalar = str | int | float | None

MARK = re.compile(r"\[cite_([1-9][0-9]*)\]", re.ASCII)
"""A citation; anything else in the brackets, `[cite_1, cite_2]` or `[cite_01]`, is none."""

PROVIDERS = ("ent", "web")
TEMPO = {"": "static", "SLOW-CHANGING": "slow", "FAST-CHANGING": "fast"}
BANDS = ("none", "under 1/3", "1/3 to 2/3", "over 2/3")
"""Shares of relevant passages; a third and two thirds themselves are in the middle."""


class Row(Struct, frozen=True):
    """One line. Lists have an entry for each passage of `grounding`."""

    sample_id: str
    question_date: str
    question: str
    grounding: list[dict[str, Scalar]]
    question_valid: str
    question_false_premise: str
    question_seeking: str
    question_sensitive: Answered
    question_type: Literal["", "FAST-CHANGING", "SLOW-CHANGING"]
    question_complexity: str
    question_category: str
    question_popularity: str
    evidence_relevant: list[Literal["", "YES", "NO"]]
    evidence_correct: list[
        Literal["", "UNKNOWN", "ANSWER-THE-QUESTION", "RELATED-INFORMATION", "OUTDATED"]
    ]
    evidence_cited: list[Answered]
    answer_generate: str
    answer_related_info: str
    answer_validate: Literal["", "YES"]
    comments: str
    question_tag: str
    topic_tag: str


LABELS = ("evidence_relevant", "evidence_correct", "evidence_cited")


@dataclass(frozen=True)
class Rules:
    """How labels are read; the fields are those of the adapter, which says what each means."""

    deflection: Literal["not_validated", "no_answering_passage", "no_relevant_passage"]
    gold: Literal["relevant", "cited"]
    related: bool
    unlabelled: Literal["irrelevant", "relevant", "not_labelled"]

    def relevant(self, row: Row) -> list[int]:
        """The relevant passages, from 0; an outdated one is none, whatever else it is called."""
        yes = {"YES", ""} if self.unlabelled == "relevant" else {"YES"}
        out = {"OUTDATED"} if self.related else {"OUTDATED", "RELATED-INFORMATION"}
        labels = zip(row.evidence_relevant, row.evidence_correct, strict=True)
        return [at for at, (told, what) in enumerate(labels) if told in yes and what not in out]

    def gold_set(self, row: Row) -> list[int] | None:
        """The passages that an answer should cite, from 0; None: their labels are missing."""
        if self.gold == "cited":
            return [n - 1 for n in citations(row.answer_generate) if n <= len(row.grounding)]
        if self.unlabelled == "not_labelled" and "" in row.evidence_relevant:
            return None
        return self.relevant(row)

    def insufficient(self, row: Row) -> bool:
        """Whether the right thing is to deflect, by the labels as they stand in the file."""
        if self.deflection == "not_validated":
            return row.answer_validate != "YES"
        if self.deflection == "no_answering_passage":
            return "ANSWER-THE-QUESTION" not in row.evidence_correct
        return "YES" not in row.evidence_relevant

    def band(self, row: Row) -> str:
        """The band of the share of relevant passages, one of `BANDS`."""
        part, whole = len(self.relevant(row)), len(row.grounding)
        if not part:
            return BANDS[0]
        return BANDS[1] if 3 * part < whole else BANDS[2] if 3 * part <= 2 * whole else BANDS[3]


def citations(answer: str) -> list[int]:
    """The numbers that an answer cites, from 1, each once, in order."""
    return list(dict.fromkeys(int(number) for number in MARK.findall(answer)))


def provider(row: Row) -> str:
    """Where the passages come from: `web`, `ent`, `mixed`, or `none` without passages."""
    kinds = {str(passage["provider"]) for passage in row.grounding}
    return "mixed" if len(kinds) > 1 else min(kinds, default="none")


def misshapen(row: Row) -> Iterator[Finding]:
    """Yield what is wrong with a row whose fields are of the right kinds."""
    for at, passage in enumerate(row.grounding):
        yield from _passage(passage, at)
    for name in LABELS:
        labels = getattr(row, name)
        if len(labels) != len(row.grounding):
            yield f"{len(row.grounding)} in {name}, one for each of grounding", f"{len(labels)}"
    if (row.question_sensitive == "YES") == (row.question_type == ""):
        expected = "question_type empty exactly where question_sensitive is NO"
        yield expected, f"{show(row.question_type)} beside {row.question_sensitive}"


def _passage(passage: dict[str, Scalar], at: int) -> Iterator[Finding]:
    place, text = f"grounding[{at}]", f"cite_{at + 1}"
    wanted = {"age", "date", "provider", text}
    for key in sorted(wanted - set(passage)):
        yield f"{key} in {place}", "no such field"
    for key in sorted(set(passage) - wanted):
        yield f"age, date, provider and {text} in {place}", show(key)
    if text in passage and not isinstance(passage[text], str):
        yield f"text in {place}.{text}", show(str(passage[text]))
    if "provider" in passage and passage["provider"] not in PROVIDERS:
        yield f"ent or web in {place}.provider", show(str(passage["provider"]))
