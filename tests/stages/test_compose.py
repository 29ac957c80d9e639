"""What compose hashes: every place that the data set's files lie in."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from pipeline.contract.errors import ConfigError
from pipeline.contract.files import read_json
from pipeline.manifest.policies import NAME, first_seen
from pipeline.settings import acceptance
from pipeline.settings.places import places
from pipeline.stages import compose
from pipeline.stages.compose import composed, read_yaml, validate
from tests.sets import folder

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose default run reads v1, a set with two documents."""
    shutil.copytree(ROOT / "conf", tmp_path / "conf")
    folder(tmp_path / "v1")
    folder(tmp_path / "v2")
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    monkeypatch.delenv("DVC_EXP_NAME", raising=False)
    monkeypatch.chdir(tmp_path)
    config = (ROOT / "conf/config.yaml").read_text("utf-8")
    config = re.sub(r"- experiment: \w+", "- experiment: mine", config)
    (tmp_path / "conf/config.yaml").write_text(config)
    reading(tmp_path, "path: v1")
    return tmp_path


def inputs(project: Path) -> dict[str, Any]:
    compose.run(project / "data")
    found: dict[str, Any] = read_json(project / "data/compose/inputs.json")
    return found


def reading(project: Path, *keys: str) -> None:
    """Let the default run read a data set by these keys."""
    lines = ["# @package _global_", "dataset:", *(f"  {key}" for key in keys), ""]
    (project / "conf/experiment/mine.yaml").write_text("\n".join(lines))


def test_the_files_of_the_set_are_hashed(project: Path) -> None:
    found = inputs(project)
    assert list(found) == ["files"]
    names = [file["name"] for file in found["files"]]
    assert names == ["documents.jsonl", "questions.jsonl", "responses.jsonl"]


def test_a_corpus_elsewhere_is_hashed_too_also_when_conf_did_not_move(project: Path) -> None:
    reading(project, "path: v1", "documents: v2")
    before = inputs(project)
    assert list(before) == ["documents", "files"]
    with (project / "v2/documents.jsonl").open("a") as file:
        file.write('{"doc_id": "x", "text": "x"}\n')
    after = inputs(project)
    assert after["files"] == before["files"]
    assert after["documents"] != before["documents"]


def test_a_corpus_that_is_not_there_is_refused_by_its_key(project: Path) -> None:
    params = composed(ROOT / "conf", ["experiment=fixture"])
    params["dataset"].update(path="v1", documents="nowhere")
    with pytest.raises(ConfigError, match=r"dataset\.documents: .* that exists, got nowhere"):
        validate(params)


def test_answers_and_rulings_beside_a_set_are_places_too() -> None:
    """Else a ruling that changed would be served from cache as it was."""
    beside = {"path": "v1", "responses": "answers.jsonl", "verdicts": "rulings.jsonl"}
    dataset = composed(ROOT / "conf", ["experiment=garage", "dataset.path=v1"])["dataset"]
    assert places({"dataset": dataset}) == {"path": "v1"}
    assert places({"dataset": dataset | beside}) == beside


def test_a_place_that_is_null_is_none(project: Path) -> None:
    dataset = {"path": "v1", "documents": None, "stale": "refuse"}
    assert places({"dataset": dataset}) == {"path": "v1"}


@pytest.mark.parametrize(
    "content", [b"x: [", b"\xe4: 1", b"x: 1\nx: 2", b"_target_: '${nowhere}'", b"\x00"]
)
def test_a_file_of_conf_that_is_no_yaml_is_one_line(project: Path, content: bytes) -> None:
    (project / "conf/chunker/document.yaml").write_bytes(content)
    with pytest.raises(ConfigError, match=r"^conf: expected a configuration that composes") as e:
        composed(project / "conf", [])
    assert len(str(e.value).splitlines()) == 1


def test_parameters_that_are_not_there_are_a_line_with_the_way_to_get_them(project: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        read_yaml(compose.PARAMS)
    assert str(caught.value) == (
        "params.yaml: expected a file, got no such file or directory; "
        "`python -m pipeline` writes it"
    )


@pytest.mark.parametrize("content", ["{", "[1]", ""])
def test_a_broken_note_of_the_last_run_is_made_anew(project: Path, content: str) -> None:
    wanted = inputs(project)
    seen = project / "data/compose/seen.json"
    seen.write_text(content)
    assert inputs(project) == wanted
    assert read_json(seen)["digest"]


def test_a_place_may_be_below_the_home_folder(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = inputs(project)
    monkeypatch.setenv("HOME", str(project))
    reading(project, "path: ~/v1")
    assert inputs(project) == wanted


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("x" * 5000, "conf: dataset.path: expected files that can be read"),
        ("~nobody-of-that-name", "conf: dataset.path: expected"),
        (" ", "conf: dataset.path: expected a folder or file that exists, got ' '"),
    ],
)
def test_a_place_that_cannot_be_one_is_one_line(project: Path, path: str, line: str) -> None:
    params = composed(ROOT / "conf", ["experiment=fixture"])
    params["dataset"].update(path=path)
    with pytest.raises(ConfigError) as caught:
        validate(params)
    assert str(caught.value).startswith(line)


def test_a_text_that_no_file_can_hold_is_refused_by_its_key() -> None:
    params = composed(ROOT / "conf", ["experiment=fixture"])
    params["reason"] = "caf\udce9"  # how Python reads a Latin-1 byte of the command line
    with pytest.raises(ConfigError) as caught:
        validate(params)
    assert str(caught.value) == r"conf: reason: expected text in UTF-8, got 'caf\udce9'"


def choosing(project: Path, policy: str) -> None:
    """Let the default run hold candidates to this policy."""
    config = project / "conf/config.yaml"
    config.write_text(re.sub(r"- acceptance: \w+", f"- acceptance: {policy}", config.read_text()))


def test_a_policy_is_first_seen_when_it_is_first_composed(project: Path) -> None:
    compose.run(project / "data")
    assert not (project / NAME).exists()  # nothing is demanded under `none`
    choosing(project, "default")
    compose.run(project / "data")
    policy = acceptance(read_yaml(Path("params.yaml")))
    seen = first_seen(policy.hash)
    assert seen is not None
    compose.run(project / "data")
    compose.run(project / "data")
    assert first_seen(policy.hash) == seen
    assert len((project / NAME).read_text("utf-8").splitlines()) == 1


def test_a_policy_whose_line_was_lost_is_seen_again(project: Path) -> None:
    choosing(project, "default")
    compose.run(project / "data")
    (project / NAME).unlink()
    compose.run(project / "data")
    assert (project / NAME).is_file()


def test_a_text_deep_in_a_policy_that_cannot_be_written_is_refused(project: Path) -> None:
    rule = {"name": "\ud800", "metric": "recall", "bound": 0.5}
    params = composed(ROOT / "conf", ["experiment=fixture"])
    params["acceptance"] = {"policy": "mine", "rules": [rule]}
    with pytest.raises(ConfigError, match=r"acceptance\.rules: expected text in UTF-8"):
        validate(params)


def test_peoples_labels_are_hashed_also_when_conf_did_not_move(project: Path) -> None:
    def people() -> Any:
        compose.run(project / "data")
        return read_json(project / "data/compose/people.json")["people"]

    assert people() is None
    label = project / "data/people/rulings.csv"
    label.parent.mkdir()
    label.write_text("item,annotator,label\n")
    first = people()
    assert people() == first
    label.write_text("item,annotator,label\na,ann,yes\n")
    assert len({None, first, people()}) == 3
