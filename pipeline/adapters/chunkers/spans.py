"""Spans `[start, end)` in code points, and the Chunks made of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import polars as pl

from pipeline.contract.tables import CODE, Chunks

Span = tuple[int, int]


def chunked(documents: pl.DataFrame, cut: Callable[[str], Iterable[Span]]) -> pl.DataFrame:
    """Documents -> Chunks: the spans that `cut` finds in each text.

    A span that repeats the one before is left out. A text in which `cut` finds nothing
    (it is all white space) is one chunk, so that each document has one; only an empty
    text has none. A chunk's id is `<doc_id>#<start>-<end>`.
    """
    ids: list[str] = []
    docs: list[int] = []
    versions: list[str | None] = []
    starts: list[int] = []
    ends: list[int] = []
    columns = documents.select("doc", "doc_id", "version", "text")
    for doc, doc_id, version, text in columns.iter_rows():
        spans = list(dict.fromkeys(cut(text))) or ([(0, len(text))] if text else [])
        for start, end in spans:
            ids.append(f"{doc_id}#{start}-{end}")
            docs.append(doc)
            versions.append(version)
            starts.append(start)
            ends.append(end)
    return pl.DataFrame(
        {
            "chunk": pl.Series(range(len(ids)), dtype=CODE),
            "chunk_id": pl.Series(ids, dtype=pl.String),
            "doc": pl.Series(docs, dtype=CODE),
            "version": pl.Series(versions, dtype=pl.String),
            "start": pl.Series(starts, dtype=pl.UInt32),
            "end": pl.Series(ends, dtype=pl.UInt32),
        },
        schema=Chunks.schema,
    )


def stripped(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Each span without the white space at its ends; blank ones are left out."""
    for start, end in spans:
        piece = text[start:end]
        left = start + len(piece) - len(piece.lstrip())
        right = end - len(piece) + len(piece.rstrip())
        if left < right:
            yield left, right


def merged(
    pieces: Sequence[Span], lengths: Sequence[int], *, chunk_size: int, overlap: int, joint: int
) -> list[Span]:
    """Join neighbouring pieces to spans of at most `chunk_size`, as many as fit.

    Args:
        pieces: adjoining spans in order.
        lengths: the length of each, measured on its own; a span's is their sum.
        chunk_size: what a span may measure; a longer piece is a span by itself.
        overlap: how much of its end a span may share with the next, in whole pieces.
        joint: what each seam between two pieces adds.
    """
    spans: list[Span] = []
    first = total = 0
    for last, length in enumerate(lengths):
        if last > first and total + length + joint > chunk_size:
            spans.append((pieces[first][0], pieces[last - 1][1]))
            while total > overlap or (
                total > 0 and total + length + (joint if last > first else 0) > chunk_size
            ):
                total -= lengths[first] + (joint if last - first > 1 else 0)
                first += 1
        total += length + (joint if last > first else 0)
    if pieces:
        spans.append((pieces[first][0], pieces[-1][1]))
    return spans
