"""The whole document as one chunk, so that rankings of documents are rankings of chunks."""

from dataclasses import dataclass

import polars as pl

from pipeline.contract.tables import CODE, Chunks


@dataclass(frozen=True)
class Document:
    """One chunk for each document; its code and id are the document's own."""

    def cut(self, documents: pl.DataFrame) -> pl.DataFrame:
        """Documents -> Chunks, each from 0 to the document's length in code points."""
        return documents.select(
            pl.col("doc").alias("chunk"),
            pl.col("doc_id").alias("chunk_id"),
            "doc",
            "version",
            pl.lit(0, pl.UInt32).alias("start"),
            pl.col("text").str.len_chars().cast(CODE).alias("end"),
        ).select(list(Chunks.columns))
