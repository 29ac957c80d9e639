"""Claims of answers made of quotes: what people marked in the words that are quoted."""

import polars as pl

from pipeline.contract.tables import RESPONSE_KEY, Statements

KEY = ("row", "first", "claim")
"""Names a statement of a row and orders them: by the first quote that makes it."""


def quoted(
    rows: pl.DataFrame,
    claims: pl.DataFrame,
    evidence: pl.DataFrame,
    chunks: pl.DataFrame,
    documents: pl.DataFrame,
) -> pl.DataFrame:
    """Judge answers of quotes.

    A quote states an expected claim of its question when it shares a code point with a span
    that somebody marked for that claim with yes. Each claim stated is one statement, which
    cites the chunks of the quotes that state it, in order and each once. A quote that states
    none is an extra claim, named `<doc_id>#<start>-<end>`.

    Args:
        rows: Answers with `quotes`, and a column `row`.
        claims: Claims.
        evidence: Evidence.
        chunks: Chunks.
        documents: Documents, the columns `doc` and `doc_id` at least.

    Returns:
        Statements with the column `row`. `claims` and what hangs on it is null for each
        answer to a question that expects a claim which no span marks: whether the answer
        states it cannot be known.
    """
    marks = evidence.filter(
        pl.col("claim").is_not_null(),
        pl.col("start").is_not_null(),
        pl.col("grade").is_null() | (pl.col("grade") > 0),
    ).select("question", "doc", "claim", mark_start="start", mark_end="end")
    unknown = claims.join(marks, on=["question", "claim"], how="anti")["question"].unique()
    quotes = _quotes(rows, chunks, documents)
    known = ~pl.col("question").is_in(unknown.implode())
    stated = (
        _stated(quotes, marks, claims)
        .group_by("row")
        .agg(
            claims="claim",
            cited=pl.col("chunk").list.len(),
            citations=pl.col("doc").explode(empty_as_null=False, keep_nulls=False),
            chunks=pl.col("chunk").explode(empty_as_null=False, keep_nulls=False),
            claim_ids="claim_id",
            cited_ids="chunk_id",
        )
    )
    lists = [name for name in stated.columns if name != "row"]
    return (
        rows.select("row", *RESPONSE_KEY)
        .join(stated, on="row", how="left", maintain_order="left")
        .with_columns(pl.lit(value=True).alias("judged"))
        .with_columns(pl.when(known).then(_or_none(name)).alias(name) for name in lists)
        .select("row", *Statements.columns)
    )


def _quotes(rows: pl.DataFrame, chunks: pl.DataFrame, documents: pl.DataFrame) -> pl.DataFrame:
    """One row a quote: its place `at` among all, its document, and the chunk that it cites."""
    return (
        rows.select("row", "question", "quotes")
        .explode("quotes", empty_as_null=False, keep_nulls=False)
        .unnest("quotes")
        .with_row_index("at")
        .join(chunks.select("chunk", "chunk_id", "doc"), on="chunk", how="left")
        .join(documents.select("doc", "doc_id"), on="doc", how="left")
        .with_columns(pl.col("chunk", "doc").cast(pl.Int32))
    )


def _stated(quotes: pl.DataFrame, marks: pl.DataFrame, claims: pl.DataFrame) -> pl.DataFrame:
    """One row a statement, in order: its claim, its name, and lists of what it cites."""
    shared = pl.min_horizontal("end", "mark_end").cast(pl.Int64) - pl.max_horizontal(
        "start", "mark_start"
    ).cast(pl.Int64)
    hits = (
        quotes.with_columns(pl.col("doc").cast(marks.schema["doc"]).alias("marked"))
        .join(marks, left_on=["question", "marked"], right_on=["question", "doc"])
        .filter(shared >= 1)
        .select("at", "claim")
        .unique()
    )
    names = claims.select("claim", "claim_id")
    expected = quotes.join(hits.join(names, on="claim", how="left"), on="at")
    extra = quotes.join(hits, on="at", how="anti").with_columns(
        claim_id=pl.format("{}#{}-{}", "doc_id", "start", "end")
    )
    first = pl.col("at").min().over("row", "claim")
    columns = ("row", "at", "first", "claim", "claim_id", "doc", "chunk", "chunk_id")
    both = pl.concat(
        [
            expected.with_columns(pl.col("claim").cast(pl.Int32), first=first).select(columns),
            extra.with_columns(claim=pl.lit(-1, pl.Int32), first="at").select(columns),
        ]
    )
    return (
        both.sort("at")
        .unique([*KEY, "chunk"], keep="first", maintain_order=True)
        .group_by(*KEY, "claim_id")
        .agg("doc", "chunk", "chunk_id")
        .sort(KEY)
    )


def _or_none(name: str) -> pl.Expr:
    """The column, with an empty list where the answer states nothing."""
    return pl.col(name).fill_null(pl.lit([], Statements.schema[name]))
