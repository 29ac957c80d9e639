"""The track stage: manifests first, then the tracker, then the receipt."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.trackers.none import Local
from pipeline.contract.errors import EndpointError
from pipeline.contract.files import read_json, write_json
from pipeline.manifest import ledger
from pipeline.manifest.schemas import validate
from pipeline.stages import track
from tests.tracked import PARAMS, folder


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    return folder(tmp_path)


@dataclass(frozen=True)
class Given:
    """Gives every system the same run id, or is down."""

    run_id: str
    down: bool = False

    def log(self, data: Path, params: dict[str, Any]) -> dict[str, Any]:
        assert (data / "track" / "A.manifest.json").is_file()
        if self.down:
            raise EndpointError("store", expected="an answer", got="none")
        run = {"run_id": self.run_id, "fingerprint": "f", "status": "new"}
        return {"tracking_uri": "u", "experiment": "e", "runs": {"A": run, "B": run}}


def test_without_a_tracker_manifests_and_a_receipt_are_all(data: Path) -> None:
    line = track.run(data, tracker=Local(), params=PARAMS)
    assert line == "2 manifests written, no tracker"
    assert sorted(path.name for path in (data / "track").iterdir()) == [
        "A.manifest.json",
        "B.manifest.json",
        "judge.json",
        "run.json",
        "usage.json",
    ]
    for system in ("A", "B"):
        manifest = read_json(data / "track" / f"{system}.manifest.json")
        validate(manifest, "run")
        assert manifest["run_id"] is None
        receipt = read_json(data / "track" / "run.json")["runs"][system]
        assert receipt["fingerprint"] == manifest["fingerprint"]


def test_the_trackers_run_id_enters_the_manifest(data: Path) -> None:
    line = track.run(data, tracker=Given("r1"), params=PARAMS)
    assert line == "2 runs logged, 0 found, in u, experiment 'e'"
    assert read_json(data / "track" / "B.manifest.json")["run_id"] == "r1"
    track.run(data, tracker=Given("r2"), params=PARAMS)
    assert read_json(data / "track" / "B.manifest.json")["run_id"] == "r2"


def test_a_manifest_of_the_same_results_stays_as_it_is(data: Path) -> None:
    track.run(data, tracker=Given("r1"), params=PARAMS)
    path = data / "track" / "A.manifest.json"
    before = path.read_bytes()
    track.run(data, tracker=Given("r1"), params=PARAMS)
    assert path.read_bytes() == before
    track.run(data, tracker=Given("r1"), params={**PARAMS, "seed": 8})
    assert read_json(path)["seed"] == 8


def test_a_store_that_is_down_leaves_manifests_and_no_receipt(data: Path) -> None:
    with pytest.raises(EndpointError):
        track.run(data, tracker=Given("r", down=True), params=PARAMS)
    assert read_json(data / "track" / "A.manifest.json")["run_id"] is None
    assert not (data / "track" / "run.json").exists()
    track.run(data, tracker=Given("r"), params=PARAMS)
    assert read_json(data / "track" / "A.manifest.json")["run_id"] == "r"


def test_held_out_numbers_that_come_from_the_cache_are_a_look_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    data = folder(tmp_path, split="heldout")
    params = {**PARAMS, "split": "heldout", "reason": "a test"}
    track.run(data, tracker=Local(), params=params)
    assert len(ledger.entries()) == 2, "the look of `score` is not written again"

    # another checkout has no ledger yet, and DVC restores data/score without running `score`
    (tmp_path / ledger.NAME).unlink()
    track.run(data, tracker=Local(), params=params)
    assert [(look["system"], look["reason"]) for look in ledger.entries()] == [
        ("A", "a test"),
        ("B", "a test"),
    ]
    assert read_json(data / "track" / "A.manifest.json")["heldout"]["uses"] == 1


def test_what_tells_of_other_results_is_taken_away_even_when_the_store_is_down(data: Path) -> None:
    # DVC restores results it knows without running a stage: nobody else clears this folder.
    track.run(data, tracker=Local(), params=PARAMS)
    folder, receipt = data / "track", read_json(data / "track" / "run.json")
    (folder / "gone.manifest.json").write_bytes((folder / "A.manifest.json").read_bytes())
    receipt["runs"]["A"]["fingerprint"] = "0" * 64
    write_json(folder / "run.json", receipt)
    with pytest.raises(EndpointError):
        track.run(data, tracker=Given("r", down=True), params=PARAMS)
    assert sorted(path.name for path in folder.iterdir()) == [
        "A.manifest.json",
        "B.manifest.json",
        "judge.json",
        "usage.json",
    ]


def test_a_receipt_of_these_results_stays_while_the_store_is_down(data: Path) -> None:
    track.run(data, tracker=Local(), params=PARAMS)
    before = (data / "track" / "run.json").read_bytes()
    with pytest.raises(EndpointError):
        track.run(data, tracker=Given("r", down=True), params=PARAMS)
    assert (data / "track" / "run.json").read_bytes() == before
