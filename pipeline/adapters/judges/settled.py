"""What people's decisions make of an answer: its claims, and the verdicts on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.adapters.judges.asked import EXTRA, NO, YES, Item, Said
from pipeline.adapters.judges.asking import Lost
from pipeline.adapters.judges.cases import Case
from pipeline.adapters.judges.decisions import Votes
from pipeline.adapters.judges.replied import Claim, Extraction
from pipeline.adapters.judges.rulings import FAILED, WHOLE
from pipeline.adapters.judges.sentences import Unit

WORDLESS = "no words of the answer are on record"

Row = dict[str, Any]


@dataclass(frozen=True)
class Dispute:
    """People who say different things of an item."""

    people: tuple[str, ...]


Ruled = Said | Dispute | None
"""What is settled on an item; None: nobody has decided."""


@dataclass(frozen=True)
class Taken:
    """The claims of an answer, and for each the sentences that state it."""

    claims: Extraction
    stated_by: tuple[tuple[int, ...], ...]


def settle(votes: Votes, resolver: str | None) -> dict[str, Ruled]:
    """What all who decided on an item say, or the resolver; where they differ, the dispute."""
    settled: dict[str, Ruled] = {}
    for item, by in votes.items():
        said = set(by.values())
        if resolver in by:
            settled[item] = by[resolver]
        else:
            settled[item] = said.pop() if len(said) == 1 else Dispute(tuple(sorted(by)))
    return settled


def take(parts: Sequence[Unit], mine: Sequence[tuple[Item, Ruled]]) -> Taken | Lost:
    """The claims that the sentences of an answer state.

    Sentences that state the same expected claim make it together, with the citations of all;
    it stands where the first of them does. Each sentence that states something else is a
    claim of its own.

    Args:
        parts: its sentences.
        mine: the items of the answer and what is settled on each.

    Returns:
        Lost, with the reason, while an `expected` item is open or disputed.
    """
    rulings = [(item.unit, ruled) for item, ruled in mine if item.kind == "expected"]
    disputed = [ruled.people for _, ruled in rulings if isinstance(ruled, Dispute)]
    left = sum(ruled is None for _, ruled in rulings)
    if disputed:
        people = ", ".join(sorted({name for names in disputed for name in names}))
        return Lost(f"{people} disagree on {len(disputed)} of {len(rulings)} sentences")
    if left:
        return Lost(f"{left} of {len(rulings)} sentences are not decided yet")
    units: dict[tuple[int, int], list[int]] = {}
    for unit, ruled in rulings:
        if isinstance(ruled, tuple) and unit is not None:
            for number in ruled:
                units.setdefault((number, unit if ruled == EXTRA else 0), []).append(unit)
    claims = tuple(
        Claim(
            " ".join(parts[unit].text for unit in of),
            number,
            tuple(dict.fromkeys(mark for unit in of for mark in parts[unit].marks)),
        )
        for (number, _), of in units.items()
    )
    return Taken(
        Extraction(claims, deflects=False, eligible=True), tuple(map(tuple, units.values()))
    )


def verdicts(
    case: Case, found: Taken | Lost | None, mine: Sequence[tuple[Item, Ruled]]
) -> list[Row]:
    """Rows of Verdicts on an answer; an item without one settled decision has none.

    A passage supports a claim of several sentences where it supports each that cites it.
    """
    if isinstance(found, Lost):
        return [{**case.key, "kind": FAILED, "text": found.reason}]
    rows: list[Row] = [
        {"kind": item.kind, "label": _label(ruled)}
        for item, ruled in mine
        if item.kind in WHOLE and isinstance(ruled, tuple)
    ]
    if found is not None:
        told = {
            (item.unit, item.against): ruled for item, ruled in mine if item.kind == "supported"
        }
        for at, (claim, units) in enumerate(zip(found.claims.claims, found.stated_by, strict=True)):
            label = _label(YES if claim.expected else NO)
            rows.append({"kind": "expected", "item": at, "label": label, "text": claim.text})
            for against in sorted({mark - 1 for mark in claim.citations if mark}):
                of = [told[unit, against] for unit in units if (unit, against) in told]
                if of and all(isinstance(ruled, tuple) for ruled in of):
                    label = _label(YES if set(of) == {YES} else NO)
                    said = {"item": at, "against": against, "label": label}
                    rows.append({"kind": "supported", **said})
    return [{**case.key, **row} for row in rows]


def _label(said: Ruled) -> str:
    return "Yes" if said == YES else "No"
