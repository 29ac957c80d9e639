"""The three-way merge: conf/ moved, params.yaml moved, or both."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contract.errors import ConfigError
from pipeline.settings.merge import flat, merge, nested, overrides

BASE = {"cutoff": 2, "chunker": {"unit": "words"}}


def merged(base: Any, params: Any, conf: Any) -> Any:
    return nested(merge(flat(base), flat(params), flat(conf)))


def test_what_only_conf_changed_is_taken() -> None:
    assert merged(BASE, BASE, {**BASE, "cutoff": 3})["cutoff"] == 3


def test_what_only_params_changed_is_kept() -> None:
    assert merged(BASE, {**BASE, "cutoff": 1}, BASE)["cutoff"] == 1


def test_different_keys_may_change_on_both_sides() -> None:
    conf = {"cutoff": 2, "chunker": {"unit": "characters"}}
    assert merged(BASE, {**BASE, "cutoff": 1}, conf) == {
        "cutoff": 1,
        "chunker": {"unit": "characters"},
    }


def test_a_key_changed_on_both_sides_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match=r"got cutoff \(3 in conf/, 1 in params.yaml\)"):
        merged(BASE, {**BASE, "cutoff": 1}, {**BASE, "cutoff": 3})


def test_the_same_change_on_both_sides_is_no_conflict() -> None:
    both = {**BASE, "cutoff": 3}
    assert merged(BASE, both, both) == both


def test_every_torn_key_is_named() -> None:
    mine = {"cutoff": 1, "chunker": {"unit": "tokens"}}
    theirs = {"cutoff": 3, "chunker": {"unit": "characters"}}
    with pytest.raises(ConfigError, match=r"chunker\.unit .*cutoff "):
        merged(BASE, mine, theirs)


def test_a_key_that_conf_dropped_goes_and_one_that_it_gained_comes() -> None:
    assert merged(BASE, BASE, {"cutoff": 2, "seed": 7}) == {"cutoff": 2, "seed": 7}


def test_true_is_not_one() -> None:
    assert merged({"a": 1}, {"a": 1}, {"a": True}) == {"a": True}


def test_an_override_is_said_as_from_and_to() -> None:
    assert overrides(flat(BASE), flat({**BASE, "cutoff": 1})) == ["override cutoff: 2 → 1"]


def test_a_swapped_group_is_one_departure() -> None:
    conf = {"tracker": {"_target_": "a.b.Mlflow", "traces": 300}}
    merged = {"tracker": {"_target_": "a.c.Local"}}
    assert overrides(flat(conf), flat(merged)) == ["override tracker: Mlflow → Local"]


trees = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.dictionaries(st.text(min_size=1), inner, max_size=3),
    max_leaves=8,
).filter(lambda tree: isinstance(tree, dict))


@given(trees)
def test_nesting_undoes_flattening(tree: dict[str, Any]) -> None:
    assert nested(flat(tree)) == tree


@given(trees, trees)
def test_with_params_unmoved_the_merge_is_conf(base: dict[str, Any], conf: dict[str, Any]) -> None:
    assert merge(flat(base), flat(base), flat(conf)) == flat(conf)


@given(trees, trees)
def test_with_conf_unmoved_the_merge_is_params(base: dict[str, Any], mine: dict[str, Any]) -> None:
    assert merge(flat(base), flat(mine), flat(base)) == flat(mine)


def test_an_override_keeps_its_letters() -> None:
    assert overrides({("path",): "a"}, {("path",): "Bücher"}) == ["override path: a → Bücher"]
