"""What is written fits its published schema, key for key."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from pipeline.contract.files import read_json
from pipeline.manifest.schemas import Schema, schema, validate
from tests.finished import finish
from tests.report.compared import judged
from tests.report.test_judging import entry, rate

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


@pytest.mark.parametrize("name", get_args(Schema))
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
    with pytest.raises(ValueError, match=rf"^version\.schema\.json: {re.escape(place)}: "):
        validate({**VALID, **changed}, "version")


@pytest.fixture
def plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The fixture's comparison."""
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    found: dict[str, Any] = read_json(finish(tmp_path / "data") / "compare" / "comparison.json")
    return found


@pytest.fixture
def comparison(plain: dict[str, Any]) -> dict[str, Any]:
    """The same with a policy's verdict and a judge that was held to people."""
    found = judged(plain)
    found["candidates"]["B"]["uncertainty"] = plain["candidates"]["B"]["uncertainty"]
    for rule in found["candidates"]["B"]["acceptance"]["rules"]:
        rule["tolerated"] = [{"question": "launch", "reason": "known", "until": "2999-01-01"}]
    found["method"] |= {"difference": 0.05, "absent": []}
    found["acceptance"] |= {"questions": [], "limits": {}, "late_for": []}
    side = {"eligibility": rate(0.7, (0.5, 0.2, 0.6), 40), "expected": rate(0.5, None, 0)}
    found["judge"] = entry(40, A=side, B=side)
    return found


def test_the_fixtures_comparison_fits_as_it_is_and_with_a_policy_and_a_judge(
    plain: dict[str, Any], comparison: dict[str, Any]
) -> None:
    validate(plain, "comparison")
    validate(comparison, "comparison")


def test_cutoffs_may_stand_in_a_comparison_whole_and_as_cutoffs(plain: dict[str, Any]) -> None:
    said = {"compared": [1, 5], "missing": {"B": [10]}, "same_as": {"recall@5": "recall"}}
    validate({**plain, "cutoffs": said}, "comparison")
    for wrong in ({**said, "compared": [0]}, {**said, "missing": None}, {"compared": [1]}):
        with pytest.raises(ValueError, match=r"^comparison\.schema\.json: \$\.cutoffs"):
            validate({**plain, "cutoffs": wrong}, "comparison")


def places(value: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Where each object of a document lies; of a list the first one."""
    if isinstance(value, list):
        return places(value[0], (*at, 0)) if value else []
    if not isinstance(value, dict):
        return []
    return [at, *(found for key, one in value.items() for found in places(one, (*at, key)))]


OPEN = {"why", "candidates", "sides", "metrics", "differs", "limits"}
"""Objects whose keys are names that people gave, or which the policy's own schema describes."""


def test_every_key_of_a_comparison_is_needed_and_no_other_is_allowed(
    comparison: dict[str, Any],
) -> None:
    tried = 0
    for place in places(comparison):
        if place and place[-1] in OPEN:
            continue
        for key in list(_at(comparison, place)):
            if place and key == "n" and place[-1] in ("raw", "tpr", "tnr"):
                continue  # only of a share that there is
            value = _at(comparison, place).pop(key)
            with pytest.raises(ValueError, match=rf"comparison\.schema\.json: .*'{key}'"):
                validate(comparison, "comparison")
            _at(comparison, place)[key] = value
            tried += 1
    assert tried > 100
    for place in ((), ("baseline",), ("candidates", "B"), ("judge",)):
        _at(comparison, place)["surprise"] = 1
        with pytest.raises(ValueError, match="surprise"):
            validate(comparison, "comparison")
        del _at(comparison, place)["surprise"]


def _at(value: Any, place: tuple[str | int, ...]) -> dict[str, Any]:
    for key in place:
        value = value[key]
    assert isinstance(value, dict)
    return value
