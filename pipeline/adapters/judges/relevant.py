"""Which delivered chunks are relevant, as people labelled them."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from pipeline.contract.tables import attribute

Spans = list[tuple[int, int]]

GROUNDS = "relevant_passage"
"""A document's attribute, YES or NO, in sets whose gold set is not their relevant documents."""


@dataclass(frozen=True)
class Relevant:
    """What is known of relevance.

    Attributes:
        labelled: questions that somebody labelled.
        docs: (question, document) that somebody called relevant.
        marked: spans that somebody marked in such a document, where there are some.
        told: documents of which `GROUNDS` is told, and whether it is YES.
        places: document and span of each chunk that was delivered.
    """

    labelled: frozenset[int]
    docs: frozenset[tuple[int, int]]
    marked: dict[tuple[int, int], Spans]
    told: dict[int, bool]
    places: dict[int, tuple[int, int, int]]

    @classmethod
    def of(
        cls,
        questions: pl.DataFrame,
        relevance: pl.DataFrame,
        evidence: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
    ) -> "Relevant":
        """Questions, Relevance, Evidence, the delivered Chunks, Documents -> what is known."""
        marked: dict[tuple[int, int], Spans] = {}
        spans = evidence.filter(
            pl.col("start").is_not_null(), pl.col("grade").is_null() | (pl.col("grade") > 0)
        )
        for question, doc, start, end in spans.select(
            "question", "doc", "start", "end"
        ).iter_rows():
            marked.setdefault((question, doc), []).append((start, end))
        used = documents.select("doc", "attributes").filter(
            pl.col("doc").is_in(chunks["doc"].unique().implode())
        )
        told = zip(used["doc"], attribute(used["attributes"], GROUNDS), strict=True)
        places = chunks.select("chunk", "doc", "start", "end").iter_rows()
        return cls(
            frozenset(questions.filter("labelled")["question"]),
            frozenset(relevance.select("question", "doc").iter_rows()),
            marked,
            {doc: value == "YES" for doc, value in told if value is not None},
            {chunk: place for chunk, *place in places},  # type: ignore[misc]  # three numbers
        )

    def positions(self, question: int, context: Sequence[int]) -> tuple[int, ...] | None:
        """Positions in a context of its relevant chunks; None: nobody labelled the question.

        A chunk is relevant when its document is, and, where spans of that document are
        marked, when it holds a character of one.
        """
        if any(self.places[chunk][0] in self.told for chunk in context):
            kept = (at for at, c in enumerate(context) if self.told.get(self.places[c][0]))
            return tuple(kept)
        if question not in self.labelled:
            return None
        return tuple(at for at, chunk in enumerate(context) if self._held(question, chunk))

    def _held(self, question: int, chunk: int) -> bool:
        doc, start, end = self.places[chunk]
        if (question, doc) not in self.docs:
            return False
        spans = self.marked.get((question, doc), [(start, end)])
        return any(max(start, low) < min(end, high) for low, high in spans)
