"""Answers made of the sentences of the context that cover a question best: no model, no network."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import polars as pl
from msgspec import Meta

from pipeline.adapters.answerers.asking import ENGLISH
from pipeline.adapters.answerers.passages import Corpus, covered
from pipeline.adapters.chunkers.sentence import Tongue
from pipeline.adapters.chunkers.spans import Span
from pipeline.adapters.retrievers.terms import Language, analysis
from pipeline.contract.tables import RESPONSE_KEY, Answers, Usage

LOST = "no context to answer from: the ranking was lost"

Share = Annotated[float, Meta(ge=0, le=1)]
Quote = dict[str, int]


@dataclass(frozen=True)
class Extractive:
    """Quotes at most `sentences` sentences of the context, each citing its chunk, or abstains.

    A sentence scores the share of the question's weight that it covers, by how rare each
    term is among all chunks; a term that no chunk has counts as the rarest. A term that only
    the document's title has counts `title` of that, one that only the rest of the chunk has
    `around`. Quoted is what reaches `threshold` and `within` of the best sentence's score;
    equal scores go by rank of the chunk, then by place. What overlaps a better quote of the
    same document is left out. Without any sentence that reaches the threshold it abstains. A
    sentence of more than `longest` code points, as a table seems to be, is taken by line.
    """

    draws: ClassVar[bool] = False

    sentences: Annotated[int, Meta(ge=1)]
    longest: Annotated[int, Meta(ge=1)]
    threshold: Share
    within: Share
    title: Share
    around: Share
    stemmer: Language | None
    stop_words: Literal["en"] | None
    language: Tongue

    def answer(
        self,
        questions: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
        contexts: pl.DataFrame,
        responses: pl.DataFrame,  # noqa: ARG002 - the port's argument
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Questions with their contexts -> Answers, Usage, row for row; nothing is spent.

        An abstention has no words and no quotes; where the ranking was lost the answer failed.
        """
        corpus = Corpus.of(
            chunks,
            documents,
            analysis(self.stemmer, self.stop_words),
            language=self.language,
            longest=self.longest,
            ignored=ENGLISH if self.stop_words else (),
        )
        asked = dict(questions.select("question", "text").iter_rows())
        quotes = [
            None if context is None else self._quotes(corpus, asked[question], context)
            for question, context in contexts.select("question", "chunks").iter_rows()
        ]
        words = [
            _words(corpus, context, found) if found else None
            for context, found in zip(contexts["chunks"].to_list(), quotes, strict=True)
        ]
        lost = pl.col("chunks").is_null()
        answers = contexts.select(
            *RESPONSE_KEY,
            pl.when(lost).then(pl.lit("failed")).otherwise(pl.lit("ok")).alias("status"),
            pl.when(lost).then(pl.lit(LOST)).alias("error"),
            pl.Series("answer", words, dtype=pl.String),
            pl.col("chunks").alias("context"),
            pl.lit(value=True).alias("context_recorded"),
            *_nulls("claim_ids", "citations", "sentences"),
            pl.Series("quotes", quotes, dtype=Answers.schema["quotes"]),
        )
        spent = [name for name in Usage.columns if name not in RESPONSE_KEY]
        nothing = (pl.lit(None, Usage.schema[name]).alias(name) for name in spent)
        return answers.select(list(Answers.columns)), contexts.select(*RESPONSE_KEY, *nothing)

    def _quotes(self, corpus: Corpus, question: str, context: list[int]) -> list[Quote]:
        """The quotes of one answer, best first."""
        ranked = sorted(self._scored(corpus, question, context))
        chosen: list[tuple[int, Span]] = []
        quotes: list[Quote] = []
        for lost, _, (start, end), chunk in ranked:
            if len(quotes) == self.sentences or -lost < self.within * -ranked[0][0]:
                break
            doc = corpus.chunk(chunk).doc
            if all(doc != d or end <= other[0] or other[1] <= start for d, other in chosen):
                chosen.append((doc, (start, end)))
                quotes.append({"chunk": chunk, "start": start, "end": end})
        return quotes

    def _scored(
        self, corpus: Corpus, question: str, context: list[int]
    ) -> Iterator[tuple[float, int, Span, int]]:
        """Each sentence that may be quoted: its score, negative, its rank, place and chunk."""
        asked = corpus.question(question)
        for rank, code in enumerate(context):
            chunk = corpus.chunk(code)
            for span, terms in chunk.sentences:
                score = covered(asked, terms, chunk, title=self.title, around=self.around)
                if score > 0 and score >= self.threshold:
                    yield -score, rank, span, code


def _words(corpus: Corpus, context: list[int], quotes: list[Quote]) -> str:
    """The quotes, each followed by the place of its chunk in the context, from 1."""
    said = (
        f"{' '.join(corpus.text(q['chunk'], q['start'], q['end']).split())} "
        f"[{context.index(q['chunk']) + 1}]"
        for q in quotes
    )
    return " ".join(said)


def _nulls(*names: str) -> Iterator[pl.Expr]:
    return (pl.lit(None, Answers.schema[name]).alias(name) for name in names)
