import re
import shlex
from pathlib import Path

import msgspec
import pytest

from pipeline.adapters.datasets.declared import KEYS
from pipeline.adapters.datasets.jsonl import Jsonl
from pipeline.contract.errors import ConfigError
from pipeline.contract.files import read_json
from pipeline.contract.records import Claim, Document, Mark, Question, Response, Spent
from pipeline.stages.freeze import examine
from pipeline.verbs.init import TEMPLATE, main
from tests.finished import finish
from tests.sets import SETTINGS


@pytest.fixture
def written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main([str(tmp_path / "mine")], tmp_path) == 0
    assert "wrote README.md, set.yaml" in capsys.readouterr().out
    return tmp_path / "mine"


@pytest.mark.parametrize("split", ["dev", "heldout", "all"])
def test_the_template_is_a_good_set(written: Path, split: str) -> None:
    assert sorted(file.name for file in written.iterdir()) == sorted(TEMPLATE)
    settings = {**SETTINGS, "split": split}
    faults, summary = examine(Jsonl(str(written)), cutoff=2, **settings)
    assert faults == []
    assert summary["corpus"].startswith("kiosk ")


def test_the_template_runs(written: Path, tmp_path: Path) -> None:
    data = finish(tmp_path / "data", written)
    metrics = read_json(data / "score" / "metrics.json")
    assert sorted(metrics) == ["new", "old"]


def test_the_readme_lists_every_field_with_its_type(written: Path) -> None:
    text = (written / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| (`.*`) \| (.+?) \| (.+) \|$", text, re.MULTILINE)
    named = [name for cell, _, _ in rows for name in re.findall(r"`(\w+)`", cell)]
    kinds = (Document, Question, Mark, Response, Claim, Spent)
    fields = [name for kind in kinds for name in kind.__struct_fields__]
    assert sorted(named) == sorted(fields)


def test_the_readme_marks_what_is_required(written: Path) -> None:
    text = (written / "README.md").read_text("utf-8")
    marked = re.findall(r"^\| `(\w+)` \| [^|]*required \|", text, re.MULTILINE)
    required = [
        field.name
        for kind in (Document, Question, Mark, Response, Claim, Spent)
        for field in msgspec.structs.fields(kind)
        if field.required
    ]
    assert sorted(marked) == sorted(required)


def test_the_template_names_every_key_of_set_yaml(written: Path) -> None:
    text = (written / "set.yaml").read_text("utf-8")
    for section, keys in KEYS.items():
        assert f"\n{section}:\n" in text
        for key in keys:
            assert f"\n  {key}:" in text


def test_a_folder_with_files_in_it_is_left_alone(written: Path) -> None:
    before = {file.name: file.read_bytes() for file in written.iterdir()}
    with pytest.raises(ConfigError) as caught:
        main([str(written)], written)
    assert str(caught.value) == (
        f"init {written}: expected a new or empty folder, got a folder with files in it"
    )
    assert {file.name: file.read_bytes() for file in written.iterdir()} == before


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    main([str(tmp_path)], tmp_path)
    assert (tmp_path / "set.yaml").is_file()


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(ConfigError, match="expected a new or empty folder, got a file"):
        main([str(tmp_path / "x")], tmp_path)


@pytest.mark.parametrize("words", [[], ["a", "b"], ["--force"]])
def test_one_folder_is_named(words: list[str], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^init: expected a folder to write: init DIR, got "):
        main(words, tmp_path)


def test_the_command_it_names_can_be_typed_as_it_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "my data; rm"
    main([str(folder)], tmp_path)
    command = capsys.readouterr().out.splitlines()[-1].removeprefix("try it: ")
    assert shlex.split(command)[4] == f"dataset.path={folder}"
