"""Sentences of chunks with their terms, and how much of a question they cover."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import fsum, log

import polars as pl

from pipeline.adapters.chunkers.sentence import sentences
from pipeline.adapters.chunkers.spans import Span, stripped
from pipeline.adapters.retrievers.terms import Analysis
from pipeline.contract.spans import chunk_texts

Terms = frozenset[int]


@dataclass(frozen=True)
class Chunk:
    """A chunk as its document has it: spans are in code points of the document."""

    doc: int
    title: Terms
    terms: Terms
    sentences: list[tuple[Span, Terms]]


@dataclass(frozen=True)
class Corpus:
    """Every chunk by its code, and what each term weighs.

    Sentences are looked for when a chunk is asked for, and once.
    """

    analysis: Analysis
    language: str
    longest: int
    texts: list[str]
    terms: list[list[int]]
    places: list[tuple[int, int]]
    titles: list[str | None]
    weights: Mapping[int, float]
    ignored: Terms
    _found: dict[int, Chunk] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
        analysis: Analysis,
        *,
        language: str,
        longest: int,
        ignored: Iterable[str],
    ) -> "Corpus":
        """Make the corpus of Chunks and Documents.

        A term weighs ln(1 + (N - n + 0.5) / (n + 0.5)), as in BM25: N chunks, n of them
        with the term. Sentences go by the rules of `language`; one of more than `longest`
        code points is cut at its line breaks. `ignored` are words of questions that count
        for nothing.
        """
        texts = chunk_texts(chunks, documents)
        terms = analysis.index(texts)
        having = Counter(term for found in terms for term in set(found))
        return cls(
            analysis,
            language,
            longest,
            texts,
            terms,
            places=list(chunks.select("doc", "start").iter_rows()),
            titles=documents["title"].to_list(),
            weights={term: _idf(len(texts), n) for term, n in having.items()},
            ignored=frozenset(term for found in analysis.index(list(ignored)) for term in found),
        )

    def question(self, text: str) -> dict[int, float]:
        """The terms of a question with their weights, in order; a term of no chunk has most."""
        (found,) = self.analysis.index([text])
        unseen = _idf(len(self.texts), 0)
        return {t: self.weights.get(t, unseen) for t in found if t not in self.ignored}

    def chunk(self, code: int) -> Chunk:
        """The chunk of this code."""
        if code not in self._found:
            doc, start = self.places[code]
            self._found[code] = Chunk(
                doc,
                self._terms(self.titles[doc] or ""),
                frozenset(self.terms[code]),
                list(self._sentences(code, start)),
            )
        return self._found[code]

    def text(self, code: int, start: int, end: int) -> str:
        """What a chunk says between two code points of its document."""
        shift = self.places[code][1]
        return self.texts[code][start - shift : end - shift]

    def _sentences(self, code: int, shift: int) -> Iterator[tuple[Span, Terms]]:
        text = self.texts[code]
        for start, end in stripped(text, _pieces(text, self.language, self.longest)):
            yield (shift + start, shift + end), self._terms(text[start:end])

    def _terms(self, text: str) -> Terms:
        """The terms of a text, also new ones, so that what was asked before changes nothing."""
        return frozenset(self.analysis.index([text])[0])


def covered(
    asked: Mapping[int, float], sentence: Terms, chunk: Chunk, *, title: float, around: float
) -> float:
    """Share of a question's weight that a sentence covers.

    Args:
        asked: weight of each term of the question.
        sentence: the terms of the sentence.
        chunk: the chunk it stands in.
        title: what a term counts that only the document's title has, 0 to 1.
        around: what a term counts that the chunk has elsewhere, 0 to 1.

    Returns:
        A number from 0 to 1; 0 where the sentence itself has no term of the question.
    """
    if sentence.isdisjoint(asked):
        return 0.0
    shares = (
        weight
        * (
            1.0
            if term in sentence
            else max(title * (term in chunk.title), around * (term in chunk.terms))
        )
        for term, weight in asked.items()
    )
    return fsum(shares) / fsum(asked.values())


def _pieces(text: str, language: str, longest: int) -> Iterator[Span]:
    """Sentences, the long ones by line: tables and lists have no other ends."""
    for start, end in sentences(text, language):
        if end - start <= longest:
            yield start, end
            continue
        for line in text[start:end].splitlines(keepends=True):
            yield start, start + len(line)
            start += len(line)


def _idf(chunks: int, having: int) -> float:
    return log(1 + (chunks - having + 0.5) / (having + 0.5))
