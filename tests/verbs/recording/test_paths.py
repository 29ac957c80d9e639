"""Paths into JSON: what they name, and that nothing is left out."""

from typing import Any

import pytest

from pipeline.contract.errors import ConfigError
from pipeline.verbs.recording.paths import parsed
from pipeline.verbs.recording.rows import UnreadError

VALUE: dict[str, Any] = {
    "hits": [{"doc": {"id": "a"}, "tags": ["x", "y"]}, {"doc": {"id": "b"}, "tags": []}],
    "a b": {"c.d": 1, 'q"': 2},
    "none": None,
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$.hits[*].doc.id", ["a", "b"]),
        ("hits[*].doc.id", ["a", "b"]),
        ("$.hits[1].doc.id", "b"),
        ("$.hits[*].tags[*]", ["x", "y"]),
        ("$.hits[0].tags", ["x", "y"]),
        ('$["a b"]["c.d"]', 1),
        ('$["a b"]["q\\""]', 2),
        ("none", None),
    ],
)
def test_a_path_finds_what_it_names(path: str, found: Any) -> None:
    assert parsed(path, "reply.ids").find(VALUE) == found


def test_an_empty_list_has_nothing_and_is_no_fault() -> None:
    assert parsed("$.hits[*].id", "x").find({"hits": []}) == []


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("$.hit[*]", "no key 'hit' among 'hits', 'a b', 'none'"),
        ("$.hits.doc", "a list where an object belongs"),
        ("$.hits[2]", "a list of 2"),
        ("$.none[*]", "null where a list belongs"),
        ("$.hits[*].doc.name", "no key 'name' among 'id'"),
    ],
)
def test_what_is_not_there_is_said_and_never_skipped(path: str, why: str) -> None:
    with pytest.raises(UnreadError) as raised:
        parsed(path, "x").find(VALUE)
    assert str(raised.value) == f"unreadable reply: no value at {path} ({why})"


@pytest.mark.parametrize("path", ["", "$", "$.a[", "a..b", "$.a[-1]", "$..a", "a[?(@.x)]", "a b"])
def test_another_text_is_no_path(path: str) -> None:
    with pytest.raises(ConfigError, match=r"reply\.ids: expected a path such as"):
        parsed(path, "reply.ids")


def test_an_answer_is_one_place() -> None:
    with pytest.raises(ConfigError):
        parsed("$.a[*]", "reply.answer", many=False)
