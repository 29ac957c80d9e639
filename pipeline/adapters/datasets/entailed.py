"""One of RAGChecker's results: its fields, whether its labels fit them, and its verdicts."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from pipeline.adapters.datasets.mismatch import Finding
from pipeline.checks.ids import show
from pipeline.checks.texts import blank
from pipeline.contract.records import Verdict

Label = Literal["Entailment", "Neutral", "Contradiction"]
Stated = str | list[str]
"""A claim: a sentence, or a triple of subject, predicate and object."""


class Passage(Struct, frozen=True, forbid_unknown_fields=True):
    """One retrieved passage."""

    text: str
    doc_id: str | None = None


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    """One question: answers, claims, and labels of what entails what.

    `answer2response` has a label for each claim of the response, `response2answer` one for
    each claim of the reference answer; `retrieved2response` and `retrieved2answer` have, for
    each such claim, a label for each passage.
    """

    query_id: str
    query: str
    gt_answer: str
    response: str
    retrieved_context: list[Passage]
    response_claims: list[Stated]
    gt_answer_claims: list[Stated]
    answer2response: list[Label]
    response2answer: list[Label]
    retrieved2response: list[list[Label]]
    retrieved2answer: list[list[Label]]


def words(claim: Stated) -> str:
    """A claim in words."""
    return claim if isinstance(claim, str) else " ".join(claim)


def mismeasured(result: Result, place: str) -> Iterator[Finding]:
    """Yield each list of labels that does not fit its claims and passages, each odd claim.

    Args:
        result: the result.
        place: where it stands, such as `results[0]`.
    """
    sides = (
        ("response_claims", "answer2response", "retrieved2response"),
        ("gt_answer_claims", "response2answer", "retrieved2answer"),
    )
    passages = len(result.retrieved_context)
    for name, whole, each in sides:
        claims = getattr(result, name)
        for at, claim in enumerate(claims):
            if blank(words(claim)):
                yield f"a claim in {place}.{name}[{at}]", show(words(claim))
        for field in (whole, each):
            yield from _long(getattr(result, field), len(claims), f"{place}.{field}", name)
        for at, labels in enumerate(getattr(result, each)):
            yield from _long(labels, passages, f"{place}.{each}[{at}]", "retrieved_context")
    ids = [passage.doc_id for passage in result.retrieved_context if passage.doc_id is not None]
    for id_ in sorted({id_ for id_ in ids if ids.count(id_) > 1}):
        yield f"each doc_id once in {place}.retrieved_context", f"{show(id_)} again"


def _long(labels: Sequence[object], length: int, place: str, of: str) -> Iterator[Finding]:
    if len(labels) != length:
        yield f"{length} in {place}, one for each of {of}", f"{len(labels)}"


def verdicts(result: Result, system: str) -> Iterator[Verdict]:
    """The labels of a good result as verdicts on the answer of that system."""
    sides = (
        ("answer_to_reference", "answer_to_passage", result.response_claims,
         result.answer2response, result.retrieved2response, None),
        ("reference_to_answer", "reference_to_passage", result.gt_answer_claims,
         result.response2answer, result.retrieved2answer, result.gt_answer),
    )  # fmt: skip
    for whole, passage, claims, labels, rows, text in sides:
        yield Verdict(system, result.query_id, whole, text=text)
        for item, (claim, label) in enumerate(zip(claims, labels, strict=True)):
            yield Verdict(system, result.query_id, whole, item=item, label=label, text=words(claim))
        for item, row in enumerate(rows):
            for against, label in enumerate(row):
                yield Verdict(
                    system, result.query_id, passage, item=item, against=against, label=label
                )
