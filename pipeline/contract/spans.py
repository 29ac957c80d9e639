"""The text of chunks: what lies between their offsets, which count code points; and its place."""

import polars as pl


def chunk_texts(chunks: pl.DataFrame, documents: pl.DataFrame) -> list[str]:
    """Chunks, Documents -> the text of each chunk: `document[start:end]`."""
    texts = documents["text"].to_list()
    return [
        texts[doc][start:end]
        for doc, start, end in chunks.select("doc", "start", "end").iter_rows()
    ]


def titled(chunks: pl.DataFrame, documents: pl.DataFrame) -> list[str]:
    """Chunks, Documents -> each chunk as a model is sent it: below its document's title."""
    titles = documents["title"].gather(chunks["doc"])
    return [
        f"{title}\n\n{text}" if title else text
        for title, text in zip(titles, chunk_texts(chunks, documents), strict=True)
    ]


def refound(chunks: pl.DataFrame, documents: pl.DataFrame, sought: set[int]) -> pl.DataFrame:
    """Place chunks as the publisher of the span metrics does: by looking for their text.

    Less one full stop at its end the text is taken where it first occurs in the document.

    Args:
        chunks: Chunks.
        documents: Documents.
        sought: codes of the documents whose chunks have to be in their place; of the others
            only the length counts.

    Returns:
        Found, row for row.
    """
    texts = documents["text"].to_list()
    found = []
    for doc, start, end in chunks.select("doc", "start", "end").iter_rows():
        text = texts[doc]
        last = end - (text[end - 1] == ".")
        at = text.find(text[start:last]) if doc in sought else start
        found.append((at, at + last - start))
    return pl.DataFrame(
        {
            "chunk": chunks["chunk"],
            "start": pl.Series([start for start, _ in found], dtype=pl.UInt32),
            "end": pl.Series([end for _, end in found], dtype=pl.UInt32),
        }
    )
