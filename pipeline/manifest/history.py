"""How each look of the ledger stood at its time: looks before it, and what they had opened."""

from collections.abc import Mapping, Sequence, Set

from pipeline.manifest.chain import Entry
from pipeline.manifest.opened import HALF, Texts, known, shared


def history(entries: Sequence[Entry]) -> list[tuple[int, float | None]]:
    """Say of each line how its look stood at its time.

    Returns:
        Looks up to and with it that count for its questions, and the share of these that
        looks before it had opened, in [0, 1]; None: not known, as no line of its question set
        carries texts.
    """
    sets = known(entries)
    contents = {entry["question_set"] for entry in entries}
    shares = {(one, other): _share(sets, one, other) for one in contents for other in contents}
    looks = {(entry["time"], entry["question_set"]) for entry in entries}
    found = []
    for entry in entries:
        now, content = entry["time"], entry["question_set"]
        times = sum(shares[content, other] >= HALF for time, other in looks if time <= now)
        before = {other for time, other in looks if time < now}
        found.append((times, _seen(sets, content, before)))
    return found


def _share(sets: Mapping[str, Texts], one: str, other: str) -> float:
    if one == other:
        return 1.0
    return (shared(sets[one], sets[other]) or 0.0) if one in sets and other in sets else 0.0


def _seen(sets: Mapping[str, Texts], content: str, before: Set[str]) -> float | None:
    if not before or content in before:
        return float(content in before)
    if content not in sets:
        return None
    return shared(sets[content], *(sets[one] for one in before if one in sets))
