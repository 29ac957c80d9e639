"""What a run's judge is worth by people's rulings on the same items: its rates, corrected.

People's rulings are the files of `data/people/`, where `judge-take` puts them. No stage that
scores reads them, so that a label more changes no score and runs nothing anew.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeline.adapters.judges.rulings import annotator
from pipeline.contract.files import read_json, root
from pipeline.contract.tables import Verdicts
from pipeline.contract.tables import read as read_table
from pipeline.rulings.measure import Choices, measure
from pipeline.rulings.read import read
from pipeline.rulings.records import WORDS, Ruling, Rulings, digest

PEOPLE = "people"
RULINGS = Path("judge") / "rulings.jsonl"

Report = dict[str, Any]


def validation(data: Path, *, seed: int) -> Report | None:
    """Hold the judge of the run to people.

    Args:
        data: the data folder with the stage `judge` done.
        seed: of the intervals that are drawn.

    Returns:
        None where no judge ruled, or people did. Else `judge`, its name; `draws` of it;
        `rulings`, the file that can be sampled, None where there is none; `annotators`, `labels`
        of people on these very items, and `stale`, those on items that are gone or have other
        words now; and `systems`: by system and metric what `judged` finds, where the first draw
        ruled; empty where no people ruled.

    Raises:
        DataError: a file of people's rulings has faults.
    """
    verdicts = read_table(data / "judge", Verdicts, ["label"])
    if verdicts.is_empty():
        return None
    judge = read_json(data / "judge" / "settings.json")
    if "decisions_hash" in judge:
        return None  # people judged: there is nobody else to hold them to
    settings = judge["judge"]
    name = annotator(settings)
    ruled = verdicts["label"].is_not_null().any()  # the others say only what was asked for
    there = ruled and (data / RULINGS).is_file()
    empty: Report = {"judge": name, "draws": settings.get("draws", 1)}
    empty["rulings"] = (data / RULINGS).as_posix() if there else None
    empty |= {"annotators": 0, "labels": 0, "stale": 0, "systems": {}}
    folder = root() / data / PEOPLE
    files = sorted(str(path) for path in folder.glob("*") if path.suffix in (".csv", ".jsonl"))
    if not (there and files):
        return empty  # every run comes by here: nothing is read for nobody
    found = read([str(data / RULINGS)], judges=[])
    ours = [one for one in found.rulings if one.annotator == name]
    people, stale = _people(read(files, judges=[]), found, ours)
    systems: dict[str, list[Ruling]] = {}
    for one in [*ours, *people]:
        systems.setdefault(found.items[one.item]["system"], []).append(one)
    return {
        **empty,
        "annotators": len({one.annotator for one in people}),
        "labels": len(people),
        "stale": stale,
        "systems": {
            system: _rates(replace(found, rulings=of), name, seed)
            for system, of in sorted(systems.items())
        },
    }


def _people(said: Rulings, found: Rulings, ours: list[Ruling]) -> tuple[list[Ruling], int]:
    """People's rulings on what the judge ruled on, and how many are on something else."""
    known = {one.key for one in ours}
    of_people = [one for one in said.rulings if one.role == "person" and one.label is not None]
    kept = [
        one
        for one in of_people
        if one.key in known
        and said.items.get(one.item, {}).get(WORDS) == digest(found.items[one.item])
    ]
    return kept, len(of_people) - len(kept)


def _rates(found: Rulings, judge: str, seed: int) -> Report:
    """By metric what the judge came to; nothing where its labels are no rulings by yes and no."""
    report = measure(found, Choices(seed=seed))
    return {
        metric: {
            **{key: of[key] for key in ("ruled", "failed", "common", "disputed", "kappa")},
            **of["rate"],
        }
        for metric, one in sorted(report.items())
        for of in [one["judges"].get(judge)]
        if of is not None and "rate" in of
    }
