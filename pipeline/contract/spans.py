"""The text of chunks: what lies between their offsets, which count code points."""

import polars as pl


def chunk_texts(chunks: pl.DataFrame, documents: pl.DataFrame) -> list[str]:
    """Chunks, Documents -> the text of each chunk: `document[start:end]`."""
    texts = documents["text"].to_list()
    return [
        texts[doc][start:end]
        for doc, start, end in chunks.select("doc", "start", "end").iter_rows()
    ]
