"""Dataclasses inside dataclasses: in lists, or null, each named by where it stands."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from pipeline.contract.errors import ConfigError
from pipeline.settings.building import build


@dataclass(frozen=True)
class Leaf:
    number: int
    word: str = "w"


@dataclass(frozen=True)
class Tree:
    leaves: tuple[Leaf, ...]
    one: Leaf | None
    words: tuple[str, ...] = ()
    rest: Leaf = field(default_factory=lambda: Leaf(0))


def test_lists_and_defaults_are_built_through() -> None:
    tree = build(Tree, {"leaves": [{"number": 1}, {"number": 2, "word": "x"}], "one": None}, "t")
    assert tree == Tree((Leaf(1), Leaf(2, "x")), None, (), Leaf(0))
    assert build(Tree, {"leaves": [], "one": {"number": 3}}, "t").one == Leaf(3)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"leaves": {}, "one": None}, "t.leaves: expected a list, got {}"),
        ({"leaves": None, "one": None}, "t.leaves: expected a list, got None"),
        ({"leaves": [{"number": 1}, {"number": "2"}], "one": None}, "t.leaves[1].number: expected"),
        ({"leaves": [{"number": 1, "wrd": "x"}], "one": None}, "t.leaves[0].wrd: expected a known"),
        ({"leaves": [{}], "one": None}, "t.leaves[0].number: expected a value, got no such key"),
        ({"leaves": [], "one": 5}, "t.one: expected a mapping, got 5"),
        ({"leaves": [], "one": None, "words": [1]}, "t.words: expected str"),
        ({"leaves": []}, "t.one: expected a value, got no such key"),
    ],
)
def test_what_is_wrong_inside_is_named_by_its_place(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as refused:
        build(Tree, fields, "t")
    assert str(refused.value).startswith(message)
