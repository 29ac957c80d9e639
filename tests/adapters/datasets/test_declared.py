from pathlib import Path

import pytest

from pipeline.adapters.datasets.declared import declare
from pipeline.adapters.datasets.folder import Folder
from pipeline.adapters.datasets.jsonl import Jsonl
from pipeline.contract.records import Collection, Version
from tests.sets import folder


def read(tmp_path: Path, text: str) -> Collection:
    path = folder(tmp_path / "mine")
    (path / "set.yaml").write_text(text)
    return Jsonl(str(path)).load()


def test_a_set_says_what_it_is(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        "corpus: {name: handbook, version: 1.10, licence: CC0, note: first}\n"
        "question_set:\n  version: 2026-01-01\n  authorisation: works council\n  retention:\n",
    )
    assert found.faults == []
    assert found.corpus == Version("handbook", "1.10", "CC0", note="first")
    assert found.question_set == Version("mine", "2026-01-01", authorisation="works council")


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "corpus:\n", "corpus: {name: null, note: ~}\n"]
)
def test_what_a_set_does_not_say_is_not_stated(tmp_path: Path, text: str) -> None:
    found = read(tmp_path, text)
    assert found.faults == []
    assert found.corpus == found.question_set == Version("mine")


def test_files_may_have_other_names(tmp_path: Path) -> None:
    path = folder(tmp_path / "mine")
    (path / "parts").mkdir()
    (path / "documents.jsonl").rename(path / "parts" / "corpus.jsonl")
    assert len(read(tmp_path, "files: {documents: parts/corpus.jsonl}").documents.rows) == 2


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "corpsu: {name: x}",
            "set.yaml:1: expected a known key (did you mean 'corpus'?), got 'corpsu'",
        ),
        (
            "corpus:\n  nmae: x",
            "set.yaml:2: expected a known key (did you mean 'name'?), got 'corpus.nmae'",
        ),
        (
            "corpus:\n  name: x\n  name: y",
            "set.yaml:3: expected each key once, got 'corpus.name' twice",
        ),
        ("corpus: {name: [x]}", "set.yaml:1: expected text in corpus.name, got a list or mapping"),
        ("corpus: x", "set.yaml:1: expected a mapping in corpus, got something else"),
        ("- x", "set.yaml:1: expected a mapping in set.yaml, got something else"),
        (
            "files: {documents: ../d.jsonl}",
            "set.yaml: expected a file of the folder in files.documents, "
            "got '../d.jsonl', which lies outside the folder",
        ),
        (
            "files: {documents: docs.jsonl}",
            "set.yaml: expected a file of the folder in files.documents, "
            "got 'docs.jsonl', which is not there (did you mean 'documents.jsonl'?)",
        ),
    ],
)
def test_each_fault_of_the_declaration_is_named(tmp_path: Path, text: str, fault: str) -> None:
    assert [str(one) for one in read(tmp_path, text).faults] == [fault]


def test_what_is_no_yaml_is_refused_with_its_line(tmp_path: Path) -> None:
    found = read(tmp_path, "corpus:\n  name: [x\n")
    assert len(found.faults) == 1
    assert str(found.faults[0]).startswith("set.yaml:3: expected YAML, got ")


def test_what_bears_the_name_and_is_no_file_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a" / "set.yaml").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "set.yaml").symlink_to("nowhere")
    for name in ("a", "b"):
        collection = Collection()
        declare(Folder(tmp_path / name, name), collection)
        assert [str(fault) for fault in collection.faults] == [
            "set.yaml: expected a file, got something else of that name"
        ]
