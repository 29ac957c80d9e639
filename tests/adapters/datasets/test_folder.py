from pathlib import Path

import pytest

from pipeline.adapters.datasets.jsonl import Jsonl
from pipeline.contract.records import Collection
from tests.sets import folder


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A file beside the set's folder."""
    path = tmp_path / "secret.txt"
    path.write_text("secret")
    return path


def read(tmp_path: Path, text_file: str, **fields: str) -> Collection:
    path = folder(tmp_path / "set", [{"doc_id": "long", "text_file": text_file, **fields}])
    return Jsonl(str(path)).load()


def test_a_text_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "set" / "texts").mkdir(parents=True)
    (tmp_path / "set" / "texts" / "long.txt").write_bytes("\ufeffÄ\r\nb\rc\n".encode())
    found = read(tmp_path, "texts/long.txt")
    assert found.faults == []
    assert found.documents.rows[0].text == "Ä\nb\rc\n"
    assert found.documents.rows[0].text_file is None
    assert found.notes == [
        "texts/long.txt: a byte-order mark, left out",
        "texts/long.txt: lines that end in CRLF, read as LF",
    ]


@pytest.mark.parametrize(
    "name", ["../secret.txt", "texts/../../secret.txt", "ABSOLUTE", "link.txt"]
)
def test_a_file_outside_the_folder_is_refused(tmp_path: Path, outside: Path, name: str) -> None:
    (tmp_path / "set" / "texts").mkdir(parents=True)
    (tmp_path / "set" / "link.txt").symlink_to(outside)
    name = str(outside) if name == "ABSOLUTE" else name
    found = read(tmp_path, name)
    assert [str(fault) for fault in found.faults] == [
        "documents.jsonl:1: long: expected a file of the folder in text_file, "
        f"got {name!r}, which lies outside the folder"
    ]
    assert found.documents.lost == {"long"}


def test_a_link_to_the_folder_itself_is_followed(tmp_path: Path) -> None:
    (folder(tmp_path / "set") / "a.txt").write_text("A")
    (tmp_path / "link").symlink_to(tmp_path / "set")
    read(tmp_path, "a.txt")
    assert Jsonl(str(tmp_path / "link")).load().documents.rows[0].text == "A"


@pytest.mark.parametrize(
    ("name", "got"),
    [
        ("long.tx", "'long.tx', which is not there (did you mean 'long.txt'?)"),
        (".hidden", "'.hidden', which is hidden"),
        ("a\x00b", r"'a\x00b', which cannot be opened"),
        ("", "'', which is not there"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, got: str) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "long.txt").write_text("x")
    (tmp_path / "set" / ".hidden").write_text("x")
    found = read(tmp_path, name)
    assert [str(fault) for fault in found.faults] == [
        f"documents.jsonl:1: long: expected a file of the folder in text_file, got {got}"
    ]


def test_text_and_text_file_exclude_each_other(tmp_path: Path) -> None:
    (folder(tmp_path / "set") / "a.txt").write_text("A")
    found = read(tmp_path, "a.txt", text="B")
    assert [str(fault) for fault in found.faults] == [
        "documents.jsonl:1: long: expected text or text_file, got both"
    ]


def test_a_text_file_is_utf_8(tmp_path: Path) -> None:
    (folder(tmp_path / "set") / "a.txt").write_bytes(b"ab\xe4")
    found = read(tmp_path, "a.txt")
    assert [str(fault) for fault in found.faults] == [
        "documents.jsonl:1: long: expected UTF-8 in text_file, "
        "got 'a.txt' with the byte 0xe4 at byte 2"
    ]


def test_a_text_file_that_may_not_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder(tmp_path / "set") / "a.txt").write_text("A")

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    found = read(tmp_path, "a.txt")
    assert [str(fault) for fault in found.faults] == [
        "documents.jsonl:1: long: expected a file that can be read in text_file, "
        "got 'a.txt' (Permission denied)"
    ]
