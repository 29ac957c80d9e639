"""One of RAGChecker's results: its fields, whether its labels fit them, and its verdicts."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

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


SIDES = (
    ("response_claims", "answer2response", "retrieved2response"),
    ("gt_answer_claims", "response2answer", "retrieved2answer"),
)
"""Claims, the labels of them as such, and those against each passage."""


def words(claim: Stated) -> str:
    """A claim in words."""
    return claim if isinstance(claim, str) else " ".join(claim)


def mismeasured(found: dict[str, Any], place: str) -> Iterator[Finding]:
    """Yield each list of labels that does not fit its claims and passages, each odd claim.

    Args:
        found: the result as JSON gave it; what is no list in it is passed over.
        place: where it stands, such as `results[0]`.
    """
    passages = _list(found, "retrieved_context")
    for name, whole, each in SIDES:
        claims = _list(found, name)
        for at, claim in enumerate(claims or ()):
            if _stated(claim) and blank(words(claim)):
                yield f"a claim in {place}.{name}[{at}]", show(words(claim))
        for field in (whole, each):
            yield from _long(_list(found, field), claims, f"{place}.{field}", name)
        for at, labels in enumerate(_list(found, each) or ()):
            row = labels if isinstance(labels, list) else None
            yield from _long(row, passages, f"{place}.{each}[{at}]", "retrieved_context")
    ids = Counter(
        passage["doc_id"]
        for passage in passages or ()
        if isinstance(passage, dict) and isinstance(passage.get("doc_id"), str)
    )
    for id_, times in ids.items():
        if times > 1:
            yield f"each doc_id once in {place}.retrieved_context", f"{show(id_)} again"


def _list(found: dict[str, Any], name: str) -> list[Any] | None:
    value = found.get(name)
    return value if isinstance(value, list) else None


def _stated(claim: Any) -> bool:
    parts = claim if isinstance(claim, list) else [claim]
    return all(isinstance(part, str) for part in parts)


def _long(labels: list[Any] | None, of: list[Any] | None, place: str, name: str) -> list[Finding]:
    if labels is None or of is None or len(labels) == len(of):
        return []
    return [(f"{len(of)} in {place}, one for each of {name}", f"{len(labels)}")]


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
