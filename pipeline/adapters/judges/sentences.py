"""The parts of an answer that can each state claims, and the passages that each cites."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.adapters.answerers.marks import cited
from pipeline.adapters.judges.cases import Case


@dataclass(frozen=True)
class Unit:
    """A sentence of an answer, or a quote, and the marks it bears.

    Attributes:
        text: its words.
        marks: numbers of the delivered passages that it cites, from 1; 0: one that was not
            delivered.
    """

    text: str
    marks: tuple[int, ...]


def units(row: dict[str, Any], case: Case, texts: Sequence[str], language: str) -> tuple[Unit, ...]:
    """The parts of an answer that can each state claims.

    Args:
        row: of Answers.
        case: the answer as judges read it.
        texts: text of each document.
        language: whose rules find the sentences of an answer in words.
    """
    if case.text is None:
        return ()
    place = {passage.chunk: at for at, passage in enumerate(case.context, 1)}
    if row["quotes"]:
        doc = {passage.chunk: passage.doc for passage in case.context}
        return tuple(
            Unit(texts[doc[q["chunk"]]][q["start"] : q["end"]], (place[q["chunk"]],))
            for q in row["quotes"]
        )
    context = [passage.chunk for passage in case.context]
    sentences = row["sentences"]
    if sentences is None:
        sentences = cited(case.text, context, language)
    return tuple(
        Unit(
            case.text[one["start"] : one["end"]],
            tuple(dict.fromkeys(place.get(chunk, 0) for chunk in one["chunks"])),
        )
        for one in sentences
    )
