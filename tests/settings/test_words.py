"""Words of the command line: read as the type their key wants, wrong ones refused by name."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.contract.errors import ConfigError
from pipeline.settings.words import applied, parsed, scalar
from pipeline.stages.compose import composed

CONF = Path(__file__).parents[2] / "conf"


@pytest.fixture
def params() -> dict[str, Any]:
    return composed(CONF, ["experiment=fixture"])


def test_a_group_goes_to_composition_and_a_key_to_values() -> None:
    assert parsed(["experiment=fixture", "cutoff=1"], CONF) == (
        ["experiment=fixture"],
        [("cutoff", "1")],
    )


@pytest.mark.parametrize(
    "path", ["/a b/c", "a=b", "x(1),y", "{brace}", "[list", "~/käse", "C:\\d", "'q'", "$HOME", "🎈"]
)
def test_a_path_may_hold_anything(params: dict[str, Any], path: str) -> None:
    _, values = parsed([f"dataset.path={path}"], CONF)
    assert applied(params, values)["dataset"]["path"] == path


def test_a_number_where_a_text_belongs_is_that_text(params: dict[str, Any]) -> None:
    assert applied(params, [("corpus.version", "2")])["corpus"]["version"] == "2"
    assert applied(params, [("dataset.path", "123")])["dataset"]["path"] == "123"


@pytest.mark.parametrize("raw", ['["topic", "hard"]', "[topic,hard]", "[ topic, hard ]"])
def test_words_of_a_list_need_no_quotes(params: dict[str, Any], raw: str) -> None:
    found = applied(params, [("uncertainty.slices", raw), ("uncertainty.metrics", "[recall]")])
    assert found["uncertainty"]["slices"] == ["topic", "hard"]
    assert found["uncertainty"]["metrics"] == ["recall"]


def test_a_number_where_a_number_belongs_is_one(params: dict[str, Any]) -> None:
    assert applied(params, [("cutoff", "1")])["cutoff"] == 1


def test_null_is_null_where_it_may_be(params: dict[str, Any]) -> None:
    assert applied(params, [("baseline", "null")])["baseline"] is None


@pytest.mark.parametrize(
    "raw", ["yes", "no", "on", "1e400", "NaN", "Infinity", "", "0x1F", "1_0", "[" * 100_000]
)
def test_what_is_no_json_value_is_text(raw: str) -> None:
    assert scalar(raw) == raw


def test_an_unknown_key_is_refused_with_the_nearest(params: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"a known key \(did you mean 'cutoff'\?\), got 'cutof'"):
        applied(params, [("cutof", "1")])


def test_an_unknown_option_is_refused_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"did you mean 'fixture'\?\), got 'fixtur'"):
        parsed(["experiment=fixtur"], CONF)


@pytest.mark.parametrize("word", ["cutoff", "=1", "--force"])
def test_a_word_without_key_and_value_is_refused(word: str) -> None:
    with pytest.raises(ConfigError, match="expected key=value"):
        parsed([word], CONF)


def test_a_mapping_is_no_key(params: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="known key"):
        applied(params, [("corpus", "x")])
