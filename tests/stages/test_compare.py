import dataclasses
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.contract.errors import ConfigError
from pipeline.contract.files import read_json, write_json
from pipeline.contract.results import Deltas, Judged, PerQuestion
from pipeline.contract.tables import read, write
from pipeline.settings import Acceptance
from pipeline.stages import compare
from tests.finished import finish
from tests.per_question import answered, per_question

NONE = Acceptance(policy="none")


def scored(data: Path, *systems: str, **parts: dict[str, Any]) -> Path:
    """A score folder in which each system is worse than the one before."""
    rows = [answered(name, "x", recall=1 - at / 10) for at, name in enumerate(systems)]
    rows += [answered(name, "y") for name in systems]
    write(data / "score", PerQuestion, per_question(*rows))
    write(data / "score", Judged, Judged.empty())
    identity = {
        "contract_version": "1.0",
        "systems": {
            name: {
                "fingerprint": f"print of {name}",
                "parts": {"system": name, "responses_hash": name, "cutoff": 2}
                | parts.get(name, {}),
            }
            for name in systems
        },
    }
    write_json(data / "score" / "identity.json", identity)
    return data


def comparison(data: Path) -> dict[str, Any]:
    found = read_json(data / "compare" / "comparison.json")
    assert isinstance(found, dict)
    return found


def test_without_a_baseline_it_is_the_first_system_in_order_of_name(tmp_path: Path) -> None:
    compare.run(scored(tmp_path, "b", "c", "a"), baseline=None, acceptance=NONE)
    assert comparison(tmp_path)["baseline"] == {"system": "a", "fingerprint": "print of a"}
    assert list(comparison(tmp_path)["candidates"]) == ["b", "c"]


def test_a_named_baseline_is_taken(tmp_path: Path) -> None:
    compare.run(scored(tmp_path, "a", "b"), baseline="b", acceptance=NONE)
    assert comparison(tmp_path)["baseline"]["system"] == "b"
    assert [e["question_id"] for e in comparison(tmp_path)["candidates"]["a"]["improvements"]] == [
        "x"
    ]


def test_a_baseline_that_is_no_system_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as refused:
        compare.run(scored(tmp_path, "old", "new"), baseline="odl", acceptance=NONE)
    assert str(refused.value) == (
        "conf: baseline: expected a system of this run (new, old) (did you mean 'old'?), got 'odl'"
    )
    assert not (tmp_path / "compare").exists()


def test_one_system_gives_empty_deltas_and_says_so(tmp_path: Path) -> None:
    line = compare.run(scored(tmp_path, "only"), baseline=None, acceptance=NONE)
    assert line == "one system only (only): nothing to compare"
    assert read(tmp_path / "compare", Deltas).is_empty()
    assert comparison(tmp_path)["candidates"] == {}


def test_the_line_counts_worse_and_better_of_each_candidate(tmp_path: Path) -> None:
    line = compare.run(scored(tmp_path, "a", "b", "c"), baseline="b", acceptance=NONE)
    assert line == "against b: a 0 worse, 1 better; c 1 worse, 0 better"


def test_regressions_are_named_with_their_values(tmp_path: Path) -> None:
    compare.run(scored(tmp_path, "a", "b"), baseline=None, acceptance=NONE)
    (regression,) = comparison(tmp_path)["candidates"]["b"]["regressions"]
    assert regression["question_id"] == "x"
    assert [(m["before"], m["after"]) for m in regression["metrics"]] == [(1.0, 0.9)]


def test_systems_differ_by_name_and_responses_without_that_being_a_setting(tmp_path: Path) -> None:
    compare.run(scored(tmp_path, "a", "b"), baseline=None, acceptance=NONE)
    found = comparison(tmp_path)["candidates"]["b"]
    assert (found["differs"], found["controlled"]) == ({}, True)


def test_settings_that_differ_are_listed_and_two_are_no_controlled_change(tmp_path: Path) -> None:
    scored(tmp_path, "a", "b", "c", b={"cutoff": 3}, c={"cutoff": 3, "judge": "j"})
    compare.run(tmp_path, baseline=None, acceptance=NONE)
    found = comparison(tmp_path)["candidates"]
    assert found["b"]["differs"] == {"cutoff": {"before": 2, "after": 3}}
    assert (found["b"]["controlled"], found["c"]["controlled"]) == (True, False)
    assert found["c"]["differs"]["judge"] == {"before": None, "after": "j"}


def test_the_fixture_names_launch_as_the_regression(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    found = comparison(finish(tmp_path / "data"))["candidates"]["B"]
    (launch,) = found["regressions"]
    assert (launch["question_id"], launch["new_causes"]) == ("launch", ["extra_claim"])
    assert [(m["metric"], m["before"], m["after"]) for m in launch["metrics"]] == [
        ("support", 1.0, 0.5)
    ]
    improved = [entry["question_id"] for entry in found["improvements"]]
    assert improved == ["owner", "region", "rollback"]


def test_the_csv_holds_the_rows_of_the_table(tmp_path: Path) -> None:
    compare.run(scored(tmp_path, "a", "b"), baseline=None, acceptance=NONE)
    table = read(tmp_path / "compare", Deltas)
    csv = pl.read_csv(tmp_path / "compare" / "deltas.csv")
    assert csv.columns == table.columns
    assert csv["delta"].to_list() == table["delta"].to_list()


def test_the_same_scores_give_the_same_bytes(tmp_path: Path) -> None:
    folders = [scored(tmp_path / name, "a", "b", "c") for name in ("one", "two")]
    for folder in folders:
        compare.run(folder, baseline=None, acceptance=NONE)
    names = sorted(path.name for path in (folders[0] / "compare").iterdir())
    assert names == ["comparison.json", "deltas.csv", "deltas.parquet", "settings.json"]
    for name in names:
        one, two = ((folder / "compare" / name).read_bytes() for folder in folders)
        assert one == two


def test_what_determined_the_comparison_is_written_beside_it(tmp_path: Path) -> None:
    compare.run(scored(tmp_path, "a", "b"), baseline="b", acceptance=NONE)
    assert read_json(tmp_path / "compare" / "settings.json") == {
        "baseline": "b",
        "acceptance": json.loads(json.dumps(dataclasses.asdict(NONE))),
    }


def test_nothing_is_judged_without_a_policy(tmp_path: Path) -> None:
    compare.run(scored(tmp_path, "a", "b"), baseline=None, acceptance=NONE)
    assert comparison(tmp_path)["verdict"] is None


def test_an_older_comparison_is_replaced_as_a_whole(tmp_path: Path) -> None:
    compare.run(scored(tmp_path, "a", "b"), baseline=None, acceptance=NONE)
    (tmp_path / "compare" / "stale.json").write_text(json.dumps({}))
    compare.run(tmp_path, baseline=None, acceptance=NONE)
    assert not (tmp_path / "compare" / "stale.json").exists()
