import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.contract.errors import ConfigError, DataError
from pipeline.manifest.schemas import validate
from pipeline.manifest.versions import Frozen, changes, conflict, previous, register, remedy

TERMS = {"licence": "CC0", "authorisation": None, "retention": None}
ONE = Frozen("corpus", "handbook", "v1", None, "1" * 64, {"a": "0" * 12, "b": "1" * 12}, TERMS)
TWO = Frozen(
    "corpus", "handbook", "v2", "b mended, c new", "2" * 64,
    {"b": "2" * 12, "c": "3" * 12}, TERMS,
)  # fmt: skip


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    return tmp_path


def kept(project: Path, version: str = "v1") -> dict[str, Any]:
    file = project / "data" / "versions" / "corpus" / "handbook" / f"{version}.json"
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def test_the_first_freeze_of_a_version_is_kept(project: Path) -> None:
    assert conflict(ONE) is None
    register(ONE)
    document = kept(project)
    validate(document, "version")
    assert document["content"] == "1" * 64
    assert (document["count"], document["licence"], document["before"]) == (2, "CC0", None)
    assert document["changes"] is None


def test_the_same_content_is_fine_and_leaves_the_file_alone(project: Path) -> None:
    register(ONE)
    file = next(project.rglob("v1.json"))
    before = file.stat().st_mtime_ns
    again = replace(ONE, note="said later")
    assert conflict(again) is None
    register(again)
    assert file.stat().st_mtime_ns == before


def test_other_content_under_a_version_is_refused_with_both_hashes() -> None:
    register(ONE)
    other = replace(ONE, content="9" * 64)
    assert str(conflict(other)) == (
        "data/versions/corpus/handbook/v1.json: expected the content that corpus handbook v1 "
        "was frozen as, 111111111111, got 999999999999"
    )
    assert remedy(other) == (
        "v1 was frozen as 111111111111, found 999999999999: "
        "restore it or name a new version, with a note"
    )


def test_a_new_version_of_a_known_name_needs_a_note() -> None:
    register(ONE)
    silent = replace(TWO, note=None)
    assert str(conflict(silent)) == (
        "data/versions/corpus/handbook/v2.json: expected a note on what changed since v1, got none"
    )
    assert remedy(silent) == "add corpus.note='…', or a note to the corpus in set.yaml"
    assert conflict(TWO) is None


def test_a_new_version_counts_what_changed_against_the_one_before(project: Path) -> None:
    register(ONE)
    register(TWO)
    document = kept(project, "v2")
    validate(document, "version")
    assert (document["before"], document["note"]) == ("v1", "b mended, c new")
    assert document["changes"] == {"added": 1, "removed": 1, "changed": 1}


def test_the_version_before_is_the_one_that_none_follows() -> None:
    register(replace(ONE, version="z"))
    register(replace(TWO, version="a"))
    before = previous(replace(TWO, version="m", content="3" * 64))
    assert before is not None
    assert before["version"] == "a"


def test_a_large_set_keeps_its_number_alone(project: Path) -> None:
    many = {f"d{n}": f"{n:012d}" for n in range(1_001)}
    register(replace(ONE, members=many))
    assert kept(project)["members"] is None
    register(replace(ONE, name="small", members=dict(list(many.items())[:1_000])))
    assert len(json.loads(next(project.rglob("small/v1.json")).read_text())["members"]) == 1_000
    register(TWO)
    assert kept(project, "v2")["changes"] is None
    assert changes(None, many) is None


def test_names_do_not_mix() -> None:
    register(ONE)
    assert conflict(replace(TWO, name="other", note=None)) is None
    assert conflict(replace(TWO, kind="question_set", note=None)) is None


def test_a_set_that_declares_no_version_writes_nothing(project: Path) -> None:
    undeclared = replace(ONE, version=None, name="any name / at all")
    assert conflict(undeclared) is None
    register(undeclared)
    assert list(project.iterdir()) == []
    assert undeclared.title == "1" * 12


@pytest.mark.parametrize("name", ["../x", "a b", ".x", "", "x" * 65])
def test_a_name_that_could_leave_its_folder_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=r"^conf: corpus\.name: expected at most 64 letters"):
        conflict(replace(ONE, name=name))
    with pytest.raises(ConfigError, match=r"^conf: corpus\.version: expected at most 64 letters"):
        conflict(replace(ONE, version=name))


def test_a_version_file_that_a_merge_has_broken_is_named(project: Path) -> None:
    register(ONE)
    next(project.rglob("v1.json")).write_text("<<<<<<< HEAD\n")
    with pytest.raises(DataError, match=r"data/versions/corpus/handbook/v1\.json: expected JSON"):
        conflict(ONE)
