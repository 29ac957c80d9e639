"""What a judge replies: its schemas, and how its words are read against what was asked."""

import re
from collections.abc import Collection
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

BLOCK = re.compile(r"\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*", re.DOTALL)
"""A reply that is one block of code: models without structured output write it so."""

Shape = TypeVar("Shape")


class UnreadableError(ValueError):
    """A reply that does not fit what was asked; its message says why, to the model too."""


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """A claim of an answer: the expected claim it is, from 1, or 0, and the marks it bears."""

    text: str
    expected: Annotated[int, Meta(ge=0)]
    citations: tuple[int, ...]


class Extraction(Struct, frozen=True, forbid_unknown_fields=True):
    """The claims of an answer in order, and what it is as a whole."""

    claims: tuple[Claim, ...]
    deflects: bool
    eligible: bool


class Support(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a passage supports a claim, and the words of the passage that say so."""

    quote: str
    supported: bool


class Whole(Struct, frozen=True, forbid_unknown_fields=True):
    """What an answer is as a whole."""

    deflects: bool
    eligible: bool


def shape(**properties: Any) -> dict[str, Any]:
    """The schema of an object that has these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


TEXT, WHOLE, TRUTH = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
CLAIM_SCHEMA = shape(text=TEXT, expected=WHOLE, citations={"type": "array", "items": WHOLE})
EXTRACTION_SCHEMA = shape(
    claims={"type": "array", "items": CLAIM_SCHEMA}, deflects=TRUTH, eligible=TRUTH
)
SUPPORT_SCHEMA = shape(quote=TEXT, supported=TRUTH)
WHOLE_SCHEMA = shape(deflects=TRUTH, eligible=TRUTH)


def extraction(reply: str, expected: int, marks: Collection[str]) -> Extraction:
    """Read what a judge makes of an answer.

    Args:
        reply: its words.
        expected: how many claims the question expects.
        marks: numbers of the marks that the answer bears, as they are written.

    Raises:
        UnreadableError: it is no JSON of the schema; a claim has no words; it is an expected
            claim that there is not, or that another claim is already; or it cites by a mark
            that the answer does not bear.
    """
    found = decoded(reply, Extraction)
    taken: set[int] = set()
    for at, claim in enumerate(found.claims):
        fault = _fault(claim, expected, marks, taken)
        if fault:
            raise UnreadableError(f"claims[{at}].{fault}")
        taken |= {claim.expected} - {0}
    return found


def _fault(
    claim: Claim, expected: int, marks: Collection[str], taken: Collection[int]
) -> str | None:
    if not claim.text.strip():
        return "text is empty"
    if claim.expected > expected:
        return f"expected is {claim.expected}, the last expected claim is {expected}"
    if claim.expected in taken:
        return f"expected is {claim.expected}, as that of a claim before it"
    strange = next((n for n in claim.citations if str(n) not in marks), None)
    return None if strange is None else f"citations has {strange}, no mark of the answer"


def support(reply: str, passage: str) -> Support:
    """Read a ruling on a claim and a passage.

    Args:
        reply: the judge's words.
        passage: the passage as it was sent.

    Raises:
        UnreadableError: it is no JSON of the schema, or it calls a claim supported by words that
            do not stand in the passage, white space and case aside.
    """
    found = decoded(reply, Support)
    quote = even(found.quote)
    if found.supported and not (quote and quote in even(passage)):
        raise UnreadableError("supported is true, and quote does not stand in the passage")
    return found


def whole(reply: str) -> Whole:
    """Read what a judge says of an answer as a whole.

    Raises:
        UnreadableError: it is no JSON of the schema.
    """
    return decoded(reply, Whole)


def decoded(reply: str, kind: type[Shape]) -> Shape:
    """Read JSON of this kind, which may stand in one block of code.

    Raises:
        UnreadableError: it is none.
    """
    block = BLOCK.fullmatch(reply)
    try:
        return msgspec.json.decode(block[1] if block else reply, type=kind)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise UnreadableError(" ".join(str(error).split())) from error


def even(text: str) -> str:
    """A text without its white space and case, to compare quotes by."""
    return " ".join(text.split()).casefold()
