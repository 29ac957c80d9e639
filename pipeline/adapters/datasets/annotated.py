"""One of GaRAGe's rows: its fields, what is wrong in it, and the citations of an answer."""

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from pipeline.adapters.datasets.mismatch import Finding
from pipeline.checks.ids import show

Answered = Literal["YES", "NO"]
Scalar = str | int | float | None

MARK = re.compile(r"\[cite_([1-9][0-9]*)\]", re.ASCII)
"""A citation; anything else in the brackets, `[cite_1, cite_2]` or `[cite_01]`, is none."""

PROVIDERS = ("ent", "web")


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


def citations(answer: str) -> list[int]:
    """The numbers that an answer cites, from 1, each once, in order."""
    return list(dict.fromkeys(int(number) for number in MARK.findall(answer)))


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
