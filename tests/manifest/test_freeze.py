import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pipeline.contract.files import read_json
from pipeline.contract.records import Part, Response, Verdict
from pipeline.manifest.freeze import Schema, recorded, schema, validate

VALID: dict[str, Any] = {
    "schema_version": "1.0",
    "kind": "corpus",
    "name": "handbook",
    "version": "v1",
    "content": "0" * 64,
    "count": 1,
    "members": {"a": "0" * 12},
    "licence": None,
    "authorisation": None,
    "retention": None,
    "note": None,
    "before": None,
    "changes": None,
}


@pytest.mark.parametrize("name", ["freeze", "version"])
def test_the_schemas_are_json_schema(name: Schema) -> None:
    Draft202012Validator.check_schema(schema(name))


def test_a_document_that_fits_passes() -> None:
    validate(VALID, "version")


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"content": "0"}, "$.content"),
        ({"extra": 1}, "$"),
        ({"version": "../v1"}, "$.version"),
        ({"changes": {"added": 1}}, "$.changes"),
    ],
)
def test_a_document_that_does_not_fit_is_named_with_the_place(
    changed: dict[str, Any], place: str
) -> None:
    with pytest.raises(ValueError, match=rf"^version manifest: {re.escape(place)}: "):
        validate({**VALID, **changed}, "version")


def part(*rows: tuple[Response, int]) -> Part[Response]:
    return Part([row for row, _ in rows], ["f" for _ in rows], [line for _, line in rows])


NONE: Part[Verdict] = Part()
GONE = Response("A", "p", status="failed", error="missing")
ONE = Response("A", "q", retrieved=["d"], delivered=["d"])


def test_a_systems_hash_does_not_depend_on_the_others() -> None:
    other = Response("B", "q", retrieved=[])
    assert recorded(part((ONE, 1), (other, 2)), NONE)["A"] == recorded(part((ONE, 9)), NONE)["A"]
    changed = Response("A", "q", retrieved=["e"], delivered=["d"])
    assert (
        recorded(part((changed, 1)), NONE)["A"]["content"]
        != recorded(part((ONE, 1)), NONE)["A"]["content"]
    )


def test_missing_responses_are_listed_and_count_as_failed() -> None:
    found = recorded(part((GONE, 0), (ONE, 4)), NONE)["A"]
    assert (found["responses"], found["failed"], found["missing"]) == (1, 1, [[1, "p"]])
    assert found["repeats"] == [1]


@pytest.mark.parametrize(
    ("delivered", "word"),
    [([["d"], ["d"]], "recorded"), ([["d"], None], "partly"), ([None, None], "inferred")],
)
def test_whether_the_context_was_recorded_is_said(
    delivered: list[list[str] | None], word: str
) -> None:
    rows = [
        (Response("A", f"q{n}", retrieved=["d"], delivered=one), n + 1)
        for n, one in enumerate(delivered)
    ]
    assert recorded(part(*rows), NONE)["A"]["delivered"] == word


def test_the_shipped_versions_fit_their_schema() -> None:
    shipped = sorted((Path(__file__).parents[2] / "data" / "versions").rglob("*.json"))
    assert shipped
    for file in shipped:
        validate(read_json(file), "version")
