"""What a judge is worth by people's rulings on the same items: its rates by side, corrected.

People's rulings are the files of `data/people/`, where `judge-take` puts them. No stage that
scores reads them, so that a label more changes no score.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.adapters.judges.rulings import annotator
from pipeline.checks.report import by_place
from pipeline.contract.errors import DataError, Fault
from pipeline.contract.files import read_json, root
from pipeline.contract.sides import Side
from pipeline.contract.tables import Verdicts
from pipeline.contract.tables import read as read_table
from pipeline.rulings.labels import Label, read_labels
from pipeline.rulings.measure import Choices, measure
from pipeline.rulings.read import MEND, read
from pipeline.rulings.records import Ruling, Rulings, number

RULINGS = Path("judge") / "rulings.jsonl"
YES_NO = {"yes", "no"}
NONE = {"value": None, "low": None, "high": None}

Report = dict[str, Any]


def validation(sides: Sequence[Side], labels: Sequence[Path], *, seed: int) -> Report | None:
    """Hold the judge of the sides to people.

    Args:
        sides: with the stage `judge` done, each in its own folder or several in one; their
            judge is the same.
        labels: files of people's rulings.
        seed: of the intervals that are drawn.

    Returns:
        None where no judge ruled, or people did. Else `judge`, its name; `draws` of it;
        `annotators`, `labels` of people on these very items, and `stale`, those on items that
        no side has, or that have other words there; and `sides`: by name `rulings`, the file
        that can be sampled, below the project's folder where it lies there, None where there
        is none; and `metrics`, what came of each kind of ruling where the first draw ruled;
        empty where people have no file. Of a metric: `ruled`, `failed` (no ruling came),
        `common` (items with people's label too), `disputed` (people differ: not used);
        `kappa`, `tpr`, `tnr`; the share of yes `raw`, `powered` and `rogan_gladen`, which are
        n/a where labels are other words than yes and no. Fractions in [0, 1], kappa at most 1,
        intervals `low` and `high` of 95 %.

    Raises:
        DataError: a file of people's rulings has faults, or labels of another kind than the
            judge's.
    """
    folders = {side.folder: _ruled(side.folder) for side in sides}
    known = next(filter(None, folders.values()), None)
    if known is None:
        return None
    there = {
        side.name: side
        for side in sides
        for of in [folders[side.folder]]
        if of is not None and side.system in of.systems and (side.folder / RULINGS).is_file()
    }
    # Every run comes by here: nothing is read for nobody.
    said = read_labels(labels) if labels else []
    held = {name: _side(side, known.name, said) for name, side in there.items() if labels}
    if misfits := dict.fromkeys(fault for one in held.values() for fault in _misfits(one)):
        raise DataError(by_place(list(misfits)), remedy=MEND)
    used = {label for one in held.values() for label in one.kept}
    return {
        "judge": known.name,
        "draws": known.draws,
        "annotators": len({label.ruling.annotator for label in used}),
        "labels": len(used),
        "stale": len(said) - len(used),
        "sides": {
            side.name: {
                "rulings": _place(side.folder / RULINGS) if side.name in there else None,
                "metrics": _rates(held[side.name], known.name, seed) if side.name in held else {},
            }
            for side in sides
        },
    }


@dataclass(frozen=True)
class _Ruled:
    """Who judged in a folder, and the systems of which there are rulings."""

    name: str
    draws: int
    systems: frozenset[str]


def _ruled(folder: Path) -> _Ruled | None:
    """None where no judge ruled, or people did: there is nobody else to hold them to."""
    verdicts = read_table(folder / "judge", Verdicts, ["system", "label"])
    judge = read_json(folder / "judge" / "settings.json")
    if verdicts.is_empty() or "decisions_hash" in judge:
        return None
    settings = judge["judge"]
    ruled = verdicts.filter(pl.col("label").is_not_null())  # others say only what was asked for
    return _Ruled(annotator(settings), settings.get("draws", 1), frozenset(ruled["system"]))


def _place(path: Path) -> str:
    """The file as people can name it from the project's folder."""
    if path.is_absolute() and path.resolve().is_relative_to(root()):
        path = path.resolve().relative_to(root())
    return path.as_posix()


@dataclass(frozen=True)
class _Side:
    """What a judge ruled on one side, and people's labels on these very items and words."""

    found: Rulings
    ours: list[Ruling]
    kept: list[Label]


def _side(side: Side, judge: str, said: Sequence[Label]) -> _Side:
    found = read([str(side.folder / RULINGS)], judges=[])
    ours = [
        one
        for one in found.rulings
        if one.annotator == judge and found.items[one.item].get("system") == side.system
    ]
    keys = {one.key for one in ours}
    return _Side(found, ours, [label for label in said if label.on(found, keys)])


def _misfits(side: _Side) -> list[Fault]:
    """People's labels with which none of the judge's could agree, such as 1 beside yes and no.

    Unnoticed they would leave the judge without rates.
    """
    given: dict[str, set[str]] = {}
    for one in side.ours:
        given.setdefault(one.metric, set()).update([one.label] if one.label else [])
    faults = []
    for one in (label.ruling for label in side.kept):
        label, judges = one.label or "", given[one.metric]
        fits, expected = number(label) is None, "a word"
        if judges <= YES_NO:
            fits, expected = label in YES_NO, "yes or no"
        if judges and not fits:
            expected = f"{expected} as label of {one.metric}, as the judge's are"
            faults.append(Fault(one.file, one.line, one.item, expected, repr(label)))
    return faults


def _rates(side: _Side, judge: str, seed: int) -> Report:
    """By metric what the judge came to on one side."""
    rulings = [*side.ours, *(label.ruling for label in side.kept)]
    if not rulings:
        return {}
    return {
        metric: {
            **{key: of[key] for key in ("ruled", "failed", "common", "disputed")},
            **{key: of.get(key, NONE) for key in ("kappa", "tpr", "tnr")},
            **of.get("rate", dict.fromkeys(("raw", "powered", "rogan_gladen"), NONE)),
        }
        for metric, one in sorted(
            measure(replace(side.found, rulings=rulings), Choices(seed=seed)).items()
        )
        for of in [one["judges"][judge]]
    }
