"""The run manifest: complete, checked, and the same for the same results."""

import dataclasses
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.trackers.beside import verdict
from pipeline.contract import SCHEMA_VERSION
from pipeline.contract.files import read_json, write_json
from pipeline.contract.policy import Acceptance
from pipeline.manifest.environment import environment
from pipeline.manifest.identity import fingerprint
from pipeline.manifest.ledger import NAME
from pipeline.manifest.policies import record
from pipeline.manifest.run import filename, manifests, same, write
from pipeline.manifest.schemas import schema, validate
from pipeline.stages import compare
from tests.comparing import COMPARING, UNCERTAINTY
from tests.tracked import CANARY, PARAMS, TERMS, folder

TIME = "2030-01-02T03:04:05+00:00"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    return tmp_path


def described(data: Path, time: str = TIME, **params: Any) -> dict[str, dict[str, Any]]:
    return manifests(
        data,
        params=PARAMS | params,
        acceptance=Acceptance(**(PARAMS | params)["acceptance"]),
        tracker={"adapter": "t", "content": "ids", "uri": "http://me:hunter2@host"},
        code={"revision": "a" * 40, "dirty": False},
        environment=environment(),
        time=time,
    )


def test_every_system_has_a_manifest_that_fits_the_schema(root: Path) -> None:
    found = described(folder(root))
    assert list(found) == ["A", "B"]
    for name, manifest in found.items():
        validate(manifest, "run")
        assert manifest["system"] == name
        assert manifest["fingerprint"] == fingerprint(manifest["parts"])
    assert found["A"]["fingerprint"] != found["B"]["fingerprint"]


def test_it_names_data_terms_and_what_was_inferred(root: Path) -> None:
    manifest = described(folder(root))["B"]
    for frozen in (manifest["corpus"], manifest["question_set"]):
        assert {key: frozen[key] for key in TERMS} == TERMS
    assert manifest["responses"]["delivered"] == "inferred"
    assert manifest["responses"]["failed"] == 1
    assert manifest["hashes"].keys() == {"corpus", "questions", "labels", "permissions"}
    assert manifest["seed"] == 7
    assert manifest["tracker"] == {"adapter": "t", "content": "ids", "uri": "http://host"}
    assert CANARY not in str({k: v for k, v in manifest.items() if k != "parts"})


def test_it_names_the_method_of_the_intervals_with_resamples_and_seed(root: Path) -> None:
    data = folder(root)
    found = described(data)
    assert found["A"]["comparison"] is None  # the baseline
    method = found["B"]["comparison"]["method"]
    assert method == read_json(data / "compare" / "comparison.json")["method"]
    assert method["interval"] == "expanded percentile bootstrap over questions"
    assert (method["resamples"], method["seed"], method["correction"]) == (10_000, 7, "Holm")
    del method["interval"]
    with pytest.raises(ValueError, match=r"comparison\.method: 'interval' is a required"):
        validate(found["B"], "run")


def test_a_metric_to_test_that_was_not_measured_stands_in_the_method(root: Path) -> None:
    data = folder(root)
    asked = dataclasses.replace(UNCERTAINTY, metrics=("recall", "ndcg@5"))
    compare.run(data, baseline=None, **COMPARING | {"uncertainty": asked})
    manifest = described(data)["B"]
    validate(manifest, "run")
    assert manifest["comparison"]["method"]["unmeasured"] == ["ndcg@5"]


@pytest.mark.parametrize(("first", "late"), [("policy", False), ("scores", True)])
def test_a_policy_that_came_after_the_scores_is_marked(root: Path, first: str, late: bool) -> None:
    policy = Acceptance("mine")
    if first == "policy":
        record("mine", policy.hash, datetime(2026, 1, 1, tzinfo=UTC))
    data = folder(root)
    compare.run(data, baseline=None, **COMPARING | {"acceptance": policy})
    manifest = described(data, acceptance={"policy": "mine"})["B"]
    validate(manifest, "run")
    assert manifest["comparison"]["after_scores"] is late
    assert verdict(manifest) == {
        "verdict": "unmeasurable",  # B failed once, which may hide a leak
        "verdict.against": "A",
        "verdict.policy": "mine",
        "verdict.policy_hash": policy.hash,
        "verdict.policy_first_seen": manifest["acceptance"]["first_seen"],
        "verdict.policy_after_scores": str(late).lower(),
    }


def test_outputs_are_the_hashes_of_the_files(root: Path) -> None:
    data = folder(root)
    outputs = described(data)["A"]["outputs"]
    kept = (data / "score" / "per_question.parquet").read_bytes()
    assert outputs["score/per_question.parquet"] == sha256(kept).hexdigest()
    assert {name.split("/")[0] for name in outputs} == {
        "freeze", "chunk", "retrieve", "rerank", "answer", "judge", "score", "compare",
    }  # fmt: skip


def test_a_heldout_run_says_how_often_the_questions_were_seen_and_why(root: Path) -> None:
    assert described(folder(root / "dev"))["A"]["heldout"]["uses"] == 0
    folder(root / "one", split="heldout")
    heldout = described(folder(root / "two", split="heldout", label=" 2"))["A"]["heldout"]
    assert heldout["opened"] is True
    assert heldout["uses"] == 2  # other responses to the same questions: a second look
    assert [look["reason"] for look in heldout["looks"]] == ["a test"]


def test_a_heldout_run_holds_the_ledgers_state_and_what_the_budget_says(root: Path) -> None:
    dev = described(folder(root / "dev"))["A"]["heldout"]
    assert (dev["head"], dev["chain"], dev["budget"], dev["over"]) == (None, "whole", None, False)
    data = folder(root / "one", split="heldout")
    heldout = described(data, heldout_budget=1)["A"]["heldout"]
    assert heldout["head"] == sha256((root / NAME).read_bytes().splitlines()[-1]).hexdigest()
    assert (heldout["budget"], heldout["spent"], heldout["over"]) == (1, 0, False)
    data = folder(root / "two", split="heldout", label=" 2")
    heldout = described(data, heldout_budget=1)["A"]["heldout"]
    # both looks opened all four questions
    assert (heldout["uses"], heldout["most"]) == (2, 2)
    assert (heldout["spent"], heldout["over"]) == (4, True)


def test_a_budget_changes_no_fingerprint(root: Path) -> None:
    data = folder(root, split="heldout")
    one, other = (described(data, heldout_budget=n)["A"] for n in (1, 2))
    assert one["fingerprint"] == other["fingerprint"]


def test_the_same_results_at_another_time_are_the_same(root: Path) -> None:
    data = folder(root)
    one, later = described(data)["A"], described(data, "2031-01-01T00:00:00+00:00")["A"]
    assert one != later
    assert same(one, later | {"run_id": "x"})
    assert not same(one, described(data, cutoff=1)["A"])
    assert not same(one, described(data)["B"])


def test_a_policy_is_named_with_its_hash_and_when_it_was_first_seen(root: Path) -> None:
    data = folder(root)
    policy = Acceptance("mine")
    before = described(data, acceptance={"policy": "mine"})["A"]
    assert before["acceptance"] == {"policy": "mine", "hash": policy.hash, "first_seen": None}
    assert before["acceptance_hash"] == policy.hash
    seen = record("mine", policy.hash, datetime(2026, 1, 1, tzinfo=UTC))
    after = described(data, acceptance={"policy": "mine"})["A"]
    validate(after, "run")
    assert after["acceptance"]["first_seen"] == seen
    assert same(before, after)
    assert not same(after, described(data, acceptance={"policy": "other"})["A"])


def test_a_part_that_asks_a_model_names_it_and_hashes_its_prompt(root: Path) -> None:
    data = folder(root)
    identity = read_json(data / "score" / "identity.json")
    identity["systems"]["A"]["parts"]["answerer"] = {
        "adapter": "x", "model": "m-1", "temperature": 0.0, "prompt": "Say!",
    }  # fmt: skip
    write_json(data / "score" / "identity.json", identity)
    manifest = described(data)["A"]
    assert manifest["models"] == {"answerer": {"adapter": "x", "model": "m-1", "temperature": 0.0}}
    assert manifest["prompts"] == {"answerer.prompt": sha256(b'"Say!"').hexdigest()}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"fingerprint": "short"}, r"\$\.fingerprint"),
        ({"split": "test"}, r"\$\.split"),
        ({"surprise": 1}, r"\$"),
        ({"time": "yesterday"}, r"\$\.time"),
        ({"seed": -1}, r"\$\.seed"),
        ({"schema_version": "0"}, r"\$\.schema_version"),
    ],
)
def test_what_does_not_fit_is_refused_by_place_and_not_written(
    root: Path, change: dict[str, Any], place: str
) -> None:
    manifest = described(folder(root))["A"] | change
    with pytest.raises(ValueError, match=rf"run\.schema\.json: {place}: "):
        write(root / "m.json", manifest)
    assert not (root / "m.json").exists()


def test_a_missing_key_is_refused(root: Path) -> None:
    manifest = described(folder(root))["A"]
    for key in schema("run")["required"]:
        with pytest.raises(ValueError, match=key):
            validate({name: value for name, value in manifest.items() if name != key}, "run")


def test_the_schema_is_of_this_version_and_lists_every_key() -> None:
    assert schema("run")["properties"]["schema_version"] == {
        "const": SCHEMA_VERSION,
        "description": "version of this layout",
    }
    assert set(schema("run")["required"]) == set(schema("run")["properties"])


@pytest.mark.parametrize(
    ("system", "plain"),
    [
        ("A", True),
        ("my-rag_1.2", True),
        ("a/b", False),
        ("..", False),
        ("x y", False),
        ("é", False),
    ],
)
def test_a_manifest_has_a_file_name_of_its_own_whatever_the_system_is_called(
    system: str, plain: bool
) -> None:
    name = filename(system)
    assert "/" not in name
    assert not name.startswith(".")
    assert (name == f"{system}.manifest.json") is plain
    assert filename(system + "_") != name
