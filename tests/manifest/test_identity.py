"""Which systems a run has, and whether what was recorded determines their numbers."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.chunkers.document import Document
from pipeline.adapters.retrievers.recorded import Recorded
from pipeline.contract.files import read_json
from pipeline.contract.policy import Acceptance
from pipeline.manifest.run import Manifest, manifests
from pipeline.manifest.schemas import validate
from tests.built_in import built
from tests.finished import FIXTURE, finish, hand_in
from tests.tracked import PARAMS


@pytest.fixture(autouse=True)
def _root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))


def parts(data: Path) -> dict[str, dict[str, Any]]:
    systems = read_json(data / "score" / "identity.json")["systems"]
    return {name: system["parts"] for name, system in systems.items()}


def described(data: Path) -> dict[str, Manifest]:
    environment = dict.fromkeys(
        ("python", "implementation", "system", "release", "machine"), "x"
    ) | {"processors": 1, "packages": {}}
    return manifests(
        data,
        params=PARAMS,
        acceptance=Acceptance("none"),
        tracker={"adapter": "t"},
        code={"revision": None, "dirty": None},
        environment=environment,
        time="2026-01-01T00:00:00+00:00",
    )


def test_recorded_systems_are_those_of_the_record_and_hash_it(tmp_path: Path) -> None:
    found = parts(finish(tmp_path / "data"))
    frozen = read_json(tmp_path / "data/freeze/manifest.json")["responses"]
    assert {name: one["responses_hash"] for name, one in found.items()} == {
        name: frozen[name]["content"] for name in ("A", "B")
    }


def test_the_built_in_system_takes_nothing_from_a_record_that_lies_beside_it(
    tmp_path: Path,
) -> None:
    data = built(tmp_path / "data", FIXTURE)
    assert {name: one["responses_hash"] for name, one in parts(data).items()} == {"rag": None}
    manifest = described(data)["rag"]
    assert manifest["responses"] is None
    validate(manifest, "run")


def test_a_record_of_a_system_called_rag_is_not_the_built_in_one(tmp_path: Path) -> None:
    documents = [{"doc_id": "a", "text": "Boats cost two coins."}]
    questions = [{"question_id": "q", "text": "Boats?", "relevant": ["a"]}]
    recorded = [{"system": "rag", "question_id": "q", "retrieved": ["a"], "claims": []}]
    source = hand_in(tmp_path / "in", documents=documents, questions=questions, responses=recorded)
    data = built(tmp_path / "data", source)
    assert parts(data)["rag"]["responses_hash"] is None
    assert described(data)["rag"]["responses"] is None
    assert read_json(data / "freeze/manifest.json")["responses"].keys() == {"rag"}


def test_recorded_rankings_that_are_answered_anew_still_determine_the_numbers(
    tmp_path: Path,
) -> None:
    data = built(tmp_path / "data", FIXTURE, retriever=Recorded(), chunker=Document())
    assert all(one["responses_hash"] for one in parts(data).values())
    manifest = described(data)
    assert set(manifest) == {"A", "B"}
    assert manifest["A"]["responses"]["content"] == parts(data)["A"]["responses_hash"]
    validate(manifest["A"], "run")
