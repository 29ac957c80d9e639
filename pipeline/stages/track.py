"""Describe the run of every system and keep it where runs can be compared.

Reads   freeze, chunk, retrieve, rerank, answer, judge, score, compare; people (their rulings)
Writes  track/run.json (the receipt), track/<system>.manifest.json, track/usage.json (what the
        run cost, and how that was measured), track/judge.json (what its judge is worth by
        people's rulings); a line in the ledger
        where held-out numbers came back from DVC's cache and the ledger lacks their look
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.contract.files import read_json, remove, write_json
from pipeline.contract.ports import Tracker
from pipeline.contract.sides import Side
from pipeline.manifest import run as manifest
from pipeline.manifest.environment import environment, revision
from pipeline.manifest.ledger import record
from pipeline.manifest.measurement import costs
from pipeline.manifest.public import public
from pipeline.rulings.pinned import label_files
from pipeline.rulings.validation import validation
from pipeline.settings import acceptance, describe


def run(data: Path, *, tracker: Tracker, params: dict[str, Any]) -> str:
    """Write a manifest for each system, log what the tracker lacks, keep its receipt.

    The manifests are there before the tracker is asked, so that nothing is lost when its
    store is down. A manifest that describes the same results is left as it is. The stage
    `score` does not run when DVC restores its outputs, so their look is entered here.

    Raises:
        DataError: a line of the ledger is not one that was written as a look; or a file of
            people's rulings has faults.
        EndpointError: the tracker's store cannot be reached or refuses.
    """
    if params["reason"]:
        record(data, read_json(data / "score" / "identity.json"), params["reason"])
    validated = validation(_sides(data), label_files(data), seed=params["seed"])
    described = manifest.manifests(
        data,
        params=params,
        acceptance=acceptance(params),
        tracker=describe(tracker),
        code=revision(Path.cwd()),
        environment=environment(),
        time=datetime.now(UTC).isoformat(timespec="seconds"),
        validation=validated,
    )
    _retire(data / "track", {manifest.filename(name) for name in described}, described)
    for name, new in described.items():
        path = data / "track" / manifest.filename(name)
        if path.is_file() and manifest.same(read_json(path), public(new)):
            described[name] = read_json(path)
        else:
            manifest.write(path, new)
    write_json(data / "track" / "usage.json", costs(described))
    write_json(data / "track" / "judge.json", validated)

    receipt = tracker.log(data, params)

    for name, logged in receipt["runs"].items():
        if described[name]["run_id"] != logged["run_id"]:
            complete = {**described[name], "run_id": logged["run_id"]}
            manifest.write(data / "track" / manifest.filename(name), complete)
    write_json(data / "track" / "run.json", receipt)
    return _line(receipt)


def _sides(data: Path) -> list[Side]:
    """The systems of this run, as sides."""
    systems = read_json(data / "score" / "identity.json")["systems"]
    return [
        Side(name, f"system:{name}", name, data, known["fingerprint"], known["parts"])
        for name, known in systems.items()
    ]


def _retire(folder: Path, current: set[str], described: dict[str, dict[str, Any]]) -> None:
    """Take away what tells of other results: manifests of other systems, an older receipt.

    DVC restores results that it knows without running their stages, and knows nothing of
    this folder.
    """
    for path in folder.glob("*.manifest.json"):
        if path.name not in current:
            remove(path)
    receipt = folder / "run.json"
    if receipt.is_file():
        logged = {name: run["fingerprint"] for name, run in read_json(receipt)["runs"].items()}
        if logged != {name: one["fingerprint"] for name, one in described.items()}:
            remove(receipt)


def _line(receipt: dict[str, Any]) -> str:
    runs = receipt["runs"].values()
    count = {status: sum(run["status"] == status for run in runs) for status in ("new", "found")}
    if receipt["tracking_uri"] is None:
        return f"{len(runs)} manifests written, no tracker"
    return (
        f"{count['new']} runs logged, {count['found']} found, "
        f"in {receipt['tracking_uri']}, experiment {receipt['experiment']!r}"
    )
