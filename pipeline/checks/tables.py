"""Checked records as coded tables: labels and responses."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import polars as pl

from pipeline.checks.columns import Coded, lists, text_lists
from pipeline.checks.responses import NO_CLAIMS, Rankings, key
from pipeline.contract.records import Part, Question, Response
from pipeline.contract.tables import CODE, Responses
from pipeline.scoring.labels import MARKS, SETTLED, TEXTS, Labels, label

USED = ("input_tokens", "output_tokens", "cost_usd")


@dataclass(frozen=True)
class Labelled:
    """The label tables, and the votes behind those that nobody settled.

    Attributes:
        labels: claims, relevance, support, evidence.
        marks: marks on questions whose labels are votes, as `MARKS`.
        candidates: candidate claims of those questions, as `TEXTS`.
    """

    labels: Labels
    marks: pl.DataFrame
    candidates: pl.DataFrame


def label_tables(
    part: Part[Question], questions: pl.DataFrame, documents: pl.DataFrame, *, claims: bool
) -> Labelled:
    """Checked questions in order of their ids -> the label tables.

    Args:
        part: the questions, row-aligned with the table.
        questions: Questions.
        documents: Documents.
        claims: whether the set carries claim labels; where not, those of claims are left out.
    """
    doc = dict(zip(documents["doc_id"], documents["doc"], strict=True))
    settled: list[tuple[int, str | None, int]] = []
    marks, texts = [], []
    for question, row in enumerate(part.rows):
        settled += [(question, None, doc[id_]) for id_ in row.relevant or ()]
        if claims:
            texts += [(question, claim, text) for claim, text in (row.claims or {}).items()]
            for claim, ids in (row.support or {}).items():
                settled += [(question, claim, doc[id_]) for id_ in ids]
        for mark in row.evidence or ():
            claim_id = mark.claim_id if claims else None
            place = (mark.annotator, mark.grade, mark.start, mark.end)
            marks.append((question, doc[mark.doc_id], claim_id, *place))
    frames = _frame(settled, SETTLED), _frame(marks, MARKS), _frame(texts, TEXTS)
    voted = pl.Series([i for i, row in enumerate(part.rows) if row.relevant is None], dtype=CODE)
    by_vote = pl.col("question").is_in(voted.implode())
    return Labelled(
        label(questions, documents, *frames), frames[1].filter(by_vote), frames[2].filter(by_vote)
    )


def _frame(rows: list[Any], schema: pl.Schema) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=schema, orient="row")


def in_order(part: Part[Response], missing: list[Response]) -> Part[Response]:
    """Responses and those that stand in for missing ones (line 0), in order of their keys."""
    keys = [key(row) for row in chain(part.rows, missing)]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    if order == list(range(len(part.rows))):
        return part
    rows, files, lines = [*part.rows, *missing], [*part.files], [*part.lines]
    files += [""] * len(missing)
    lines += [0] * len(missing)
    return Part(rows, files, lines).at(order)


def response_table(
    part: Part[Response], rankings: Rankings, questions: pl.DataFrame
) -> pl.DataFrame:
    """Checked responses in order of their keys, and what they retrieved -> Responses.

    Args:
        part: the responses, with those that stand in for missing ones.
        rankings: on the codes of all responses that were there, in the same order.
        questions: Questions.
    """
    rows = part.rows
    question = dict(zip(questions["question_id"], questions["question"], strict=True))
    claims = [claim for row in rows for claim in row.claims or NO_CLAIMS]
    made = np.fromiter((len(row.claims or NO_CLAIMS) for row in rows), np.int64, len(rows))
    stated = [row.claims is not None for row in rows]
    columns: dict[str, Any] = {
        "system": [row.system for row in rows],
        "repeat": [row.repeat for row in rows],
        "question": [question[row.question_id] for row in rows],
        "line": part.lines,
        "status": [row.status for row in rows],
        "error": [row.error for row in rows],
        "answer": [row.answer for row in rows],
        "retrieved": _listed(rankings.retrieved, [row.retrieved for row in rows]),
        "scores": _numbers([row.scores for row in rows]),
        "delivered": _listed(rankings.delivered, [row.delivered for row in rows]),
        "claim_ids": lists(_texts([claim.claim_id for claim in claims]), made, stated),
        "citations": lists(text_lists([claim.citations for claim in claims]), made, stated),
        **{name: [getattr(row.usage, name, None) for row in rows] for name in USED},
        "latency_s": [row.latency_s for row in rows],
        "attempts": [row.attempts for row in rows],
    }
    return pl.DataFrame(columns, schema_overrides=Responses.schema).select(Responses.schema.names())


def _listed(coded: Coded, rows: Sequence[Sequence[str] | None]) -> pl.Series:
    lengths = np.fromiter((len(row or ()) for row in rows), np.int64, len(rows))
    flat = pl.Series(coded.flat.astype(np.uint32))
    return lists(flat, lengths, [row is not None for row in rows])


def _numbers(rows: list[list[float] | None]) -> pl.Series:
    flat = list(chain.from_iterable(row or () for row in rows))
    lengths = np.fromiter((len(row or ()) for row in rows), np.int64, len(rows))
    values = pl.Series(flat, dtype=pl.Float64())
    return lists(values, lengths, [row is not None for row in rows])


def _texts(texts: list[str]) -> pl.Series:
    return pl.Series(texts, dtype=pl.String())
