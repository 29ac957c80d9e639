"""Every table of the pipeline: its columns, what they mean, and its key.

A table is one Parquet file, sorted by its key. Ids become integer codes when they
are frozen (a code is the row of the id in its own table, whose ids are sorted), so
that nothing after `freeze` compares strings. A column is nullable only where its
meaning says what null stands for.
"""

from dataclasses import dataclass
from pathlib import Path

import polars as pl
from polars.datatypes import DataType, DataTypeClass

from pipeline.contract.errors import DataError, Fault
from pipeline.contract.files import replacing

Dtype = DataType | DataTypeClass
ROW_GROUP = 65_536

BUILT_IN = "rag"
"""The system that the built-in parts make up."""

CODE = pl.UInt32()
TEXT = pl.String()
TEXTS = pl.List(pl.String())
CODES = pl.List(pl.UInt32())
SIGNED_CODES = pl.List(pl.Int32())
PAIRS = pl.List(pl.Struct({"key": pl.String(), "value": pl.String()}))
SENTENCES = pl.List(
    pl.Struct(
        {
            "start": pl.UInt32(),
            "end": pl.UInt32(),
            "chunks": pl.List(pl.Int32()),
            "marks": pl.List(pl.String()),
        }
    )
)
QUOTES = pl.List(pl.Struct({"chunk": pl.UInt32(), "start": pl.UInt32(), "end": pl.UInt32()}))


@dataclass(frozen=True)
class Column:
    """One column: its type, what it means, and whether null is a value of it."""

    dtype: Dtype
    meaning: str
    null: bool = False


@dataclass(frozen=True)
class Table:
    """A named set of columns; `key` names one row and gives the order of rows."""

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: dict[str, Column]

    @property
    def schema(self) -> pl.Schema:
        """Column names and types, in order."""
        return pl.Schema({name: column.dtype for name, column in self.columns.items()})

    def empty(self) -> pl.DataFrame:
        """A frame of this table without rows."""
        return pl.DataFrame(schema=self.schema)


def check(table: Table, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the frame's columns in the table's order, or raise on any that do not fit.

    Raises:
        ValueError: a column is missing, has another type or holds a null it may not;
            that is a bug of whoever built the frame, never of a user.
    """
    schema = frame.schema
    for name, column in table.columns.items():
        if name not in schema:
            raise ValueError(f"{table.name}: expected a column {name!r}, got {frame.columns}")
        if schema[name] != column.dtype:
            raise ValueError(f"{table.name}.{name}: expected {column.dtype}, got {schema[name]}")
        if not column.null and frame[name].null_count():
            raise ValueError(f"{table.name}.{name}: expected no null, got some")
    return frame.select(list(table.columns))


def write(folder: Path, table: Table, frame: pl.DataFrame) -> None:
    """Write `folder/<table>.parquet`, whole or not at all; equal rows give equal bytes."""
    checked = check(table, frame)
    with replacing(folder / f"{table.name}.parquet") as temporary:
        checked.write_parquet(
            temporary, compression="zstd", compression_level=1, row_group_size=ROW_GROUP
        )


def read(folder: Path, table: Table, columns: list[str] | None = None) -> pl.DataFrame:
    """Read `folder/<table>.parquet`, or the named columns of it, checking the types.

    Raises:
        DataError: the file is not there, is broken, or holds another table: people may have
            touched it since a stage wrote it.
    """
    path = folder / f"{table.name}.parquet"
    try:
        if path.is_dir():
            raise IsADirectoryError("a folder")
        frame = pl.read_parquet(path, columns=columns)
    except FileNotFoundError as error:
        raise _broken(path, None, "no such file") from error
    except (IsADirectoryError, pl.exceptions.PolarsError) as error:
        if isinstance(error, pl.exceptions.PolarsError) and "(os error" in str(error):
            raise  # the machine's doing
        raise _broken(path, None, str(error).partition("\n")[0]) from error
    missing = [name for name in columns or table.columns if name not in frame.columns]
    if missing:
        raise _broken(path, missing[0], "no such column")
    return declared(path, table, frame)


def declared(path: Path, table: Table, frame: pl.DataFrame) -> pl.DataFrame:
    """Return columns as they were read of `path`, if each is as the table says.

    Raises:
        DataError: one is not.
    """
    for name, dtype in frame.schema.items():
        if name not in table.columns or dtype != table.columns[name].dtype:
            raise _broken(path, name, f"not the declared column ({dtype})")
    return frame


def _broken(path: Path, column: str | None, got: str) -> DataError:
    fault = Fault(str(path), None, column, "the table as its stage wrote it", got)
    return DataError([fault], remedy="`python -m pipeline` makes anew what is missing or broken")


def attribute(pairs: pl.Series, key: str) -> pl.Series:
    """(rows,) the value of one attribute in a column `attributes`; null where there is none."""
    found = [next((one["value"] for one in of if one["key"] == key), None) for of in pairs]
    return pl.Series(key, found, dtype=pl.String)


def annotated(questions: pl.DataFrame) -> bool:
    """Whether Questions say of any whether its grounding is sufficient, as GaRAGe's do."""
    told = attribute(questions["attributes"], "grounding")
    return told.is_in(["sufficient", "insufficient"]).any()


RESPONSE_KEY = ("system", "repeat", "question")

Documents = Table(
    "documents",
    "The frozen corpus; `doc` is the row, rows are in order of `doc_id`.",
    ("doc",),
    {
        "doc": Column(CODE, "code of the document"),
        "doc_id": Column(TEXT, "the id people gave it"),
        "version": Column(TEXT, "version of this document; null: it names none", null=True),
        "text": Column(TEXT, "the text, code point for code point"),
        "title": Column(TEXT, "title; null: none given", null=True),
        "date": Column(TEXT, "ISO 8601 date; null: none given", null=True),
        "provider": Column(TEXT, "where it comes from; null: not said", null=True),
        "access_groups": Column(TEXTS, "who may read it; null: everybody", null=True),
        "attributes": Column(PAIRS, "any other facts, sorted by key"),
    },
)

Questions = Table(
    "questions",
    "The frozen questions of the chosen split; rows are in order of `question_id`.",
    ("question",),
    {
        "question": Column(CODE, "code of the question"),
        "question_id": Column(TEXT, "the id people gave it"),
        "line": Column(pl.UInt32(), "line of the file it was read from; 0: not known"),
        "text": Column(TEXT, "the question"),
        "split": Column(TEXT, "dev or heldout"),
        "labelled": Column(pl.Boolean(), "whether anybody said which documents are relevant"),
        "annotators": Column(TEXTS, "who labelled it, sorted; empty: not said"),
        "caller_groups": Column(
            TEXTS, "groups of who asks; null: permissions not stated", null=True
        ),
        "asked_at": Column(TEXT, "ISO 8601 time of asking; null: not given", null=True),
        "content_note": Column(TEXT, "a warning about the content; null: none", null=True),
        "attributes": Column(PAIRS, "attributes for slices, sorted by key"),
    },
)

Claims = Table(
    "claims",
    "Expected claims; rows are in order of (question, claim_id), `claim` is the row.",
    ("claim",),
    {
        "claim": Column(CODE, "code of the claim, unique over all questions"),
        "question": Column(CODE, "the question that expects it"),
        "claim_id": Column(TEXT, "its id, unique within the question"),
        "text": Column(TEXT, "the claim in words; null: not given", null=True),
    },
)

Relevance = Table(
    "relevance",
    "Documents that somebody called relevant and that the caller may read.",
    ("question", "doc"),
    {
        "question": Column(CODE, "the question"),
        "doc": Column(CODE, "the document"),
        "yes": Column(pl.UInt16(), "annotators who said yes, 1 or more"),
        "votes": Column(pl.UInt16(), "annotators who labelled it; yes == votes: no dispute"),
        "grade": Column(pl.Float64(), "the highest grade given; 1 where none was", null=False),
    },
)

Support = Table(
    "support",
    "Documents that somebody said support an expected claim and that the caller may read.",
    ("question", "claim", "doc"),
    {
        "question": Column(CODE, "the question"),
        "claim": Column(CODE, "the claim"),
        "doc": Column(CODE, "the document"),
        "yes": Column(pl.UInt16(), "annotators who said yes, 1 or more"),
        "votes": Column(pl.UInt16(), "annotators who labelled it; yes == votes: no dispute"),
    },
)

LookedAt = Table(
    "looked_at",
    "Documents that people looked at when they labelled a question; a labelled question "
    "without a row: the whole corpus.",
    ("question", "doc"),
    {
        "question": Column(CODE, "the question"),
        "doc": Column(CODE, "the document"),
    },
)

Evidence = Table(
    "evidence",
    "The evidence as people marked it, one row a mark, before any rule is applied.",
    ("question", "doc", "claim", "annotator", "start"),
    {
        "question": Column(CODE, "the question"),
        "doc": Column(CODE, "the document"),
        "claim": Column(CODE, "the claim it supports; null: the question at large", null=True),
        "annotator": Column(TEXT, "who marked it; null: not said", null=True),
        "grade": Column(pl.Float64(), "0 is no, above 0 is yes; null: yes, ungraded", null=True),
        "start": Column(
            pl.UInt32(), "first code point of the span; null: whole document", null=True
        ),
        "end": Column(pl.UInt32(), "code point after the span; null: whole document", null=True),
    },
)

Responses = Table(
    "responses",
    "Recorded outputs, one row for each system, repeat and question; empty for a live system.",
    RESPONSE_KEY,
    {
        "system": Column(TEXT, "name of the system"),
        "repeat": Column(pl.UInt32(), "index of the repeat, from 1"),
        "question": Column(CODE, "the question"),
        "line": Column(pl.UInt32(), "line of the file it was read from; 0: it was missing"),
        "status": Column(TEXT, "ok or failed"),
        "error": Column(TEXT, "why it failed; null: it did not", null=True),
        "answer": Column(TEXT, "the answer in words; null: not recorded", null=True),
        "retrieved": Column(CODES, "ranking of documents; null: not stored", null=True),
        "scores": Column(pl.List(pl.Float64()), "scores beside it; null: none", null=True),
        "delivered": Column(CODES, "context the answer stage saw; null: not recorded", null=True),
        "claim_ids": Column(TEXTS, "claims of the answer, in order; null: not recorded", null=True),
        "citations": Column(
            pl.List(TEXTS), "documents each claim cites; null as claim_ids", null=True
        ),
        "input_tokens": Column(pl.UInt64(), "null: not recorded", null=True),
        "output_tokens": Column(pl.UInt64(), "null: not recorded", null=True),
        "cost_usd": Column(pl.Float64(), "null: not recorded", null=True),
        "latency_s": Column(pl.Float64(), "null: not recorded", null=True),
        "attempts": Column(pl.UInt32(), "null: not recorded", null=True),
    },
)

Chunks = Table(
    "chunks",
    "Spans of documents that can be retrieved; `chunk` is the row, in document order.",
    ("chunk",),
    {
        "chunk": Column(CODE, "code of the chunk"),
        "chunk_id": Column(TEXT, "stable id: the same input and settings give the same id"),
        "doc": Column(CODE, "its document"),
        "version": Column(TEXT, "version of that document; null: it names none", null=True),
        "start": Column(pl.UInt32(), "first code point in the document"),
        "end": Column(pl.UInt32(), "code point after its last"),
    },
)

Found = Table(
    "found",
    "Where the publisher of the span metrics sees each chunk; empty where no span is marked.",
    ("chunk",),
    {
        "chunk": Column(CODE, "code of the chunk"),
        "start": Column(pl.UInt32(), "where its text, less a full stop at the end, first occurs"),
        "end": Column(pl.UInt32(), "code point after that"),
    },
)

Ranking = Table(
    "ranking",
    "Chunks by rank, best first, for each response.",
    RESPONSE_KEY,
    {
        "system": Column(TEXT, "name of the system"),
        "repeat": Column(pl.UInt32(), "index of the repeat, from 1"),
        "question": Column(CODE, "the question"),
        "chunks": Column(CODES, "ranked chunks, none twice; null: the ranking was lost", null=True),
        "scores": Column(pl.List(pl.Float64()), "scores beside them; null: none", null=True),
    },
)

Answers = Table(
    "answers",
    "What each system answered and the context it was given.",
    RESPONSE_KEY,
    {
        "system": Column(TEXT, "name of the system"),
        "repeat": Column(pl.UInt32(), "index of the repeat, from 1"),
        "question": Column(CODE, "the question"),
        "status": Column(TEXT, "ok or failed"),
        "error": Column(TEXT, "why it failed; null: it did not", null=True),
        "answer": Column(TEXT, "the answer in words; null: none stored", null=True),
        "context": Column(CODES, "delivered chunks, in order; null: not known", null=True),
        "context_recorded": Column(pl.Boolean(), "true: stored by the system; false: inferred"),
        "claim_ids": Column(
            TEXTS, "claims of the answer; null: not stated by the answerer", null=True
        ),
        "citations": Column(pl.List(TEXTS), "ids each claim cites; null as claim_ids", null=True),
        "quotes": Column(
            QUOTES,
            "spans of documents that the answer is made of, each with the delivered chunk it "
            "cites; null: not an answer of quotes",
            null=True,
        ),
        "sentences": Column(
            SENTENCES,
            "sentences of the answer, by code points, each with the delivered chunks that its "
            "marks cite (-1: a mark outside of the context) and the marks as they were written; "
            "null: not an answer with marks",
            null=True,
        ),
    },
)

Usage = Table(
    "usage",
    "What each answer cost; calls that answers share count once. No score depends on it.",
    RESPONSE_KEY,
    {
        "system": Column(TEXT, "name of the system"),
        "repeat": Column(pl.UInt32(), "index of the repeat, from 1"),
        "question": Column(CODE, "the question"),
        "input_tokens": Column(pl.UInt64(), "null: not recorded", null=True),
        "output_tokens": Column(pl.UInt64(), "null: not recorded", null=True),
        "cost_usd": Column(pl.Float64(), "null: not recorded", null=True),
        "latency_s": Column(pl.Float64(), "null: not recorded", null=True),
        "attempts": Column(pl.UInt32(), "null: not recorded", null=True),
    },
)

Calls = Table(
    "calls",
    "What each call of a model that judges cost. No score depends on it.",
    ("kind", "call"),
    {
        "kind": Column(TEXT, "what it was for, in a word"),
        "call": Column(TEXT, "hash of what was asked of whom"),
        "ok": Column(pl.Boolean(), "whether it was answered"),
        "input_tokens": Column(pl.UInt64(), "over all attempts; null: not known", null=True),
        "output_tokens": Column(pl.UInt64(), "likewise", null=True),
        "cost_usd": Column(pl.Float64(), "likewise", null=True),
        "latency_s": Column(
            pl.Float64(), "of the attempt that answered; null: none did", null=True
        ),
        "attempts": Column(pl.UInt32(), "how many there were"),
    },
)

Statements = Table(
    "statements",
    "The claims of each answer on codes, as the judge found them.",
    RESPONSE_KEY,
    {
        "system": Column(TEXT, "name of the system"),
        "repeat": Column(pl.UInt32(), "index of the repeat, from 1"),
        "question": Column(CODE, "the question"),
        "judged": Column(pl.Boolean(), "false: the judge failed on this answer"),
        "claims": Column(
            SIGNED_CODES,
            "expected claim that each stated claim is, -1: none; null: no record of claims",
            null=True,
        ),
        "cited": Column(pl.List(pl.UInt32()), "how many citations each claim has", null=True),
        "citations": Column(
            SIGNED_CODES, "documents cited, claim after claim; -1: not in the corpus", null=True
        ),
        "chunks": Column(
            SIGNED_CODES,
            "chunk that each citation names, -1: a document; null: each names a document",
            null=True,
        ),
        "claim_ids": Column(
            TEXTS, "name of each claim: the expected claim's, or the answer's own", null=True
        ),
        "cited_ids": Column(pl.List(TEXTS), "ids each claim cites, as people read them", null=True),
    },
)

DRAW = "#"
"""Stands in a verdict's kind, or a judge's name, before the number of a draw after the first."""

Verdicts = Table(
    "verdicts",
    "What was ruled on each answer, one row an item; empty where nothing was.",
    (*RESPONSE_KEY, "kind", "item", "against"),
    {
        "system": Column(TEXT, "name of the system"),
        "repeat": Column(pl.UInt32(), "index of the repeat, from 1"),
        "question": Column(CODE, "the question"),
        "kind": Column(
            TEXT, "what was asked of the item, as in `records.Verdict`, #n at its end: by draw n"
        ),
        "item": Column(
            pl.UInt32(),
            "index of the claim ruled on, from 0; null: the whole text, which is there also "
            "where it holds no claim",
            null=True,
        ),
        "against": Column(
            pl.UInt32(),
            "index of the passage in the delivered context, from 0; null: no single passage",
            null=True,
        ),
        "label": Column(TEXT, "the ruling, as recorded; null: on the claims only", null=True),
        "text": Column(TEXT, "the item in words; null: they stand elsewhere", null=True),
        "quote": Column(
            TEXT, "words of a passage that the ruling rests on; null: none given", null=True
        ),
        "passages": Column(
            CODES,
            "indices of the passages in the delivered context, from 0, that the ruling rests "
            "on; null: not said",
            null=True,
        ),
        "judge": Column(TEXT, "name of who ruled; null: not recorded", null=True),
    },
)
