"""How often held-out questions were opened, by their texts."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.manifest import opened
from pipeline.manifest.opened import Looks, Texts, count, known, shared, texts

NUMBERS = st.sets(st.integers(0, 30))


def of(numbers: Any) -> Texts:
    return texts(f"Question {n}" for n in numbers)


def line(content: str, time: str, of: Texts | None = None) -> Any:
    more = {} if of is None else {"questions": of.asked, "texts": list(of.least)}
    return {"question_set": content, "time": time, **more}


@pytest.mark.parametrize(
    "spelled", ["was  kostet\n das\u00a0Caf\u00e9? ", "WAS KOSTET DAS CAFE\u0301?"]
)
def test_case_white_space_and_composed_letters_do_not_make_another_question(spelled: str) -> None:
    assert texts([spelled]) == texts(["Was kostet das Café?"])


def test_other_words_do() -> None:
    assert texts(["What costs it?"]) != texts(["What does it cost?"])


@given(NUMBERS, NUMBERS)
def test_the_share_is_that_of_the_sets(mine: set[int], other: set[int]) -> None:
    expected = len(mine & other) / len(mine) if mine else None
    assert shared(of(mine), of(other)) == expected


def test_of_large_sets_the_share_is_estimated_from_the_least_hashes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(opened, "KEPT", 500)
    mine, other = of(range(4000)), of(range(3000, 9000))  # a quarter of mine, a sixth of it
    assert (mine.asked, len(mine.least)) == (4000, 500)
    # 500 of 6,000 reach as far as 333 of mine: sd = sqrt(.25 * .75 / 333) = 0.024
    assert shared(mine, other) == pytest.approx(0.25, abs=0.1)
    assert shared(other, mine) == pytest.approx(1 / 6, abs=0.1)
    assert shared(mine, mine) == 1.0


def test_a_question_beyond_the_sample_counts_with_a_look_that_counts() -> None:
    mine = Texts(3, ("a" * 16, "b" * 16, "f" * 16))
    half, none = Texts(9, ("a" * 16, "c" * 16)), Texts(9, ("c" * 16, "d" * 16))
    for other, each in ((half, (1, 0, 1)), (none, (0, 0, 0))):  # 1 and 0 of the two to "c"
        entries = [line("set", "1", other)]
        found = count(entries, "mine", mine, asked=0, sets={"set": other})
        assert found == Looks(each[0], each, 3)


def test_a_share_of_which_no_hash_is_covered_is_not_known() -> None:
    # 1 of 9 hashes was kept, and reaches less far than mine
    assert shared(Texts(1, ("b" * 16,)), Texts(9, ("a" * 16,))) is None


@given(st.lists(NUMBERS, max_size=6), st.sets(st.integers(0, 30), min_size=1))
def test_looks_are_counted_as_one_would_by_hand(past: list[set[int]], mine: set[int]) -> None:
    entries = [line(f"set {at}", f"{at}", of(one)) for at, one in enumerate(past)]
    found = count(entries, "mine", of(mine), asked=0, sets=known(entries))
    assert found.times == sum(2 * len(one & mine) >= len(mine) for one in past)
    assert sorted(found.each) == sorted(sum(n in one for one in past) for n in mine)
    assert found.asked == len(mine)


def test_systems_of_one_time_are_one_look() -> None:
    entries = [line("set", "1", of([1])), line("set", "1"), line("set", "2")]
    assert count(entries, "set", of([1]), asked=1, sets=known(entries)).times == 2


@pytest.mark.parametrize(
    ("looks", "budget", "said"),
    [
        (Looks(1, (1,), 1), 10, "opened 1 time"),
        (Looks(10, (10, 10), 2), 10, "opened 10 times"),
        (
            Looks(11, (11, 11), 2), 10,
            "opened 11 times, budget 10: these questions no longer are held out",
        ),
        (Looks(11, (11, 11), 2), None, "opened 11 times"),
        (
            Looks(3, (12, 3), 2), 10,
            "opened 3 times, some of them 12 times, budget 10: 1 of 2 no longer are held out",
        ),
        (
            Looks(3, (12, 12), 2), 10,
            "opened 3 times, some of them 12 times, budget 10: "
            "these questions no longer are held out",
        ),
        (Looks(3, (9, 3), 2), 10, "opened 3 times, some of them 9 times"),
        (Looks(0, (), 0), 1, "opened 0 times"),
    ],
)  # fmt: skip
def test_over_the_budget_it_says_that_they_no_longer_are_held_out(
    looks: Looks, budget: int | None, said: str
) -> None:
    assert looks.words(budget) == f"held-out questions {said}"


def test_of_a_sample_the_number_of_spent_questions_is_scaled() -> None:
    # one of the four that were kept, of eight: two of eight
    assert Looks(3, (12, 3, 3, 3), 8).spent(10) == 2
