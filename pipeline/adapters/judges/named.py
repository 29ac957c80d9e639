"""Claims that the record of an answer names: the expected claim of that id, or an extra one."""

import polars as pl

from pipeline.contract.tables import RESPONSE_KEY, SIGNED_CODES, Statements


def named(rows: pl.DataFrame, claims: pl.DataFrame, documents: pl.DataFrame) -> pl.DataFrame:
    """Answers with a column `row`, Claims, Documents -> Statements with that column.

    An answer without a record of claims keeps nulls.
    """
    stated = (
        rows.select("row", "question", claim_id="claim_ids", cited="citations")
        .explode("claim_id", "cited", empty_as_null=False, keep_nulls=False)
        .join(
            claims.select("question", "claim_id", pl.col("claim").cast(pl.Int32)),
            on=["question", "claim_id"],
            how="left",
            maintain_order="left",
        )
    )
    known = documents.select(pl.col("doc_id"), pl.col("doc").cast(pl.Int32))
    cited = (
        stated.select("row", doc_id="cited")
        .explode("doc_id", empty_as_null=False, keep_nulls=False)
        .join(known, on="doc_id", how="left", maintain_order="left")
    )
    by_row = stated.group_by("row", maintain_order=True).agg(
        pl.col("claim").fill_null(-1).alias("claims"), pl.col("cited").list.len().alias("cited")
    )
    citations = cited.group_by("row", maintain_order=True).agg(
        pl.col("doc").fill_null(-1).alias("citations")
    )
    recorded = pl.col("claim_ids").is_not_null()
    none = pl.lit([], SIGNED_CODES)
    return (
        rows.join(by_row, on="row", how="left", maintain_order="left")
        .join(citations, on="row", how="left", maintain_order="left", suffix="_codes")
        .select(
            "row",
            *RESPONSE_KEY,
            pl.lit(value=True).alias("judged"),
            pl.when(recorded).then(pl.col("claims").fill_null(none)).alias("claims"),
            pl.when(recorded)
            .then(pl.col("cited").fill_null(pl.lit([], pl.List(pl.UInt32))))
            .alias("cited"),
            pl.when(recorded).then(pl.col("citations_codes").fill_null(none)).alias("citations"),
            pl.lit(None, SIGNED_CODES).alias("chunks"),
            "claim_ids",
            pl.col("citations").alias("cited_ids"),
        )
        .select("row", *Statements.columns)
    )


def named_instead(
    statements: pl.DataFrame, answers: pl.DataFrame, claims: pl.DataFrame, documents: pl.DataFrame
) -> pl.DataFrame:
    """Statements, with what the records of answers name in its place."""
    rows = answers.with_row_index("row")
    by_name = pl.col("claim_ids").is_not_null()
    asked = statements.with_row_index("row").filter(answers.select(~by_name).to_series())
    both = [asked, named(rows.filter(by_name), claims, documents).select(asked.columns)]
    return pl.concat(both).sort("row").drop("row")
