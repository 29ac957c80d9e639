"""Sheets of expected claims: their words, and the documents that support them."""

from collections.abc import Iterable, Iterator, Mapping

from pipeline.adapters.datasets.sheet import Row
from pipeline.checks.ids import malformed, show
from pipeline.contract.errors import nearest
from pipeline.verbs.labelling import sheet
from pipeline.verbs.labelling.read import Sheets
from pipeline.verbs.labelling.said import split


def take_claims(sheets: Sheets, files: Iterable[str]) -> None:
    """Read sheets of claims; a row without documents and new words is still to be filled."""
    for name, row in sheets.rows(files, sheet.CLAIMS, sheet.CLAIMS_SHOWN):
        question = sheets.questions.get(row.get("question_id"))
        claim, text = row.get("claim_id"), row.get("text")
        known = {} if question is None else sheets.words(question)
        if not row.get("documents") and (text == known.get(claim, "") or not (claim or text)):
            continue
        title = claim or row.get("question_id")
        faults = list(_faults(sheets, row, known))
        if not sheets.refused(name, row, title, faults) and question is not None:
            if text:
                sheets.taken.texts.setdefault(question.question_id, {})[claim] = text
            for doc in split(row.get("documents"), sheets.documents) or ():
                sheets.add(name, row, (question.question_id, doc), None, (claim,))


def _faults(sheets: Sheets, row: Row, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a row that is filled in."""
    question, claim, text = (row.get(name) for name in ("question_id", "claim_id", "text"))
    if question not in sheets.questions:
        got = show(question) + nearest(question, sheets.questions)
        yield "a question of the set in question_id", got
    wrong = malformed(claim)
    if wrong:
        yield "an id in claim_id", wrong
    if claim not in known and not text:
        yield "the words of a new claim in text", "none"
    elif text and known.get(claim) and known[claim] != text:
        yield f"{show(known[claim])} in text, as it is known", show(text)
    if split(row.get("documents"), sheets.documents) is None:
        yield "documents of the set in documents", show(row.get("documents"))
    yield from sheets.nobody(row)
