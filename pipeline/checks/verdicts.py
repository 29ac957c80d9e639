"""Checks of recorded verdicts, and their coded table."""

import polars as pl

from pipeline.checks.ids import show
from pipeline.checks.report import Report
from pipeline.checks.responses import Key, name
from pipeline.contract.errors import Fault
from pipeline.contract.records import Part, Response, Verdict
from pipeline.contract.tables import Verdicts

Place = tuple[str, int, str, str, int, int]


def place(verdict: Verdict) -> Place:
    """What names a verdict and orders them; the whole text (no item) stands first."""
    item = -1 if verdict.item is None else verdict.item
    against = -1 if verdict.against is None else verdict.against
    return *_key(verdict), verdict.kind, item, against


def check_verdicts(part: Part[Verdict], responses: Part[Response]) -> list[Fault]:
    """List every fault of the verdicts.

    Args:
        part: the verdicts.
        responses: what they rule on.
    """
    report = Report(part, lambda row: name(*_key(row)))
    shown = {(row.system, row.repeat, row.question_id): row.delivered for row in responses.rows}
    first: dict[Place, int] = {}
    for row, verdict in enumerate(part.rows):
        here = place(verdict)
        before = first.setdefault(here, row)
        if before != row:
            got = f"another, the first is on {report.place(before, row)}"
            report.add(row, f"one verdict an item ({' '.join(map(str, here[3:]))})", got)
        if _key(verdict) not in shown:
            lost = (verdict.system, str(verdict.repeat), verdict.question_id) in responses.lost
            if not lost:
                report.add(row, "a verdict on a response of the set", "no such response")
        elif verdict.against is not None:
            passages = len(shown[_key(verdict)] or ())
            if not 0 <= verdict.against < passages:
                expected = f"against below {passages}, as many passages were delivered"
                report.add(row, expected, f"{verdict.against}")
        if verdict.item is not None and verdict.label is None:
            report.add(row, f"a label on item {verdict.item} ({show(verdict.kind)})", "none")
    return report.faults


def of_questions(part: Part[Verdict], asked: set[str]) -> Part[Verdict]:
    """The verdicts on responses to these questions, in order of what names them."""
    chosen: Part[Verdict] = Part(lost=part.lost)
    rows = [at for at, row in enumerate(part.rows) if row.question_id in asked]
    for at in sorted(rows, key=lambda at: place(part.rows[at])):
        chosen.add(part.rows[at], part.files[at], part.lines[at])
    return chosen


def verdict_table(part: Part[Verdict], questions: pl.DataFrame) -> pl.DataFrame:
    """Checked verdicts in order -> Verdicts.

    Args:
        part: the verdicts, as `of_questions` gives them.
        questions: Questions.
    """
    code = dict(zip(questions["question_id"], questions["question"], strict=True))
    rows = [
        (row.system, row.repeat, code[row.question_id], row.kind, row.item, row.against,
         row.label, row.text, None, None, None)
        for row in part.rows
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=Verdicts.schema, orient="row")


def _key(verdict: Verdict) -> Key:
    return verdict.system, verdict.repeat, verdict.question_id
