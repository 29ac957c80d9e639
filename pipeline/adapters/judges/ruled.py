"""Rows of Statements and Verdicts from what a judge replied."""

from collections.abc import Mapping
from typing import Any

from pipeline.adapters.judges.asking import Lost
from pipeline.adapters.judges.cases import Case
from pipeline.adapters.judges.replied import Claim, Extraction, Support
from pipeline.adapters.judges.rulings import FAILED
from pipeline.contract.tables import DRAW

Row = dict[str, Any]
Rulings = Mapping[tuple[int, int], Support | Lost]
"""By claim and position of the passage in the context, both from 0."""

OUTSIDE = -1
LISTS = ("claims", "cited", "citations", "chunks", "claim_ids", "cited_ids")


def positions(claim: Claim, case: Case) -> dict[int, int | None]:
    """Position in the context, from 0, of each mark that a claim bears; None: outside of it."""
    shown = range(1, len(case.context) + 1)
    return {number: number - 1 if number in shown else None for number in claim.citations}


def statement(case: Case, found: Extraction | Lost | None, rulings: Rulings) -> Row:
    """A row of Statements.

    A claim is the expected one that the judge holds it for, or -1; its citations are the
    delivered chunks that its marks name, or -1. Whether those support it is no matter of the
    judge's here: labels decide. Without any claim the lists are empty. They are null where
    the system failed, and where a call of the answer was lost: that is judge_failed.
    """
    if found is None:
        none: list[Any] = []
        return {**case.key, "judged": True, **(dict.fromkeys(LISTS, none) if case.silent else {})}
    if reason(found, rulings) is not None or isinstance(found, Lost):
        return {**case.key, "judged": False}
    made: Row = {name: [] for name in LISTS}
    for claim in found.claims:
        cited = [
            (OUTSIDE, OUTSIDE, f"[{number}]")
            if at is None
            else (case.context[at].doc, case.context[at].chunk, case.context[at].chunk_id)
            for number, at in positions(claim, case).items()
        ]
        code, name = OUTSIDE, " ".join(claim.text.split())
        if claim.expected:
            code, name, _ = case.expected[claim.expected - 1]
        made["claims"].append(code)
        made["claim_ids"].append(name)
        made["cited"].append(len(cited))
        made["citations"] += [doc for doc, _, _ in cited]
        made["chunks"] += [chunk for _, chunk, _ in cited]
        made["cited_ids"].append([name for _, _, name in cited])
    return {**case.key, "judged": True, **made}


def verdicts(case: Case, found: Extraction | Lost | None, rulings: Rulings) -> list[Row]:
    """Rows of Verdicts on an answer, of the kinds that `records.Verdict` describes."""
    if found is None:
        return []
    why = reason(found, rulings)
    if why is not None or isinstance(found, Lost):
        return [{**case.key, "kind": FAILED, "text": why}]
    rows = _whole(found)
    for at, claim in enumerate(found.claims):
        label = _label(claim.expected > 0)
        rows.append({"kind": "expected", "item": at, "label": label, "text": claim.text})
    return [{**case.key, **row} for row in [*rows, *_supported(rulings)]]


def verdicts_again(case: Case, found: Extraction | Lost, rulings: Rulings, draw: int) -> list[Row]:
    """Rows of Verdicts of a further draw, whose kinds end in its number: `deflection#2`.

    It rules on the answer and on the claims that the first draw found, so that the two can be
    compared item by item; nothing is scored by it. What was lost has no row.
    """
    whole = [] if isinstance(found, Lost) else _whole(found)
    rows = [*whole, *_supported(rulings)]
    return [{**case.key, **row, "kind": f"{row['kind']}{DRAW}{draw}"} for row in rows]


def _whole(found: Extraction) -> list[Row]:
    """The rulings on an answer as a whole."""
    return [
        {"kind": "deflection", "label": _label(found.deflects)},
        {"kind": "eligibility", "label": _label(found.eligible)},
    ]


def _supported(rulings: Rulings) -> list[Row]:
    return [
        {
            "kind": "supported", "item": item, "against": against,
            "label": _label(ruling.supported), "quote": ruling.quote,
        }
        for (item, against), ruling in rulings.items()
        if isinstance(ruling, Support)
    ]  # fmt: skip


def reason(found: Extraction | Lost, rulings: Rulings) -> str | None:
    """Why an answer is not judged; None: every call on it was answered and read."""
    lost = (one for one in (found, *rulings.values()) if isinstance(one, Lost))
    return next((one.reason for one in lost), None)


def _label(yes: bool) -> str:
    return "Yes" if yes else "No"
