import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.adapters.datasets.decode import Reader, explain
from pipeline.contract.records import Collection, Part, Question, Response
from tests.sets import QUESTION, RESPONSE

WANTED = msgspec.inspect.type_info(Response)


def read(path: Path, data: bytes, kind: Any = Response) -> tuple[Part[Any], Collection]:
    (path / "x.jsonl").write_bytes(data)
    part: Part[Any] = Part()
    collection = Collection()
    names = ("system", "repeat", "question_id") if kind is Response else ("question_id",)
    Reader(kind, names, lambda *words: " ".join(words)).read(
        path / "x.jsonl", "x", collection, part.add, part.lost
    )
    return part, collection


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)  # fmt: skip
FIELDS = sorted({*Question.__struct_fields__, *Response.__struct_fields__, "odd"})


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    changed=st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=3),
    kind=st.sampled_from([(Question, QUESTION), (Response, RESPONSE)]),
)
def test_each_line_is_a_row_or_a_fault_and_never_both(
    tmp_path: Path, changed: dict[str, Any], kind: tuple[Any, dict[str, Any]]
) -> None:
    line = json.dumps({**kind[1], **changed})
    part, collection = read(tmp_path, line.encode(), kind[0])
    assert len(part.rows) == (not collection.faults)
    for fault in collection.faults:
        assert "\n" not in str(fault)
    if part.rows:
        again, _ = read(tmp_path, msgspec.json.encode(part.rows[0]), kind[0])
        assert again.rows == part.rows


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.binary(max_size=60))
def test_no_bytes_break_the_reader(tmp_path: Path, data: bytes) -> None:
    part, collection = read(tmp_path, data)
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    assert part.rows == []
    assert bool(collection.faults) == any(line.strip(b" \t\r") for line in lines)


def test_nesting_without_end_is_a_fault(tmp_path: Path) -> None:
    part, collection = read(tmp_path, b'{"a": ' * 100_000)
    assert part.rows == []
    assert len(collection.faults) == 1


@pytest.mark.parametrize(
    "number", [b"1" * 5_000, b"1e999", b"-1e999", b"NaN", b"Infinity", b"-Infinity"]
)
def test_a_number_that_is_none_is_a_fault(tmp_path: Path, number: bytes) -> None:
    line = b'{"system": "A", "question_id": "q", "latency_s": ' + number + b"}"
    part, collection = read(tmp_path, line)
    assert part.rows == []
    assert len(collection.faults) == 1


def test_a_file_that_cannot_be_opened_is_a_fault(tmp_path: Path) -> None:
    collection = Collection()
    (tmp_path / "x").mkdir()
    part: Part[Response] = Part()
    Reader(Response, ("system",)).read(tmp_path / "x", "x", collection, part.add, part.lost)
    assert [str(fault) for fault in collection.faults] == [
        "x: expected a file that can be read, got Is a directory"
    ]


def test_what_is_wrong_is_explained_all_at_once() -> None:
    findings, value = explain(b'{"system": 1, "system": 2, "repeat": "x"}', WANTED)
    assert findings == [
        ("each field once", "'system' twice"),
        ("text in system", "number 2 where the text '2' belongs"),
        ("text in question_id", "no such field"),
        ("a whole number in repeat", "'x'"),
    ]
    assert value == {"system": 2, "repeat": "x"}
