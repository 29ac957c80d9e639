"""Sheets of passages: whether a document is relevant, and for which claims."""

from collections.abc import Iterable, Iterator

from pipeline.adapters.datasets.sheet import Row
from pipeline.checks.ids import show
from pipeline.rulings.records import number, spelled
from pipeline.verbs.labelling import sheet
from pipeline.verbs.labelling.read import Sheets
from pipeline.verbs.labelling.said import split

GRADES = {"yes": None, "no": 0.0}


def take_pool(sheets: Sheets, files: Iterable[str]) -> None:
    """Read sheets of passages; those of claims have to be read before."""
    for name, row in sheets.rows(files, sheet.FILLED, sheet.SHOWN):
        question, doc = sheets.pair(row.get("item"))
        if question and doc:
            sheets.taken.pools.setdefault(question, set()).add(doc)
        if not row.get("relevant") and not row.get("claims"):
            sheets.taken.blank += 1
            continue
        faults = list(_faults(sheets, row, question, doc))
        if not sheets.refused(name, row, row.get("doc_id"), faults) and question and doc:
            claims = split(row.get("claims"), sheets.words(sheets.questions[question])) or ()
            sheets.add(name, row, (question, doc), _grade(row), claims)


def _grade(row: Row) -> float | None:
    """The grade of a row; None: yes, ungraded."""
    relevant = spelled(row.get("relevant"))
    return GRADES[relevant] if relevant in GRADES else number(relevant)


def _faults(
    sheets: Sheets, row: Row, question: str | None, doc: str | None
) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a row that is filled in."""
    if not question or not doc:
        gone = " and ".join(["question"] * (not question) + ["document"] * (not doc))
        yield "an item of the set", f"{show(row.get('item'))}: no such {gone}"
    else:
        text = sheets.documents[doc].text or ""
        now = sheet.content(sheets.questions[question].text, text)
        if row.get("content") != now:
            got = f"{show(row.get('content'))}: question or document has changed since"
            yield f"the texts as they are now, content {now}", got
        known = sheets.words(sheets.questions[question])
        if split(row.get("claims"), known) is None:
            words = ", ".join(map(show, known)) or "it has none"
            yield f"claims of the question ({words}) in claims", show(row.get("claims"))
    grade = _grade(row)
    if (grade or 0) < 0 or (grade is None and spelled(row.get("relevant")) != "yes"):
        yield "yes, no or a grade of 0 or more in relevant", show(row.get("relevant"))
    elif grade == 0 and row.get("claims"):
        yield "claims only where relevant is not no", show(row.get("claims"))
    yield from sheets.nobody(row)
