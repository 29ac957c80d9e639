"""How a run was timed and paid for is told with what it cost: by us, by others, or not at all."""

from pathlib import Path
from typing import Any

from pipeline.adapters.trackers.none import Local
from pipeline.contract.files import read_json
from pipeline.manifest.measurement import measurement
from pipeline.stages import track
from tests.tracked import PARAMS, folder

MODEL = {"_target_": "x.OpenAI", "model": "m", "concurrency": 8, "timeout": 60, "price_input": None}


def parts(**adapters: str) -> dict[str, Any]:
    return {port: {"adapter": f"pipeline.adapters.{name}"} for port, name in adapters.items()}


def test_calls_of_ours_come_with_how_they_were_made() -> None:
    found = measurement({"answerer": MODEL}, parts(answerer="answerers.openai.OpenAI"))
    handling = {"concurrency": 8, "timeout": 60, "price_input": None}
    assert found == {"answerer": {"by": "us", **handling}, "judge": None}


def test_what_came_with_the_set_was_measured_by_nobody_here() -> None:
    found = measurement({"answerer": {}}, parts(answerer="answerers.recorded.Recorded"))
    assert found["answerer"] == {"by": "recorded"}


def test_what_needs_no_calls_is_not_measured() -> None:
    found = measurement({"judge": {"_target_": "x"}}, parts(judge="judges.labels.Labels"))
    assert found == {"answerer": None, "judge": None}


def test_the_page_of_costs_is_that_of_the_manifests(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    data = folder(tmp_path)
    track.run(data, tracker=Local(), params=PARAMS)
    page = read_json(data / "track" / "usage.json")
    manifests = {name: read_json(data / "track" / f"{name}.manifest.json") for name in "AB"}
    assert page["systems"] == {name: one["counts"]["usage"] for name, one in manifests.items()}
    assert page["measurement"] == {"answerer": {"by": "recorded"}, "judge": None}
    assert page["machine"]["processors"] == manifests["A"]["environment"]["processors"]
    assert read_json(data / "track" / "judge.json") is None  # labels decide, and no judge
    assert manifests["A"]["judge_validation"] is None
