"""Answers as a judge reads them: in words, with what was expected and what was delivered."""

import re
from dataclasses import dataclass
from typing import Any

import polars as pl

from pipeline.adapters.judges.relevant import Relevant
from pipeline.contract.spans import titled
from pipeline.contract.tables import RESPONSE_KEY, attribute

MARK = re.compile(r"\[(?:cite_)?([0-9]+)\]")
"""A citation: `[3]`, or as GaRAGe has it `[cite_3]`."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Passage:
    """A delivered chunk: its code, id and document, and its text as it was sent."""

    chunk: int
    chunk_id: str
    doc: int
    text: str


@dataclass(frozen=True)
class Case:
    """One answer.

    Attributes:
        key: what names the response.
        question: in words.
        text: the answer in words, with its marks; None: there is nothing to read.
        failed: whether the system gave no answer.
        silent: whether it is on record that the answer says nothing.
        stated: whether its claims are on record.
        expected: code and id of each expected claim, and its words, or its id for want of any.
        context: the delivered chunks, in order; empty where they are not known.
        relevant: positions in the context of what is relevant; None: nobody labelled it.
        left_out: whether the set leaves its question out of factuality.
    """

    key: Row
    question: str
    text: str | None
    failed: bool
    silent: bool
    stated: bool
    expected: tuple[tuple[int, str, str], ...]
    context: tuple[Passage, ...]
    relevant: tuple[int, ...] | None
    left_out: bool

    @property
    def marks(self) -> frozenset[str]:
        """Numbers of the marks in the answer, as they are written."""
        return frozenset(MARK.findall(self.text or ""))


def cases(
    answers: pl.DataFrame,
    questions: pl.DataFrame,
    claims: pl.DataFrame,
    relevance: pl.DataFrame,
    evidence: pl.DataFrame,
    chunks: pl.DataFrame,
    documents: pl.DataFrame,
) -> list[Case]:
    """The tables that a judge is given -> a case an answer, row for row.

    A quote bears the mark of the delivered chunk that it is taken from.
    """
    asked = dict(questions.select("question", "text").iter_rows())
    told = attribute(questions["attributes"], "factuality")
    left_out = set(questions["question"].filter((told == "left out").fill_null(value=False)))
    expected: dict[int, list[tuple[int, str, str]]] = {}
    for code, question, name, words in claims.select(
        "claim", "question", "claim_id", "text"
    ).iter_rows():
        expected.setdefault(question, []).append((code, name, words or name))
    rows = answers.to_dicts()
    used = sorted({chunk for row in rows for chunk in row["context"] or ()})
    sent = chunks[used]
    columns = sent.select("chunk", "chunk_id", "doc").iter_rows()
    passages = {
        chunk: Passage(chunk, name, doc, text)
        for (chunk, name, doc), text in zip(columns, titled(sent, documents), strict=True)
    }
    quoted = sorted({passages[q["chunk"]].doc for row in rows for q in row["quotes"] or ()})
    texts = dict(zip(quoted, documents["text"].gather(quoted), strict=True))
    relevant = Relevant.of(questions, relevance, evidence, sent, documents)
    return [
        Case(
            {name: row[name] for name in RESPONSE_KEY},
            asked[row["question"]],
            _words(row, passages, texts),
            row["status"] == "failed",
            row["status"] == "ok" and _silent(row),
            row["claim_ids"] is not None,
            tuple(expected.get(row["question"], ())),
            tuple(passages[chunk] for chunk in row["context"] or ()),
            relevant.positions(row["question"], row["context"] or ()),
            row["question"] in left_out,
        )
        for row in rows
    ]


def _silent(row: Row) -> bool:
    """An answer of no quotes, or of no words; one without a record of words is something else."""
    return row["quotes"] == [] or (row["answer"] is not None and not row["answer"].strip())


def _words(row: Row, passages: dict[int, Passage], texts: dict[int, str]) -> str | None:
    if row["status"] != "ok" or _silent(row):
        return None
    if not row["quotes"]:
        words: str | None = row["answer"]
        return words
    place = {chunk: at for at, chunk in enumerate(row["context"], 1)}
    return "\n".join(
        f"{texts[passages[q['chunk']].doc][q['start'] : q['end']]} [{place[q['chunk']]}]"
        for q in row["quotes"]
    )
