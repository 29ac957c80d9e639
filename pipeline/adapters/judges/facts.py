"""What a judge replies of the sentences of an answer: a label each, with its evidence."""

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import Struct

from pipeline.adapters.judges.replied import (
    TEXT,
    WHOLE,
    UnreadableError,
    decoded,
    even,
    shape,
)

Label = Literal["Supported", "Unsupported", "Contradictory", "No claim"]
GROUNDED = ("Supported", "Contradictory")
"""Labels that rest on words of a passage."""


class Fact(Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence of an answer, from 1, and what the passages with these numbers make of it."""

    sentence: int
    passages: tuple[int, ...]
    quote: str
    label: Label


class Facts(Struct, frozen=True, forbid_unknown_fields=True):
    """Each sentence of an answer, in order."""

    sentences: tuple[Fact, ...]


FACT_SCHEMA = shape(
    sentence=WHOLE,
    passages={"type": "array", "items": WHOLE},
    quote=TEXT,
    label={"type": "string", "enum": list(get_args(Label))},
)
FACTS_SCHEMA = shape(sentences={"type": "array", "items": FACT_SCHEMA})


def facts(reply: str, sentences: int, passages: Mapping[int, str]) -> Facts:
    """Read rulings on the sentences of an answer.

    Args:
        reply: the judge's words.
        sentences: how many there are.
        passages: the passages as they were sent, by their numbers.

    Raises:
        UnreadableError: it is no JSON of the schema; it does not rule on each sentence once and
            in order; it names a passage that was not sent; or a ruling that rests on words of
            a passage gives none that stand there, white space and case aside.
    """
    found = decoded(reply, Facts)
    given = [fact.sentence for fact in found.sentences]
    if given != list(range(1, sentences + 1)):
        raise UnreadableError(f"sentences has {given}, not 1 to {sentences}, each once, in order")
    for at, fact in enumerate(found.sentences):
        fault = _unfounded(fact, passages)
        if fault:
            raise UnreadableError(f"sentences[{at}].{fault}")
    return found


def _unfounded(fact: Fact, passages: Mapping[int, str]) -> str | None:
    strange = next((n for n in fact.passages if n not in passages), None)
    if strange is not None:
        return f"passages has {strange}, no number of a passage"
    quote = even(fact.quote)
    stands = quote and any(quote in even(passages[n]) for n in fact.passages)
    if fact.label in GROUNDED and not stands:
        return f"label is {fact.label}, and quote does not stand in a passage of passages"
    return None
