"""Rows of Statements and Verdicts from what a judge replied."""

from typing import Any

from pipeline.adapters.judges.cases import Case
from pipeline.adapters.judges.facts import GROUNDED, Facts
from pipeline.adapters.judges.replied import Extraction, Support, Whole
from pipeline.adapters.judges.rounds import Found, positions
from pipeline.adapters.judges.rulings import FAILED, WHOLE
from pipeline.contract.tables import DRAW

Row = dict[str, Any]

OUTSIDE = -1
LISTS = ("claims", "cited", "citations", "chunks", "claim_ids", "cited_ids")


def statement(case: Case, found: Found, stated: Row | None) -> Row:
    """A row of Statements.

    A claim is the expected one that the judge holds it for, or -1; its citations are the
    delivered chunks that its marks name, or -1. Whether those support it is no matter of the
    judge's here: labels decide. Without any claim the lists are empty. They are null where
    the system failed, and where a call of the answer was lost: that is judge_failed.

    Args:
        case: the answer.
        found: what came of the calls on it.
        stated: the row that its record makes, where that counts, whatever came of the calls.
    """
    judged = {**case.key, "judged": found.lost is None}
    if stated is not None:
        return stated | judged
    if found.taken is None and case.silent:
        return judged | {name: [] for name in LISTS}
    if found.lost is not None or not isinstance(found.taken, Extraction):
        return judged
    made: Row = {name: [] for name in LISTS}
    for claim in found.taken.claims:
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
    return judged | made


def verdicts(case: Case, found: Found) -> list[Row]:
    """Rows of Verdicts on an answer, of the kinds that `records.Verdict` describes.

    Where the judge failed the rows of the whole answer stand there without a label, so that
    what was asked for is known. An answer that says nothing deflects; nobody was asked.
    """
    if case.failed:
        return []
    rows: list[Row] = [{"kind": kind} for kind in found.kinds]
    if found.lost is not None:
        rows += [{"kind": kind} for kind in WHOLE]
        rows.append({"kind": FAILED, "text": found.lost})
    elif found.taken is not None:
        rows += [*_whole(found), *_claims(found), *_supported(found), *_sentences(found)]
    elif case.silent:
        rows.append({"kind": "deflection", "label": "Yes"})
    return [{**case.key, **row} for row in rows]


def verdicts_again(case: Case, again: Found, draw: int) -> list[Row]:
    """Rows of Verdicts of a further draw, whose kinds end in its number: `deflection#2`.

    It rules on the answer and on the claims and sentences that the first draw found, so that
    the two can be compared item by item; nothing is scored by it. What was lost has no row.
    """
    rows = [*_whole(again), *_supported(again), *_sentences(again)]
    return [{**case.key, **row, "kind": f"{row['kind']}{DRAW}{draw}"} for row in rows]


def _whole(found: Found) -> list[Row]:
    """The rulings on an answer as a whole."""
    if not isinstance(found.taken, Extraction | Whole):
        return []
    return [
        {"kind": "deflection", "label": _label(found.taken.deflects)},
        {"kind": "eligibility", "label": _label(found.taken.eligible)},
    ]


def _claims(found: Found) -> list[Row]:
    """Which claims the answer makes."""
    claims = found.taken.claims if isinstance(found.taken, Extraction) else ()
    return [
        {"kind": "expected", "item": at, "label": _label(claim.expected > 0), "text": claim.text}
        for at, claim in enumerate(claims)
    ]


def _supported(found: Found) -> list[Row]:
    return [
        {
            "kind": "supported", "item": item, "against": against,
            "label": _label(ruling.supported), "quote": ruling.quote,
        }
        for (item, against), ruling in found.supports.items()
        if isinstance(ruling, Support)
    ]  # fmt: skip


def _sentences(found: Found) -> list[Row]:
    rows: list[Row] = []
    for kind, ruling in found.facts.items():
        if not isinstance(ruling, Facts):
            continue
        for item, (text, fact) in enumerate(zip(found.said, ruling.sentences, strict=True)):
            row = {"kind": kind, "item": item, "label": fact.label, "text": text}
            if fact.label in GROUNDED:
                row |= {"quote": fact.quote, "passages": [n - 1 for n in fact.passages]}
            rows.append(row)
    return rows


def _label(yes: bool) -> str:
    return "Yes" if yes else "No"
