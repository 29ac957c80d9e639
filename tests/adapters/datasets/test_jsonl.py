import json
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.adapters.datasets.jsonl import Jsonl
from pipeline.checks.ids import malformed
from pipeline.contract.errors import DataError
from pipeline.contract.records import Collection
from tests.sets import DOCUMENTS, QUESTION, RESPONSE, folder

FIXTURE = Path(__file__).parents[3] / "data" / "raw" / "fixture" / "v1"


def load(path: Path) -> Collection:
    return Jsonl(str(path)).load()


def faults(path: Path) -> list[str]:
    return [str(fault) for fault in load(path).faults]


def with_line(path: Path, line: bytes, name: str = "documents") -> list[str]:
    """Faults of a good set to which this line was added at the end of a file."""
    folder(path)
    with (path / f"{name}.jsonl").open("ab") as file:
        file.write(line)
    return faults(path)


def test_the_shipped_fixture_is_read_whole() -> None:
    read = load(FIXTURE)
    assert (len(read.documents.rows), len(read.questions.rows)) == (5, 4)
    assert len(read.responses.rows) == 8
    assert (read.faults, read.notes) == ([], [])
    assert read.documents.lines == [1, 2, 3, 4, 5]


def test_responses_may_be_left_out(tmp_path: Path) -> None:
    (folder(tmp_path) / "responses.jsonl").unlink()
    assert load(tmp_path).responses.rows == []


def test_a_file_that_looks_like_a_misspelt_part_is_noted(tmp_path: Path) -> None:
    (folder(tmp_path) / "responses.jsonl").rename(tmp_path / "response.jsonl")
    assert load(tmp_path).notes == ["response.jsonl: not read"]


def test_a_relative_folder_is_taken_from_the_projects_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    folder(tmp_path / "raw" / "mine")
    read = load(Path("raw/mine"))
    assert len(read.documents.rows) == 2
    assert read.corpus.name == read.question_set.name == "mine"


def test_a_missing_folder_names_the_nearest(tmp_path: Path) -> None:
    folder(tmp_path / "mine")
    with pytest.raises(DataError) as caught:
        load(tmp_path / "mien")
    assert str(caught.value) == (
        f"{tmp_path}/mien: expected a folder with documents.jsonl and questions.jsonl, "
        "got no such folder (did you mean 'mine'?)\ngive the folder as dataset.path=…"
    )


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(DataError, match=r"/x: expected a folder with .*, got a file"):
        load(tmp_path / "x")


def test_a_missing_file_names_the_nearest(tmp_path: Path) -> None:
    (folder(tmp_path) / "questions.jsonl").rename(tmp_path / "question.jsonl")
    with pytest.raises(DataError) as caught:
        load(tmp_path)
    assert str(caught.value) == (
        f"{tmp_path}/questions.jsonl: expected a file with one question a line, "
        "got no such file (did you mean 'question.jsonl'?)\n"
        "rename the file, or name it under files: in set.yaml"
    )


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (
            b'{"doc_id": "x", "text": "x"',
            "expected JSON, got Expecting ',' delimiter at column 28",
        ),
        (b'{"doc_id": "x" "text": "x"}', "expected JSON, got Expecting ',' delimiter at column 16"),
        (b'{"doc_id": "x", "text": "a\xff"}', "expected UTF-8, got the byte 0xff at byte 26"),
        (
            b'{"doc_id": "x", "text": "a\xed\xa0\x80"}',
            "expected UTF-8, got the byte 0xed at byte 26",
        ),
        (b'\xef\xbb\xbf{"doc_id": "x", "text": "x"}', None),
        (b'"x"', "expected an object, got 'x'"),
        (b"7", "expected an object, got number 7"),
        (b"null", "expected an object, got null"),
        (b"{}", "expected text in doc_id, got no such field"),
    ],
)
def test_a_line_that_is_no_record_is_refused(
    tmp_path: Path, line: bytes, fault: str | None
) -> None:
    found = with_line(tmp_path, line)
    if fault is None:  # a byte-order mark frames a file, not a line
        assert len(found) == 1
        assert found[0].startswith("documents.jsonl:3: expected JSON, got Unexpected UTF-8 BOM")
    else:
        assert found == [f"documents.jsonl:3: {fault}"]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (
            {"doc_id": 12, "text": "x"},
            "12: expected text in doc_id, got number 12 where the text '12' belongs",
        ),
        (
            {"doc_id": "x", "text": 1.5},
            "x: expected text in text, got number 1.5 where the text '1.5' belongs",
        ),
        (
            {"doc_id": "x", "text": "x", "titel": "X"},
            "x: expected a known field (did you mean 'title'?), got 'titel'",
        ),
        ({"doc_id": "x", "text": ["x"]}, "x: expected text in text, got a list"),
        ({"doc_id": "x", "text": {}}, "x: expected text in text, got an object"),
        ({"doc_id": "x", "text": True}, "x: expected text in text, got true"),
        (
            {"doc_id": "x", "text": "x", "access_groups": "staff"},
            "x: expected a list in access_groups, got 'staff'",
        ),
        (
            {"doc_id": "x", "text": "x", "attributes": {"a": [1]}},
            "x: expected text or a whole number or a finite number or true or false "
            "in attributes.a, got a list",
        ),
        (
            {"doc_id": "x", "text": "x\ud800"},
            "x: expected whole characters in text, got the lone surrogate U+D800 at character 1",
        ),
    ],
)
def test_a_field_of_another_type_is_named_with_what_belongs_there(
    tmp_path: Path, line: dict[str, Any], fault: str
) -> None:
    assert with_line(tmp_path, json.dumps(line).encode()) == [f"documents.jsonl:3: {fault}"]


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        (
            {"retrieved": ["boats", 7]},
            "expected text in retrieved[1], got number 7 where the text '7' belongs",
        ),
        (
            {"claims": [{"claim_id": "a", "citations": [None]}]},
            "expected text in claims[0].citations[0], got null",
        ),
        (
            {"claims": [{"claim_id": "a"}]},
            "expected a list in claims[0].citations, got no such field",
        ),
        ({"status": "fine"}, "expected failed or ok in status, got 'fine'"),
        ({"repeat": True}, "expected a whole number in repeat, got true"),
        ({"repeat": 1.5}, "expected a whole number in repeat, got number 1.5"),
        ({"scores": [float("nan")]}, "expected a finite number in scores[0], got number nan"),
        ({"latency_s": float("inf")}, "expected a finite number in latency_s, got number inf"),
        (
            {"usage": {"tokens": 1}},
            "expected a known field (did you mean 'input_tokens'?), got 'usage.tokens'",
        ),
    ],
)
def test_a_fault_inside_a_record_is_named_with_its_path(
    tmp_path: Path, fields: dict[str, Any], fault: str
) -> None:
    line = {**RESPONSE, "system": "B", **fields}
    named = f"B / price / repeat {fields['repeat']}" if "repeat" in fields else "B / price"
    assert with_line(tmp_path, json.dumps(line).encode(), "responses") == [
        f"responses.jsonl:2: {named}: {fault}"
    ]


def test_every_fault_of_a_line_is_listed(tmp_path: Path) -> None:
    line = {"doc_id": "x", "text": 1, "title": 2, "txt": 3}
    assert with_line(tmp_path, json.dumps(line).encode()) == [
        "documents.jsonl:3: x: expected text in text, got number 1 where the text '1' belongs",
        "documents.jsonl:3: x: expected text in title, got number 2 where the text '2' belongs",
        "documents.jsonl:3: x: expected a known field (did you mean 'text'?), got 'txt'",
    ]


@pytest.mark.parametrize(
    "line",
    [
        b'{"doc_id": "x", "text": "one", "text": "two"}',
        b'{"doc_id": "x", "text" : "one", "text": "two"}',
        b'{"doc_id": "x", "\\u0074ext": "a : b", "text": "two"}',
        b'{"doc_id": "x", "text": "a\\u003ab", "text": "a\\u003ab"}',
        b'{"doc_id": "x", "title": null, "text": "one", "text": "two"}',
    ],
)
def test_a_field_that_is_there_twice_is_refused_not_chosen_from(
    tmp_path: Path, line: bytes
) -> None:
    assert with_line(tmp_path, line) == [
        "documents.jsonl:3: x: expected each field once, got 'text' twice"
    ]


def test_a_field_twice_deep_inside_is_refused(tmp_path: Path) -> None:
    line = b'{"question_id": "q", "text": "?", "relevant": [], "support": {"a": [], "a": []}}'
    assert with_line(tmp_path, line, "questions") == [
        "questions.jsonl:2: q: expected each field once, got 'a' twice"
    ]


def test_null_colons_and_defaults_in_a_line_are_no_fault(tmp_path: Path) -> None:
    line = b'{ "doc_id" : "x:y" , "text": "a: \\"b\\": c", "title": null, "attributes": {} }'
    assert with_line(tmp_path, line) == []


def test_one_json_list_is_one_fault(tmp_path: Path) -> None:
    folder(tmp_path)
    (tmp_path / "documents.jsonl").write_text(json.dumps(DOCUMENTS, indent=1))
    assert faults(tmp_path) == [
        "documents.jsonl:1: expected one JSON object a line, got a JSON list"
    ]


def test_utf_16_is_one_fault(tmp_path: Path) -> None:
    folder(tmp_path)
    (tmp_path / "documents.jsonl").write_bytes("{}\n{}\n".encode("utf-16"))
    assert faults(tmp_path) == ["documents.jsonl:1: expected UTF-8, got UTF-16"]


def test_framing_is_noted_and_never_part_of_a_text(tmp_path: Path) -> None:
    folder(tmp_path)
    file = tmp_path / "documents.jsonl"
    plain = load(tmp_path)
    framed = b"\xef\xbb\xbf\r\n" + file.read_bytes().replace(b"\n", b"  \r\n\r\n")
    file.write_bytes(framed)
    read = load(tmp_path)
    assert read.documents.rows == plain.documents.rows
    assert read.documents.lines == [2, 4]
    assert read.notes == [
        "documents.jsonl: a byte-order mark, left out",
        "documents.jsonl: lines that end in CRLF",
    ]


def test_crlf_inside_a_text_is_text(tmp_path: Path) -> None:
    folder(tmp_path, documents=[*DOCUMENTS, {"doc_id": "x", "text": "a\r\nb\ufeff"}])
    assert load(tmp_path).documents.rows[2].text == "a\r\nb\ufeff"


def test_a_refused_row_is_remembered(tmp_path: Path) -> None:
    with_line(tmp_path, b'{"doc_id": 12, "text": "x"}\n{"doc_id": "y"')
    assert load(tmp_path).documents.lost == {"12"}
    line = {**RESPONSE, "system": "B", "retrieved": 1}
    with_line(tmp_path, json.dumps(line).encode(), "responses")
    assert load(tmp_path).responses.lost == {("B", "1", "price")}


IDS = st.text(min_size=1, max_size=256).filter(lambda text: malformed(text) is None)


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    ids=st.lists(IDS, min_size=1, max_size=5, unique=True),
    text=st.text(st.characters(codec="utf-8"), max_size=40),
)
def test_odd_ids_and_texts_come_back_code_point_for_code_point(
    tmp_path: Path, ids: list[str], text: str
) -> None:
    documents = [{"doc_id": one, "text": text} for one in ids]
    question = {**QUESTION, "question_id": ids[0], "relevant": ids, "support": {ids[-1]: ids}}
    response = {**RESPONSE, "system": ids[0], "question_id": ids[0], "retrieved": ids}
    folder(tmp_path, documents, [question], [response])
    read = load(tmp_path)
    assert read.faults == []
    assert [(row.doc_id, row.text) for row in read.documents.rows] == [(one, text) for one in ids]
    assert read.questions.rows[0].support == {ids[-1]: ids}
    assert read.responses.rows[0].retrieved == ids


def elsewhere(tmp_path: Path, stale: Literal["refuse", "exclude"] = "refuse") -> Collection:
    return Jsonl(str(tmp_path / "v1"), str(tmp_path / "v2"), stale).load()


def test_the_corpus_may_lie_in_a_folder_of_its_own(tmp_path: Path) -> None:
    folder(tmp_path / "v1")
    newer = folder(tmp_path / "v2", [{"doc_id": "boats", "text": "Boats cost ten coins."}])
    (newer / "questions.jsonl").write_text("not read")
    for name, version in (("v1", "1"), ("v2", "2")):
        sections = f"corpus: {{version: {version}}}\nquestion_set: {{version: {version}}}\n"
        (tmp_path / name / "set.yaml").write_text(sections)
    read = elsewhere(tmp_path)
    assert [row.text for row in read.documents.rows] == ["Boats cost ten coins."]
    assert (len(read.questions.rows), len(read.responses.rows)) == (1, 1)
    assert (read.corpus.version, read.question_set.version) == ("2", "1")
    assert (read.corpus.name, read.question_set.name) == ("v2", "v1")
    assert (read.faults, read.stale) == ([], "refuse")
    assert elsewhere(tmp_path, "exclude").stale == "exclude"


def test_faults_and_notes_of_that_folder_bear_its_name(tmp_path: Path) -> None:
    folder(tmp_path / "v1")
    newer = folder(tmp_path / "v2", [{"doc_id": "a", "text_file": "a.txt"}])
    (newer / "a.txt").write_bytes(b"\xef\xbb\xbfA")
    with (newer / "documents.jsonl").open("a") as file:
        file.write("nonsense\n")
    (newer / "set.yaml").write_text("corps: {}\n")
    read = elsewhere(tmp_path)
    assert [fault.file for fault in read.faults] == ["v2/set.yaml", "v2/documents.jsonl"]
    assert read.notes == ["a.txt: a byte-order mark, left out"]


def test_a_missing_folder_of_documents_names_its_key(tmp_path: Path) -> None:
    folder(tmp_path / "v1")
    with pytest.raises(DataError, match=r"did you mean 'v1'.*\n.* as dataset\.documents=…"):
        elsewhere(tmp_path)


def test_a_link_to_nothing_is_no_set_without_responses(tmp_path: Path) -> None:
    path = folder(tmp_path, responses=[])
    (path / "responses.jsonl").unlink()
    (path / "responses.jsonl").symlink_to("nowhere")
    with pytest.raises(DataError, match=r"responses.jsonl: expected a file with one response"):
        load(path)
