"""The claims of one answer as people read them: what each says and cites, and why it counts."""

from dataclasses import dataclass

from pipeline.scoring.case import Case, Row
from pipeline.scoring.explain import Ruling, rule


@dataclass(frozen=True)
class Made:
    """One claim of an answer.

    Attributes:
        name: the expected claim's id, or else the id that the judge gave, or else its place.
        claim: code of the expected claim that it is; -1: none.
        cites: what it cites, as the answer wrote it or as the corpus names it; None: a
            document that has no name here.
        ruling: whether it counts, and how each citation stands.
        quotes: the words of documents that it is made of; empty: not an answer of quotes.
    """

    name: str
    claim: int
    cites: tuple[str | None, ...]
    ruling: Ruling
    quotes: tuple[str, ...]


def made(case: Case, at: int) -> list[Made] | None:
    """Read the claims of one response.

    Args:
        case: the opened question.
        at: row of `case.answers` and `case.statements`.

    Returns:
        Its claims in order; None: there is no record of them or of the context, so that
        nothing can be said of any.
    """
    statement, context = case.statements[at], case.contexts[at]
    if statement["claims"] is None or context is None:
        return None
    visible = {case.chunks[chunk]["doc"] for chunk in context}
    claims, end = [], 0
    for index, (claim, n) in enumerate(zip(statement["claims"], statement["cited"], strict=True)):
        cited, end = slice(end, end + n), end + n
        citations = statement["citations"][cited]
        chunks = statement["chunks"] and statement["chunks"][cited]
        parts = case.parts(at, claim, chunks)
        ruling = rule(citations, case.labels.support.get(claim), visible, parts)
        cites = _cites(case, statement, index, citations)
        quotes = tuple(_quotes(case, at, index, chunks or []))
        claims.append(Made(_name(case, statement, index, claim), claim, cites, ruling, quotes))
    return claims


def left_out(case: Case, at: int) -> list[tuple[Row, bool]]:
    """Expected claims that a response did not make: rows of Claims, and whether for sure."""
    stated = set(case.statements[at]["claims"] or ())
    labels = case.labels.support
    return [
        (row, any(labels[row["claim"]].values()))
        for row in case.claims
        if row["claim"] not in stated and labels.get(row["claim"])
    ]


def _name(case: Case, statement: Row, index: int, claim: int) -> str:
    named = [row["claim_id"] for row in case.claims if row["claim"] == claim]
    if named:
        return str(named[0])
    stated = statement["claim_ids"]
    return str(stated[index]) if stated else f"claim {index + 1}"


def _cites(case: Case, statement: Row, index: int, citations: list[int]) -> tuple[str | None, ...]:
    names = statement["cited_ids"]
    if names and len(names[index]) == len(citations):
        return tuple(names[index])
    return tuple(case.documents[doc]["doc_id"] if doc >= 0 else None for doc in citations)


def _quotes(case: Case, at: int, index: int, chunks: list[int]) -> list[str]:
    """The quoted words that make a claim: of an expected one, those in which it is marked."""
    statement = case.statements[at]
    claim, names = statement["claims"][index], statement["claim_ids"]
    found = []
    for quote in case.answers[at]["quotes"] or ():
        document = case.documents[case.chunks[quote["chunk"]]["doc"]]
        start, end = quote["start"], quote["end"]
        if claim >= 0:
            marks = case.marks(document["doc"], claim)
            makes = any(first < end and start < last for first, last in marks)
        else:
            makes = names and names[index] == f"{document['doc_id']}#{start}-{end}"
        if makes and quote["chunk"] in chunks:
            found.append(document["text"][start:end])
    return found
