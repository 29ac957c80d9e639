"""The tables that hold results: values per question, aggregates, deltas."""

from collections.abc import Iterable

import polars as pl

from pipeline.contract.metrics import FAMILIES, JUDGED, METRICS, RANKED, REASONS, Metric
from pipeline.contract.tables import CODE, TEXT, TEXTS, Column, Table

COUNT = pl.UInt32()
VALUE = pl.Float64()


def _values(metrics: Iterable[Metric]) -> dict[str, Column]:
    columns = {}
    for metric in metrics:
        name = metric.name
        columns[name] = Column(VALUE, f"{metric.meaning}; null: n/a", null=True)
        columns[f"{name}_reason"] = Column(TEXT, "why it is n/a; null: it is not", null=True)
        columns[f"{name}_low"] = Column(VALUE, "least value over all resolutions", null=True)
        columns[f"{name}_high"] = Column(VALUE, "greatest value over all resolutions", null=True)
    return columns


PerQuestion = Table(
    "per_question",
    "Every value of every response, in order of (system, repeat, question).",
    ("system", "repeat", "question_id"),
    {
        "system": Column(TEXT, "name of the system"),
        "repeat": Column(pl.UInt32(), "index of the repeat, from 1"),
        "question": Column(CODE, "code of the question"),
        "question_id": Column(TEXT, "the id people gave it"),
        "population": Column(TEXT, "answerable, unanswerable, unresolved or not_labelled"),
        "status": Column(TEXT, "ok, failed or judge_failed"),
        **_values(METRICS),
        "cutoff": Column(COUNT, "k, the denominator of precision; under a budget as delivered"),
        "context_length": Column(
            pl.UInt64(), "characters of the visible chunks; null: not known", null=True
        ),
        "hits": Column(
            COUNT, "relevant chunks that are visible, undisputed ones; null: not known", null=True
        ),
        "reached": Column(
            COUNT,
            "relevant documents that are visible, undisputed ones; null: not known",
            null=True,
        ),
        "relevant": Column(COUNT, "relevant documents, undisputed ones"),
        "claims": Column(COUNT, "claims made; null: no record", null=True),
        "supported": Column(COUNT, "supported claims, undisputed ones; null: not known", null=True),
        "expected": Column(COUNT, "expected claims, undisputed ones"),
        "causes": Column(TEXTS, "what the labels prove went wrong; empty: nothing"),
        "leaks": Column(TEXTS, "ids of documents shown that the caller may not read"),
    },
)

Judged = Table(
    "judged",
    "Every value that comes from verdicts, row for row as PerQuestion; empty without any.",
    ("system", "repeat", "question_id"),
    {
        "system": Column(TEXT, "name of the system"),
        "repeat": Column(pl.UInt32(), "index of the repeat, from 1"),
        "question": Column(CODE, "code of the question"),
        "question_id": Column(TEXT, "the id people gave it"),
        **_values(JUDGED),
        "attributed": Column(
            COUNT, "documents cited that are in the gold set; null: not known", null=True
        ),
        "cited": Column(COUNT, "documents that the answer cites; null: not known", null=True),
        "gold": Column(COUNT, "gold set: relevant documents; null: not asked", null=True),
    },
)

Silences = Table(
    "silences",
    "Answers on which their record (no claims) and their judge (a deflection) disagree.",
    ("system", "repeat", "question_id"),
    {
        "system": Column(TEXT, "name of the system"),
        "repeat": Column(pl.UInt32(), "index of the repeat, from 1"),
        "question_id": Column(TEXT, "the id people gave the question"),
        "abstained": Column(pl.Boolean(), "whether the record of the answer holds no claim"),
        "deflected": Column(pl.Boolean(), "whether the judge calls the answer a deflection"),
    },
)

Ranked = Table(
    "ranked",
    "Every value of each ranking at each cutoff asked for; empty where none was.",
    ("system", "repeat", "question_id", "cutoff"),
    {
        "system": Column(TEXT, "name of the system"),
        "repeat": Column(pl.UInt32(), "index of the repeat, from 1"),
        "question": Column(CODE, "code of the question"),
        "question_id": Column(TEXT, "the id people gave it"),
        "population": Column(TEXT, "answerable, unanswerable, unresolved or not_labelled"),
        "cutoff": Column(COUNT, "k"),
        **_values(RANKED),
        "hits": Column(
            COUNT, "relevant chunks among the first k, undisputed ones; null: not known", null=True
        ),
        "reached": Column(
            COUNT, "relevant documents there, undisputed ones; null: not known", null=True
        ),
        "relevant": Column(COUNT, "relevant documents, undisputed ones"),
        "tie": Column(
            pl.Boolean(), "whether documents of one score stand on both sides of the cutoff"
        ),
    },
)
"""Where the order is that of scores, `_low` and `_high` are over the orders of what is tied."""

Aggregates = Table(
    "aggregates",
    "One row for each system, slice and metric. The slice '' = '' is all questions.",
    ("system", "attribute", "value", "metric"),
    {
        "system": Column(TEXT, "name of the system"),
        "attribute": Column(TEXT, "attribute that makes the slice; '': all questions"),
        "value": Column(TEXT, "its value; '': all questions"),
        "metric": Column(TEXT, "key of the metric"),
        "population": Column(TEXT, "answerable, unanswerable or all: the questions it is over"),
        "macro": Column(VALUE, "mean over questions of the mean over repeats", null=True),
        "pooled": Column(VALUE, "numerators / denominators; null: not offered", null=True),
        "strict": Column(VALUE, "macro with errors counted as the worst value", null=True),
        "sd": Column(VALUE, "population standard deviation of the questions' means", null=True),
        "low": Column(VALUE, "macro with each unresolved value at its least", null=True),
        "high": Column(VALUE, "macro with each unresolved value at its greatest", null=True),
        "n": Column(COUNT, "questions with a value"),
        "n_values": Column(COUNT, "responses with a value"),
        "numerator": Column(pl.UInt64(), "sum for pooled", null=True),
        "denominator": Column(pl.UInt64(), "sum for pooled", null=True),
        **{f"na_{reason}": Column(COUNT, f"responses left out: {reason}") for reason in REASONS},
    },
)

Deltas = Table(
    "deltas",
    "Baseline against candidate, question by question and metric by metric.",
    ("candidate", "question_id", "metric"),
    {
        "baseline": Column(TEXT, "name of the baseline system"),
        "candidate": Column(TEXT, "name of the candidate system"),
        "question_id": Column(TEXT, "the id people gave the question"),
        "metric": Column(TEXT, "key of the metric"),
        "before": Column(VALUE, "baseline's mean over its repeats; null: n/a", null=True),
        "before_reason": Column(TEXT, "why it is n/a, or that a repeat failed", null=True),
        "after": Column(VALUE, "candidate's mean over its repeats; null: n/a", null=True),
        "after_reason": Column(TEXT, "why it is n/a, or that a repeat failed", null=True),
        "delta": Column(VALUE, "after - before; null: unpaired", null=True),
        "direction": Column(TEXT, "better, worse, same or unpaired (a side is n/a or failed)"),
        "causes": Column(TEXTS, "causes on the candidate's side"),
    },
)


def present(values: pl.DataFrame) -> tuple[Metric, ...]:
    """The metrics of those families of which a Judged table holds anything."""
    found = [
        family
        for family in FAMILIES
        if any(
            (values[f"{metric.name}_reason"].fill_null("") != "not_labelled").any()
            for metric in family
        )
    ]
    return tuple(metric for metric in JUDGED if any(metric in family for family in found))
