"""Chroma's chunking benchmark as a set: spans in long texts, no claims."""

import csv
import json
import os
from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.datasets.chunking import Chunking
from pipeline.checks.collection import Checked, check
from pipeline.contract.records import Collection, Mark

REAL = Path(os.environ.get("RAG_ASSAY_DATA", "/nonexistent")) / "chunking"
ICE = "Ice floats. 🧊 It melts\nat zero.\n"
FLOATS = {"content": "Ice floats.", "start_index": 0, "end_index": 11}
ZERO = {"content": "at zero.", "start_index": 23, "end_index": 31}


def write(path: Path, *rows: tuple[str, Any, str], text: bytes = ICE.encode()) -> Chunking:
    (path / "ice.md").write_bytes(text)
    with (path / "questions.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("question", "references", "corpus_id"))
        for question, references, corpus in rows:
            writer.writerow(
                (
                    question,
                    references if isinstance(references, str) else json.dumps(references),
                    corpus,
                )
            )
    return Chunking(str(path))


def checked(found: Collection) -> Checked:
    return check(found, claims="auto", split="dev", missing="refuse", repeats=None, rule="open")


def faults(found: Collection) -> list[str]:
    return [str(fault) for fault in checked(found).faults]


def test_references_are_marks_on_the_corpus_without_claims(tmp_path: Path) -> None:
    (tmp_path / "water.md").write_text("Water.")
    water = {"content": "Water", "start_index": 0, "end_index": 5}
    found = write(
        tmp_path,
        ("A?", [FLOATS, ZERO, FLOATS], "ice"),
        ("W?", [water], "water"),
        ("B?", [ZERO], "ice"),
    ).load()
    assert [row.question_id for row in found.questions.rows] == ["ice-1", "water-1", "ice-2"]
    first = found.questions.rows[0]
    assert (first.relevant, first.support) == (["ice"], None)
    assert first.evidence == [
        Mark("ice", start=0, end=11, quote="Ice floats."),
        Mark("ice", start=23, end=31, quote="at zero."),
    ]
    assert first.attributes == {"corpus": "ice"}
    assert {row.doc_id: row.text for row in found.documents.rows} == {"ice": ICE, "water": "Water."}
    assert (faults(found), checked(found).claims) == ([], False)


def test_a_reference_that_does_not_stand_at_its_offsets_is_refused(tmp_path: Path) -> None:
    found = write(tmp_path, ("A?", [FLOATS, {**ZERO, "start_index": 22}], "ice")).load()
    assert faults(found) == [
        "questions.csv:2: ice-1: expected 'at zero.' at 22–31 of ice in evidence[1], "
        "got '\\nat zero.'; the quote is moved to 23–31"
    ]


def test_a_corpus_is_kept_as_it_stands(tmp_path: Path) -> None:
    text = "\ufeffIce\r\nfloats.\r"
    reference = {"content": "\r\nfl", "start_index": 4, "end_index": 8}
    found = write(tmp_path, ("A?", [reference], "ice"), text=text.encode()).load()
    assert found.documents.rows[0].text == text
    assert faults(found) == []


def test_line_ends_are_read_as_the_offsets_were_counted(tmp_path: Path) -> None:
    text = ICE.replace("\n", "\r\n").encode()
    found = write(tmp_path, ("A?", [FLOATS, ZERO], "ice"), text=text).load()
    assert found.documents.rows[0].text == ICE
    assert (faults(found), found.notes[-1]) == (
        [], "ice.md: a byte-order mark, CRLF or CR left out, as offsets were counted without",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("references", "corpus", "fault"),
    [
        ("[{", "ice", "questions.csv:2: ice-1: expected JSON in references, got '[{' "
         "(Input data was truncated)"),
        ("", "ice", "questions.csv:2: ice-1: expected a list in references, got null"),
        ([{**FLOATS, "end_index": "11"}], "ice", "questions.csv:2: ice-1: expected a whole number "
         "in references[0].end_index, got '11'"),
        ([FLOATS], "", "questions.csv:2: expected the name of a corpus in corpus_id, got none"),
        ([FLOATS], "icy", "icy.md: expected the file of a corpus that questions.csv names, "
         "got 'icy.md', which is not there (did you mean 'ice.md'?)"),
        ([FLOATS], "../ice", "../ice.md: expected the file of a corpus that questions.csv names, "
         "got '../ice.md', which lies outside the folder"),
    ],
)  # fmt: skip
def test_each_fault_is_named(tmp_path: Path, references: Any, corpus: str, fault: str) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "ice.md").write_text("outside")
    found = write(tmp_path / "set", ("A?", references, corpus), ("B?", [FLOATS], "ice")).load()
    assert [str(one) for one in found.faults] == [fault]


def test_what_is_not_read_is_noted(tmp_path: Path) -> None:
    adapter = write(tmp_path, ("A?", [FLOATS], "ice"))
    (tmp_path / "README.md").write_text("About.")
    table = tmp_path / "questions.csv"
    table.write_text("".join(f"{line},\n" for line in table.read_text().split("\n") if line)
                     .replace("corpus_id,", "corpus_id,level"))  # fmt: skip
    assert adapter.load().notes == [
        "questions.csv: column 'level', not read", "README.md: not read",
    ]  # fmt: skip


def test_every_real_reference_stands_at_its_offsets() -> None:
    if not REAL.is_dir():
        pytest.skip("RAG_ASSAY_DATA names no folder with chunking")
    found = Chunking(str(REAL)).load()
    texts = {row.doc_id: row.text or "" for row in found.documents.rows}
    marks = [mark for row in found.questions.rows for mark in row.evidence or ()]
    assert len(found.questions.rows) >= 276
    assert len(marks) >= 452
    assert all(texts[mark.doc_id][mark.start : mark.end] == mark.quote for mark in marks)
    assert faults(found) == []
    ids = {row.question_id for row in found.questions.rows}
    assert {"wikitexts-144", "state_of_the_union-76", "chatlogs-56"} <= ids
