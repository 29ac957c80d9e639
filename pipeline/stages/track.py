"""Describe the run of every system and keep it where runs can be compared.

Reads   freeze, chunk, retrieve, rerank, answer, judge, score, compare
Writes  track/run.json (the receipt), track/<system>.manifest.json
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.contract.files import read_json, write_json
from pipeline.contract.ports import Tracker
from pipeline.manifest import run as manifest
from pipeline.manifest.environment import environment, revision
from pipeline.manifest.public import public
from pipeline.settings import describe


def run(data: Path, *, tracker: Tracker, params: dict[str, Any]) -> str:
    """Write a manifest for each system, log what the tracker lacks, keep its receipt.

    The manifests are there before the tracker is asked, so that nothing is lost when its
    store is down. A manifest that describes the same results is left as it is.

    Raises:
        EndpointError: the tracker's store cannot be reached or refuses.
    """
    described = manifest.manifests(
        data,
        params=params,
        tracker=describe(tracker),
        code=revision(Path.cwd()),
        environment=environment(),
        time=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    for name, new in described.items():
        path = data / "track" / manifest.filename(name)
        if path.is_file() and manifest.same(read_json(path), public(new)):
            described[name] = read_json(path)
        else:
            manifest.write(path, new)

    receipt = tracker.log(data, params)

    for name, logged in receipt["runs"].items():
        if described[name]["run_id"] != logged["run_id"]:
            complete = {**described[name], "run_id": logged["run_id"]}
            manifest.write(data / "track" / manifest.filename(name), complete)
    write_json(data / "track" / "run.json", receipt)
    return _line(receipt)


def _line(receipt: dict[str, Any]) -> str:
    runs = receipt["runs"].values()
    count = {status: sum(run["status"] == status for run in runs) for status in ("new", "found")}
    if receipt["tracking_uri"] is None:
        return f"{len(runs)} manifests written, no tracker"
    return (
        f"{count['new']} runs logged, {count['found']} found, "
        f"in {receipt['tracking_uri']}, experiment {receipt['experiment']!r}"
    )
