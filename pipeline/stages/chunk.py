"""Cut the documents into chunks.

Reads   freeze/documents, freeze/evidence
Writes  chunk/chunks, chunk/found
"""

from pathlib import Path

import polars as pl

from pipeline.contract.files import replacing, write_json
from pipeline.contract.ports import Chunker
from pipeline.contract.spans import refound
from pipeline.contract.tables import Chunks, Documents, Evidence, Found, read, write
from pipeline.settings import describe


def run(data: Path, *, chunker: Chunker) -> str:
    """Cut every document; return one line on what came out.

    Raises:
        ValueError: the chunker left a document out or gave offsets outside of it.
    """
    documents = read(data / "freeze", Documents)

    chunks = chunker.cut(documents)

    lengths = documents.select("doc", length=documents["text"].str.len_chars())
    outside = chunks.join(lengths, on="doc", how="left").filter(
        (pl.col("start") >= pl.col("end")) | (pl.col("end") > pl.col("length"))
    )
    if len(outside) or chunks["doc"].n_unique() != len(documents):
        raise ValueError(f"chunk: expected spans inside every document, got {outside.head(3)}")
    evidence = read(data / "freeze", Evidence, ["doc", "start"])
    marked = evidence["start"].null_count() < len(evidence)
    found = refound(chunks, documents, set(evidence["doc"])) if marked else Found.empty()

    with replacing(data / "chunk") as folder:
        write(folder, Chunks, chunks)
        write(folder, Found, found)
        write_json(folder / "settings.json", {"chunker": describe(chunker)})
    return f"{len(chunks):,} chunks of {len(documents):,} documents"
