from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.comparison.comparable import FROZEN, changed, demand, differences, listed
from pipeline.contract.errors import IncomparableError
from pipeline.contract.sides import Side

PARTS: dict[str, Any] = {
    "contract_version": "1.0",
    "corpus_hash": "c" * 64,
    "questions_hash": "d" * 64,
    "labels_hash": "e" * 64,
    "permissions_hash": "f" * 64,
    "claims": True,
    "split": "dev",
    "cutoff": 5,
    "budget": None,
    "rubric": {"overlap": 1, "unresolved": "interval"},
    "judge": {"adapter": "labels.Labels"},
    "chunker": {"adapter": "recursive.Recursive", "chunk_size": 200, "overlap": 0},
    "reranker": {"adapter": "none.Unchanged"},
    "depth": 100,
    "system": "rag",
    "responses_hash": None,
}

WORDS = {
    "contract_version": ("1.1", "contract"),
    "corpus_hash": ("0" * 64, "corpus"),
    "questions_hash": ("0" * 64, "questions"),
    "split": ("heldout", "questions"),
    "labels_hash": ("0" * 64, "labels"),
    "claims": (False, "labels"),
    "permissions_hash": ("0" * 64, "permissions"),
    "cutoff": (10, "cutoff"),
    "budget": (500, "budget"),
    "rubric": ({"overlap": 2, "unresolved": "interval"}, "rubric"),
    "judge": ({"adapter": "openai.Openai", "model": "m"}, "judge"),
}


def side(name: str = "a", **parts: Any) -> Side:
    return Side(name, f"system:{name}", name, Path("data"), name, PARTS | parts)


def test_every_frozen_part_is_tried_here() -> None:
    assert set(WORDS) == set(FROZEN)


@pytest.mark.parametrize("part", WORDS)
def test_one_frozen_part_that_differs_is_refused_with_its_word_and_a_remedy(part: str) -> None:
    value, word = WORDS[part]
    with pytest.raises(IncomparableError) as refused:
        demand(side(), side("b", **{part: value}), common=False)
    lines = str(refused.value).splitlines()
    assert lines[0].startswith("b against a: not comparable")
    assert lines[1].startswith(f"  {word} ({part}: ")
    assert lines[2].startswith("to compare them: ")
    assert len(lines) == 3
    assert refused.value.exit_code == 2


def test_all_parts_that_differ_are_named_at_once() -> None:
    other = side("b", cutoff=10, labels_hash="0" * 64, judge={"adapter": "x"})
    with pytest.raises(IncomparableError) as refused:
        demand(side(), other, common=False)
    named = [line.split()[0] for line in str(refused.value).splitlines()[1:4]]
    assert named == ["labels", "cutoff", "judge"]


@pytest.mark.parametrize("part", WORDS)
def test_common_questions_need_one_contract_cutoff_rubric_and_judge_all_the_same(
    part: str,
) -> None:
    value, word = WORDS[part]
    other = side("b", **{part: value})
    if word in ("corpus", "questions", "labels", "permissions"):
        demand(side(), other, common=True)
    else:
        with pytest.raises(IncomparableError):
            demand(side(), other, common=True)


def test_two_chunk_sizes_are_compared_without_complaint() -> None:
    smaller = {"adapter": "recursive.Recursive", "chunk_size": 100, "overlap": 0}
    demand(side(), side("b", chunker=smaller), common=False)
    assert changed(PARTS, PARTS | {"chunker": smaller}) == {
        "chunker.chunk_size": {"before": 200, "after": 100}
    }


def test_a_swapped_group_counts_as_one_key_whatever_keys_it_has() -> None:
    swapped = {"adapter": "sentence.Sentence", "longest": 9, "around": 1, "language": "en"}
    assert list(changed(PARTS, PARTS | {"chunker": swapped})) == ["chunker"]


def test_two_settings_of_one_group_are_two_keys() -> None:
    both = {"adapter": "recursive.Recursive", "chunk_size": 100, "overlap": 20}
    assert list(changed(PARTS, PARTS | {"chunker": both})) == [
        "chunker.chunk_size",
        "chunker.overlap",
    ]


def test_another_corpus_is_a_key_beside_those_of_the_configuration() -> None:
    # over common questions alone; labels and questions of others change nothing of these
    smaller = {"adapter": "recursive.Recursive", "chunk_size": 100, "overlap": 0}
    other = {"corpus_hash": "e" * 64, "labels_hash": "e" * 64, "chunker": smaller}
    found = changed(PARTS, PARTS | other)
    assert list(found) == ["corpus", "chunker.chunk_size"]
    assert found["corpus"] == {"before": PARTS["corpus_hash"], "after": "e" * 64}


def test_rulings_of_people_on_its_own_answers_are_no_setting() -> None:
    assert changed(PARTS | {"decisions_hash": "1"}, PARTS | {"decisions_hash": "2"}) == {}


def test_what_is_compared_is_no_setting() -> None:
    assert changed(PARTS, PARTS | {"system": "b", "responses_hash": "9" * 64}) == {}


@given(st.dictionaries(st.sampled_from(sorted(WORDS)), st.integers(), max_size=4))
def test_swapping_the_sides_swaps_before_and_after(parts: dict[str, int]) -> None:
    there = differences(PARTS, PARTS | parts)
    back = differences(PARTS | parts, PARTS)
    assert [(d.part, d.before, d.after) for d in there] == [
        (d.part, d.after, d.before) for d in back
    ]


def test_two_sides_of_one_name_are_a_bug_of_whoever_resolved_them() -> None:
    with pytest.raises(ValueError, match="names that differ"):
        listed([side(), side()])
