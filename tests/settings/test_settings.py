"""The typed configuration: ranges, types, unknown keys, targets that may be built."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.contract.errors import ConfigError
from pipeline.settings import GROUPS, PORTS, adapter, describe, settings
from pipeline.settings.adapters import adapter_class
from pipeline.settings.merge import flat
from pipeline.stages.compose import IGNORED_BY_DVC, composed, validate

ROOT = Path(__file__).parents[2]
OPTIONS = [
    (group, file.stem)
    for group in GROUPS
    for file in sorted((ROOT / "conf" / group).glob("*.yaml"))
]


@pytest.fixture
def params() -> dict[str, Any]:
    return composed(ROOT / "conf", ["experiment=fixture"])


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("cutoff", 0, "a whole number from 1 to 100"),
        ("cutoff", 101, "a whole number from 1 to 100"),
        ("cutoff", True, "a whole number from 1 to 100"),
        ("cutoff", 1.5, "a whole number from 1 to 100"),
        ("cutoff", "2", "a whole number from 1 to 100"),
        ("cutoff", None, "a whole number from 1 to 100"),
        ("depth", 10_001, "a whole number from 1 to 10000"),
        ("budget", 0, "a whole number, 1 or more"),
        ("repeats", 0, "a whole number from 1 to 1000"),
        ("split", "held", "one of dev, heldout, all"),
        ("missing", "ignore", "one of refuse, failed"),
        ("seed", -1, "a whole number from 0 to"),
        ("heldout_budget", 0, "a whole number, 1 or more"),
    ],
)
def test_a_value_out_of_range_is_refused_by_name(
    params: dict[str, Any], key: str, value: object, expected: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        settings({**params, key: value})
    assert str(caught.value).startswith(f"conf: {key}: expected {expected}")
    assert f"got {value!r}" in str(caught.value)


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("slices", "topic", r"a list, as in \[one, two\], got 'topic'"),
        ("metrics", ["recal"], r"a metric \(did you mean 'recall'\?\), got 'recal'"),
    ],
)
def test_a_family_of_what_is_not_there_is_refused(
    params: dict[str, Any], key: str, value: object, expected: str
) -> None:
    asked = {**params["uncertainty"], key: value}
    with pytest.raises(ConfigError, match=rf"uncertainty\.{key}: expected {expected}"):
        settings({**params, "uncertainty": asked})


def test_a_nested_value_is_named_in_full(params: dict[str, Any]) -> None:
    rubric = {**params["rubric"], "unresolved": "guess"}
    with pytest.raises(ConfigError, match=r"rubric\.unresolved: expected one of interval, exclude"):
        settings({**params, "rubric": rubric})


def test_an_unknown_key_is_refused_with_the_nearest(params: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="did you mean 'cutoff'"):
        settings({**params, "cutof": 1})


def test_a_missing_key_is_refused(params: dict[str, Any]) -> None:
    del params["seed"]
    with pytest.raises(ConfigError, match="seed: expected a value, got no such key"):
        settings(params)


@pytest.mark.parametrize("split", ["heldout", "all"])
def test_held_out_questions_are_opened_for_a_reason_only(
    params: dict[str, Any], split: str
) -> None:
    with pytest.raises(ConfigError, match="reason: expected why the held-out questions are opened"):
        settings({**params, "split": split})
    assert settings({**params, "split": split, "reason": "release 2"}).reason == "release 2"


@pytest.mark.parametrize(
    "target",
    [
        "os.system",
        "pipeline.contract.errors.Fault",
        "pipeline.adapters.judges.labels.Labels",
        "pipeline.adapters.chunkers.document.nothing",
        "pipeline.adapters.chunkers.nowhere.Document",
        "pipeline.adapters.chunkers.document.pl",
        5,
        None,
    ],
)
def test_only_adapters_of_the_port_are_built(params: dict[str, Any], target: object) -> None:
    with pytest.raises(ConfigError, match="chunker"):
        adapter("chunker", {**params, "chunker": {"_target_": target}})


def test_an_adapter_refuses_a_key_that_it_does_not_have(params: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"conf: dataset\.pth.*did you mean 'path'"):
        adapter("dataset", {**params, "dataset": {**params["dataset"], "pth": "x"}})


def test_where_data_lie_is_no_part_of_what_an_adapter_is(params: dict[str, Any]) -> None:
    assert describe(adapter("dataset", params)) == {
        "adapter": "pipeline.adapters.datasets.jsonl.Jsonl",
        "stale": "refuse",
    }


@pytest.mark.parametrize(("group", "option"), OPTIONS)
def test_every_option_composes_and_is_valid(group: str, option: str) -> None:
    # parts of the built-in system stand beside its other parts
    ours = group in ("chunker", "retriever", "reranker") and option not in ("recorded", "none")
    experiment = "sample" if ours else "fixture"
    params = composed(ROOT / "conf", [f"experiment={experiment}", f"{group}={option}"])
    if params["dataset"]["path"] == "???":
        params["dataset"]["path"] = str(ROOT / "data/raw/fixture/v1")
    validate(params)


@pytest.mark.parametrize(("group", "option"), [o for o in OPTIONS if o[0] in PORTS])
def test_yaml_keys_are_the_adapters_fields(group: str, option: str) -> None:
    keys = yaml.safe_load((ROOT / "conf" / group / f"{option}.yaml").read_text("utf-8"))
    cls = adapter_class(group, {group: keys})
    assert set(keys) - {"_target_"} == {field.name for field in dataclasses.fields(cls)}


@pytest.mark.parametrize("file", sorted((ROOT / "conf").rglob("*.yaml")), ids=lambda f: f.stem)
def test_no_key_is_one_whose_changes_dvc_ignores(file: Path) -> None:
    keys = {part for path in flat(yaml.safe_load(file.read_text("utf-8")) or {}) for part in path}
    assert not keys & IGNORED_BY_DVC


def test_a_key_that_dvc_ignores_is_refused(params: dict[str, Any]) -> None:
    params["chunker"] = {**params["chunker"], "size": 5}
    with pytest.raises(ConfigError, match=r"chunker\.size: expected a key that DVC sees"):
        validate(params)


@pytest.mark.parametrize("reason", ["", " ", "\n"])
def test_a_blank_reason_is_none(params: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConfigError, match="reason: expected why the held-out questions are opened"):
        settings({**params, "split": "heldout", "reason": reason})


def test_a_choice_names_true_and_false_where_they_are_allowed(params: dict[str, Any]) -> None:
    claims = {**params["question_set"], "claims": "yes"}
    with pytest.raises(ConfigError, match=r"claims: expected one of auto, true, false, got 'yes'"):
        settings({**params, "question_set": claims})


def test_a_wrong_value_is_shown_as_far_as_a_line_reaches(params: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as caught:
        settings({**params, "cutoff": "7" * 1000})
    assert str(caught.value).endswith(", got '" + "7" * 79 + "…")
