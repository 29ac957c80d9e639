"""Whether every question has exactly one response of each system and repeat."""

from collections.abc import Collection, Sequence

import polars as pl

from pipeline.checks.ids import label, show
from pipeline.checks.responses import Key, key, name
from pipeline.contract.errors import Fault, nearest
from pipeline.contract.records import Part, Response
from pipeline.contract.tables import RESPONSE_KEY

WHERE = "responses"


def compared(rows: Sequence[Response], baseline: str | None) -> list[Fault]:
    """Refuse recorded responses that are none, or a baseline that is no system of theirs."""
    systems = sorted({row.system for row in rows})
    if not systems:
        return [Fault(WHERE, None, None, "recorded responses (retriever=recorded)", "none")]
    if baseline is None or baseline in systems:
        return []
    expected = f"a system of the data ({', '.join(map(label, systems))})"
    got = show(baseline) + nearest(baseline, systems)
    return [Fault("conf: baseline", None, None, expected, got)]


def repeats_of(part: Part[Response]) -> dict[str, list[int]]:
    """The repeats of each system, whichever questions they are for; both ascending."""
    found: dict[str, set[int]] = {}
    for row in part.rows:
        found.setdefault(row.system, set()).add(row.repeat)
    return {system: sorted(found[system]) for system in sorted(found)}


def check_repeats(part: Part[Response], wanted: int | None) -> list[Fault]:
    """Refuse a system whose repeats have gaps or are not as many as were set."""
    faults = []
    for system, repeats in repeats_of(part).items():
        got = ", ".join(map(str, repeats))
        if repeats[0] >= 1 and repeats[-1] != len(repeats):
            expected = f"repeats from 1 without a gap, up to {repeats[-1]}"
            faults.append(Fault(WHERE, None, label(system), expected, got))
        elif wanted is not None and len(repeats) != wanted:
            faults.append(Fault(WHERE, None, label(system), f"{wanted} repeats, as set", got))
    return faults


def check_counted(responses: pl.DataFrame, ranking: pl.DataFrame, wanted: int) -> list[Fault]:
    """Refuse recorded systems with other than `wanted` repeats, where they are what is scored.

    Args:
        responses: Responses.
        ranking: Ranking; where it is of other systems than the recorded ones, nothing
            recorded is used and there is nothing to refuse.
        wanted: how many repeats each has to have.
    """
    if not responses.select(RESPONSE_KEY).equals(ranking.select(RESPONSE_KEY)):
        return []
    counted = responses.group_by("system").agg(pl.col("repeat").n_unique()).sort("system")
    return [
        Fault(WHERE, None, label(system), f"{wanted} repeats, as set", f"{count}")
        for system, count in counted.iter_rows()
        if count != wanted
    ]


def absent(part: Part[Response], questions: Sequence[str]) -> list[Key]:
    """Responses that are not there: system, repeat and question of each, in order.

    Those that were refused while they were read are not counted as missing.
    """
    present = {key(row) for row in part.rows}
    return [
        (system, repeat, question)
        for system, repeats in repeats_of(part).items()
        for repeat in repeats
        for question in questions
        if (system, repeat, question) not in present
        and (system, str(repeat), question) not in part.lost
    ]


def missing_faults(keys: Collection[Key]) -> list[Fault]:
    """A fault for each missing response."""
    expected = "a response (missing=failed counts such a one as failed)"
    return [Fault(WHERE, None, name(*key), expected, "none") for key in keys]


def failed(keys: Collection[Key]) -> list[Response]:
    """Missing responses as what they count as."""
    return [
        Response(
            system=system, repeat=repeat, question_id=question, status="failed", error="missing"
        )
        for system, repeat, question in keys
    ]
