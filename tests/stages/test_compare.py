import dataclasses
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.comparison.gathered import gather
from pipeline.contract.errors import ConfigError, IncomparableError
from pipeline.contract.files import read_json, remove, write_json
from pipeline.contract.results import Deltas
from pipeline.contract.tables import read
from pipeline.sides.folder import one_in
from pipeline.stages import compare
from tests.comparing import COMPARING, NONE, UNCERTAINTY
from tests.finished import finish, hand_in

DOCS = [f"d{n}" for n in range(10)]


def scored(data: Path, *systems: str, **parts: dict[str, Any]) -> Path:
    """A finished run in which each system finds one document less than the one before."""
    asked = [
        {"question_id": "x", "text": "Which ten?", "relevant": DOCS},
        {"question_id": "y", "text": "Which one?", "relevant": ["d0"]},
    ]
    answers = [
        {"system": name, "question_id": question, "retrieved": found}
        for at, name in enumerate(systems)
        for question, found in (("x", DOCS[: 10 - at]), ("y", ["d0"]))
    ]
    documents = [{"doc_id": name, "text": f"Text {name}."} for name in DOCS]
    hand_in(data / "set", documents=documents, questions=asked, responses=answers)
    finish(data, data / "set", cutoff=10)
    identity = read_json(data / "score" / "identity.json")
    for name, system in identity["systems"].items():
        system["parts"] |= parts.get(name, {})
        system["fingerprint"] = f"print of {name}"
    write_json(data / "score" / "identity.json", identity)
    remove(data / "compare")
    return data


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))


def comparison(data: Path) -> dict[str, Any]:
    found = read_json(data / "compare" / "comparison.json")
    assert isinstance(found, dict)
    return found


def test_without_a_baseline_it_is_the_first_system_in_order_of_name(tmp_path: Path) -> None:
    compare.run(scored(tmp_path, "b", "c", "a"), baseline=None, **COMPARING)
    assert comparison(tmp_path)["baseline"] == {
        "name": "a",
        "spec": "system:a",
        "system": "a",
        "fingerprint": "print of a",
        "run_id": None,
    }
    assert list(comparison(tmp_path)["candidates"]) == ["b", "c"]


def test_a_named_baseline_is_taken(tmp_path: Path) -> None:
    compare.run(scored(tmp_path, "a", "b"), baseline="b", **COMPARING)
    assert comparison(tmp_path)["baseline"]["system"] == "b"
    assert [e["question_id"] for e in comparison(tmp_path)["candidates"]["a"]["improvements"]] == [
        "x"
    ]


def test_a_baseline_that_is_no_system_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as refused:
        compare.run(scored(tmp_path, "old", "new"), baseline="odl", **COMPARING)
    assert str(refused.value) == (
        "conf: baseline: expected a system of this run (new, old) (did you mean 'old'?), got 'odl'"
    )
    assert not (tmp_path / "compare").exists()


def test_one_system_gives_empty_deltas_and_says_so(tmp_path: Path) -> None:
    line = compare.run(scored(tmp_path, "only"), baseline=None, **COMPARING)
    assert line == "one system only (only): nothing to compare"
    assert read(tmp_path / "compare", Deltas).is_empty()
    assert comparison(tmp_path)["candidates"] == {}


def test_the_line_counts_worse_and_better_of_each_candidate(tmp_path: Path) -> None:
    line = compare.run(scored(tmp_path, "a", "b", "c"), baseline="b", **COMPARING)
    assert line == "against b: a 0 worse, 1 better; c 1 worse, 0 better"


def test_regressions_are_named_with_their_values(tmp_path: Path) -> None:
    compare.run(scored(tmp_path, "a", "b"), baseline=None, **COMPARING)
    (regression,) = comparison(tmp_path)["candidates"]["b"]["regressions"]
    assert regression["question_id"] == "x"
    # nine of the ten relevant documents are among the first ten: P@10 and R@10 fall alike
    assert [(m["metric"], m["before"], m["after"]) for m in regression["metrics"]] == [
        ("precision", 1.0, 0.9),
        ("recall", 1.0, 0.9),
    ]


def test_systems_differ_by_name_and_responses_without_that_being_a_setting(tmp_path: Path) -> None:
    compare.run(scored(tmp_path, "a", "b"), baseline=None, **COMPARING)
    found = comparison(tmp_path)["candidates"]["b"]
    assert (found["differs"], found["controlled"]) == ({}, True)


def test_settings_that_differ_are_listed_and_two_are_no_controlled_change(tmp_path: Path) -> None:
    scored(tmp_path, "a", "b", "c", b={"depth": 3}, c={"depth": 3, "reranker": "j"})
    compare.run(tmp_path, baseline=None, **COMPARING)
    found = comparison(tmp_path)["candidates"]
    assert found["b"]["differs"] == {"depth": {"before": 100, "after": 3}}
    assert (found["b"]["controlled"], found["c"]["controlled"]) == (True, False)
    assert found["c"]["differs"]["reranker"]["after"] == "j"


def test_a_frozen_part_that_differs_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    scored(tmp_path, "a", "b", b={"cutoff": 3})
    with pytest.raises(IncomparableError, match=r"cutoff \(cutoff: 10 against 3\)"):
        compare.run(tmp_path, baseline=None, **COMPARING)
    assert not (tmp_path / "compare").exists()


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
    compare.run(scored(tmp_path, "a", "b"), baseline=None, **COMPARING)
    table = read(tmp_path / "compare", Deltas)
    csv = pl.read_csv(tmp_path / "compare" / "deltas.csv")
    assert csv.columns == table.columns
    assert csv["delta"].to_list() == table["delta"].to_list()


def test_the_same_scores_give_the_same_bytes(tmp_path: Path) -> None:
    folders = [scored(tmp_path / name, "a", "b", "c") for name in ("one", "two")]
    for folder in folders:
        compare.run(folder, baseline=None, **COMPARING)
    names = sorted(path.name for path in (folders[0] / "compare").iterdir())
    assert names == [
        "comparison.json",
        "deltas.csv",
        "deltas.parquet",
        "report.html",
        "settings.json",
    ]
    for name in names:
        one, two = ((folder / "compare" / name).read_bytes() for folder in folders)
        assert one == two


def test_what_determined_the_comparison_is_written_beside_it(tmp_path: Path) -> None:
    compare.run(scored(tmp_path, "a", "b"), baseline="b", **COMPARING)
    assert read_json(tmp_path / "compare" / "settings.json") == {
        "baseline": "b",
        "acceptance": json.loads(json.dumps(dataclasses.asdict(NONE))),
        "uncertainty": json.loads(json.dumps(dataclasses.asdict(UNCERTAINTY))),
        "seed": 7,
        "content": "full",
        "heldout_budget": None,
    }


def test_nothing_is_judged_without_a_policy(tmp_path: Path) -> None:
    compare.run(scored(tmp_path, "a", "b"), baseline=None, **COMPARING)
    assert comparison(tmp_path)["verdict"] is None


def test_an_older_comparison_is_replaced_as_a_whole(tmp_path: Path) -> None:
    compare.run(scored(tmp_path, "a", "b"), baseline=None, **COMPARING)
    (tmp_path / "compare" / "stale.json").write_text(json.dumps({}))
    compare.run(tmp_path, baseline=None, **COMPARING)
    assert not (tmp_path / "compare" / "stale.json").exists()


def test_a_slice_without_unanswerable_questions_has_a_row_that_says_so(
    tmp_path: Path,
) -> None:
    asked = [
        {"question_id": "x", "text": "X?", "relevant": ["d0"], "support": {"c": ["d0"]},
         "attributes": {"topic": "t"}},
        {"question_id": "y", "text": "Y?", "relevant": [], "support": {},
         "attributes": {"topic": "u"}},
    ]  # fmt: skip
    claims = [{"claim_id": "c", "citations": ["d0"]}]
    answers = [
        {"system": name, "question_id": question, "retrieved": ["d0"], "claims": claims}
        for name in "AB"
        for question in "xy"
    ]
    documents = [{"doc_id": "d0", "text": "Text."}]
    hand_in(tmp_path / "set", documents=documents, questions=asked, responses=answers)
    finish(tmp_path, tmp_path / "set")
    sliced = dataclasses.replace(UNCERTAINTY, slices=("topic",))
    compare.run(tmp_path, baseline=None, **COMPARING | {"uncertainty": sliced})
    rows = {
        (row["metric"], row["value"]): (row["n"], row["reason"])
        for row in comparison(tmp_path)["candidates"]["B"]["uncertainty"]
    }
    none = (0, "no question is defined on both sides")
    assert rows["support_unanswerable", "t"] == none
    assert rows["support_unanswerable", "u"] == (1, "one question only")


def test_no_question_in_common_is_not_comparable(tmp_path: Path) -> None:
    sides = []
    for name in "ab":
        asked = [{"question_id": name, "text": "Which?", "relevant": ["d0"]}]
        answers = [{"system": name, "question_id": name, "retrieved": ["d0"]}]
        documents = [{"doc_id": "d0", "text": "Text."}]
        source = tmp_path / name / "set"
        hand_in(source, documents=documents, questions=asked, responses=answers)
        sides.append(one_in(finish(tmp_path / name / "data", source), f"dir:{name}", name))
    left = r"got none; left out: 1 \(only in baseline\), 1 \(only in candidate\)"
    with pytest.raises(IncomparableError, match=left):
        gather(sides[0], sides[1:], same=True)


def test_names_and_ids_that_are_formulas_are_none_in_the_csv(tmp_path: Path) -> None:
    compare.run(scored(tmp_path, "=A1", "@b"), baseline=None, **COMPARING)
    csv = pl.read_csv(tmp_path / "compare" / "deltas.csv")
    assert set(csv["baseline"]) == {"'=A1"}
    assert set(csv["candidate"]) == {"'@b"}
    assert csv["delta"].to_list() == read(tmp_path / "compare", Deltas)["delta"].to_list()
    averages = pl.read_csv(tmp_path / "score" / "aggregates.csv")
    assert set(averages["system"]) == {"'=A1", "'@b"}
