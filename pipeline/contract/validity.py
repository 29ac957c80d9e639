"""Whether anybody checked the judge of a comparison, in words, and the way to check it.

The judge's entry is what `pipeline.rulings.validation` finds.
"""

import shlex
from collections.abc import Iterable
from typing import Any

from pipeline.contract.words import counted

Entry = dict[str, Any]


def standing(judge: str, labels: int, annotators: int, missing: Iterable[str]) -> str:
    """Say of a judge how many labels it was held to, or that it is unvalidated; not cleaned.

    >>> standing("gpt", 40, 2, ["expected"])
    'gpt: held to 40 labels of 2 people; unvalidated for expected'
    """
    if not labels:
        return f"{judge}: unvalidated, no label of a person stands beside its rulings"
    held = f"{judge}: held to {counted(labels, 'label')} of {counted(annotators, 'person')}"
    names = ", ".join(missing)
    return f"{held}; unvalidated for {names}" if names else held


def unlabelled(entry: Entry, sides: Iterable[str]) -> list[str]:
    """Kinds of rulings that on one of these sides stand beside no label of a person, in order.

    A side whose rulings are not beside it has none of those that others have. Nothing where
    nobody labelled anything: kinds are looked at only where there are labels.
    """
    kinds = {metric for side in entry["sides"].values() for metric in side["metrics"]}
    found: set[str] = set()
    for name in sides:
        rates = entry["sides"][name]["metrics"]
        found |= {metric for metric, rate in rates.items() if not rate["common"]}
        found |= set() if rates else kinds
    return sorted(found)


def ways_out(entry: Entry) -> list[str]:
    """Commands that draw sheets of what nobody labelled, one for each file of rulings."""
    sides: dict[str, list[str]] = {}
    for name, side in entry["sides"].items():
        if side["rulings"] is not None:
            sides.setdefault(side["rulings"], []).append(name)
    found: list[str] = []
    for rulings, names in sides.items():
        missing = unlabelled(entry, names) if entry["labels"] else []
        if missing or not entry["labels"]:
            words = ["python -m pipeline judge-sample", shlex.quote(rulings)]
            words += [f"--metric {shlex.quote(metric)}" for metric in missing]
            sheet = f"sheet-{len(found) + 1}.csv" if found else "sheet.csv"
            found.append(" ".join([*words, f"--out {sheet}"]))
    return found
