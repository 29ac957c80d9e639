"""Checks of recorded outputs, a column at a time: each distinct id is looked at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from pipeline.checks.columns import Coded, code
from pipeline.checks.groups import check_distinct, check_id, check_length
from pipeline.checks.ids import EXPECTED, Rule, label, malformed, show
from pipeline.checks.references import References
from pipeline.checks.report import Report
from pipeline.checks.texts import COUNTED, WHOLE, check_number, check_text
from pipeline.contract.errors import Fault
from pipeline.contract.records import Claim, Part, Response

Key = tuple[str, int, str]

NO_CLAIMS: list[Claim] = []


@dataclass(frozen=True)
class Rankings:
    """Documents that responses retrieved and delivered, on codes, row-aligned with them."""

    retrieved: Coded
    delivered: Coded

    def only(self, kept: NDArray[np.bool_]) -> "Rankings":
        """Those of the responses that are kept."""
        return Rankings(self.retrieved.only(kept), self.delivered.only(kept))


def code_rankings(rows: list[Response], documents: Sequence[str]) -> Rankings:
    """Look up what responses retrieved and delivered among the documents' ids, sorted."""
    return Rankings(
        code([row.retrieved for row in rows], documents),
        code([row.delivered for row in rows], documents),
    )


def key(response: Response) -> Key:
    """What names a response: system, repeat, question."""
    return response.system, response.repeat, response.question_id


def name(system: str, repeat: int | str, question: str) -> str:
    """How a response is called in front of a message; the first repeat goes without saying."""
    first = f"{label(system)} / {label(question)}"
    return first if str(repeat) == "1" else f"{first} / repeat {repeat}"


def named(response: Response) -> str:
    """How this response is called in front of a message."""
    return name(*key(response))


def check_responses(
    part: Part[Response],
    rankings: Rankings,
    documents: References,
    questions: References,
    *,
    claims: bool,
    rule: Rule,
) -> list[Fault]:
    """List every fault of the responses but what is missing.

    Args:
        part: the responses.
        rankings: what they retrieved and delivered, row by row.
        documents: ids of the corpus.
        questions: ids of all questions, whatever their split.
        claims: whether the set carries claim labels, so that each answer needs its claims,
            unless all answers of its system are words alone.
        rule: the rubric's rule for ids.
    """
    report = Report(part, named)
    _check_keys(report, part.rows, questions)
    _check_rankings(report, part.rows, rankings, documents, rule)
    _check_claims(report, part.rows, documents, rule)
    _check_status(report, part.rows, claims)
    _check_numbers(report, part.rows)
    for row, response in enumerate(part.rows):
        if response.answer is not None:
            check_text(report, row, "answer", response.answer, some=False)
        if response.error is not None:
            check_text(report, row, "error", response.error, some=True)
    return report.faults


def _check_keys(report: Report[Response], rows: list[Response], questions: References) -> None:
    bad = {system for system in {row.system for row in rows} if malformed(system)}
    first: dict[Key, int] = {}
    for row, response in enumerate(rows):
        if response.system in bad:
            check_id(report, row, "system", response.system)
        if response.repeat != 1:
            check_number(report, row, "repeat", response.repeat, least=1, most=WHOLE)
        if not questions.has(response.question_id):
            got = show(response.question_id) + questions.hint(response.question_id)
            report.add(row, "a question of the set in question_id", got)
        before = first.setdefault(key(response), row)
        if before != row:
            got = f"another, the first is on {report.place(before, row)}"
            report.add(row, "one response a system, repeat and question", got)


def _check_rankings(
    report: Report[Response],
    rows: list[Response],
    rankings: Rankings,
    documents: References,
    rule: Rule,
) -> None:
    for field, coded in (("retrieved", rankings.retrieved), ("delivered", rankings.delivered)):
        for row in coded.unknown():
            documents.check(report, row, field, getattr(rows[row], field))
        for row in coded.repeating():
            check_distinct(report, row, field, getattr(rows[row], field))
        if rule == "narrow":
            for row, response in enumerate(rows):
                check_length(report, row, field, getattr(response, field), rule)
    for row, response in enumerate(rows):
        if response.scores is not None:
            _check_scores(report, row, response)
        if response.delivered is not None and response.retrieved is None:
            report.add(row, "retrieved beside delivered", "none")


def _check_scores(report: Report[Response], row: int, response: Response) -> None:
    scores, retrieved = response.scores or [], response.retrieved or []
    if len(scores) != len(retrieved):
        expected = f"as many scores as retrieved documents, {len(retrieved)}"
        report.add(row, expected, f"{len(scores)}")
    for at, score in enumerate(scores):
        check_number(report, row, f"scores[{at}]", score, least=None)


def _check_claims(
    report: Report[Response], rows: list[Response], documents: References, rule: Rule
) -> None:
    """Check claim ids and citations. A document that the corpus lacks may be cited."""
    claims = list(chain.from_iterable(row.claims or NO_CLAIMS for row in rows))
    cited = set(chain.from_iterable(claim.citations for claim in claims))
    bad = {text for text in {claim.claim_id for claim in claims} if malformed(text, rule)}
    bad |= {text for text in cited if text not in documents.known and malformed(text, rule)}
    strict = bool(bad) or rule == "narrow"
    for row, response in enumerate(rows):
        if response.claims and (strict or not _plain(response.claims)):
            ids = [claim.claim_id for claim in response.claims]
            check_distinct(report, row, "claims", ids)
            check_length(report, row, "claims", ids, rule)
            for at, claim in enumerate(response.claims):
                _check_claim(report, row, f"claims[{at}]", claim, bad, documents, rule)


def _plain(claims: list[Claim]) -> bool:
    """Whether well-formed ids are all there is to check, and none stands twice; quick."""
    for claim in claims:
        cited = claim.citations
        if claim.text is not None or (len(cited) > 1 and len(set(cited)) < len(cited)):
            return False
    return len(claims) == 1 or len({claim.claim_id for claim in claims}) == len(claims)


def _check_claim(
    report: Report[Response], row: int, field: str, claim: Claim,
    bad: set[str], documents: References, rule: Rule,
) -> None:  # fmt: skip
    if claim.claim_id in bad:
        check_id(report, row, f"{field}.claim_id", claim.claim_id, rule)
    check_distinct(report, row, f"{field}.citations", claim.citations)
    check_length(report, row, f"{field}.citations", claim.citations, rule)
    if claim.text is not None:
        check_text(report, row, f"{field}.text", claim.text, some=False)
    if bad:
        for at, text in enumerate(claim.citations):
            if text in bad:
                got = f"{malformed(text, rule)}{documents.hint(text)}"
                report.add(row, f"{EXPECTED[rule]} in {field}.citations[{at}]", got)


def _in_words(rows: list[Response]) -> set[str]:
    """Systems that answer in words throughout and never say what they claim: a judge reads that.

    One that names claims here and there names them everywhere: it may not choose where it is
    looked at.
    """
    answered = [row for row in rows if row.status != "failed"]
    others = {row.system for row in answered if row.claims is not None or row.answer is None}
    return {row.system for row in answered} - others


def _check_status(report: Report[Response], rows: list[Response], claims: bool) -> None:
    read = _in_words(rows) if claims else set()
    for row, response in enumerate(rows):
        if response.status == "failed":
            if response.error is None:
                report.add(row, "error where status is failed", "none")
            continue
        if response.error is not None:
            report.add(row, "status failed where an error is given", "ok")
        if response.retrieved is None:
            report.add(row, "retrieved in a response that did not fail ([]: nothing)", "none")
        if claims and response.claims is None and response.system not in read:
            expected = "claims, since the set carries claim labels ([]: none were made)"
            report.add(row, expected, "none")


def _check_numbers(report: Report[Response], rows: list[Response]) -> None:
    for row, response in enumerate(rows):
        if response.usage is not None:
            used = response.usage
            for field in ("input_tokens", "output_tokens"):
                check_number(report, row, f"usage.{field}", getattr(used, field), most=COUNTED)
            check_number(report, row, "usage.cost_usd", used.cost_usd)
        if response.latency_s is not None:
            check_number(report, row, "latency_s", response.latency_s)
        if response.attempts is not None:
            check_number(report, row, "attempts", response.attempts, least=1, most=WHOLE)
