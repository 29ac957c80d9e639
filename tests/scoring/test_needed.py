import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.scoring.needed import detectable, needed

SDS = st.floats(0.01, 1)
SIZES = st.floats(0.001, 1)


def test_the_textbook_number() -> None:
    # (1.959964 + 0.841621)^2 = 7.848880; times (0.3 / 0.1)^2 = 9: 70.64
    assert needed(0.3, 0.1) == 71
    # 7.848880 * (0.25 / 0.02)^2 = 1226.39
    assert needed(0.25, 0.02) == 1_227


def test_more_power_and_fewer_false_alarms_need_more() -> None:
    # (1.959964 + 1.281552)^2 * 9 = 94.57; (2.575829 + 0.841621)^2 * 9 = 105.11
    assert needed(0.3, 0.1, power=0.9) == 95
    assert needed(0.3, 0.1, alpha=0.01) == 106


def test_deltas_that_do_not_vary_need_the_least_there_is() -> None:
    assert needed(0.0, 0.1) == 2
    assert needed(0.01, 1.0) == 2
    assert detectable(0.0, 10) == 0


@pytest.mark.parametrize("n", [0, 1])
def test_fewer_than_two_questions_detect_nothing(n: int) -> None:
    assert detectable(0.3, n) is None


@given(SDS, SIZES)
def test_the_sign_of_the_difference_does_not_matter(sd: float, size: float) -> None:
    assert needed(sd, size) == needed(sd, -size)


@given(SDS, SIZES)
def test_what_so_many_detect_needs_so_many(sd: float, size: float) -> None:
    n = needed(sd, size)
    smallest = detectable(sd, n)
    assert smallest is not None
    assert smallest <= size * (1 + 1e-9) or n == 2
    one_less = detectable(sd, n - 1)
    assert n == 2 or (one_less is not None and one_less > size * (1 - 1e-9))


@given(SDS, st.integers(2, 100_000))
def test_the_two_are_each_others_inverse(sd: float, n: int) -> None:
    smallest = detectable(sd, n)
    assert smallest is not None
    assert needed(sd, smallest) == n


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("sd", {"sd": -0.1}),
        ("sd", {"sd": math.nan}),
        ("power", {"power": 0.4}),
        ("power", {"power": 1.0}),
        ("alpha", {"alpha": 0.0}),
        ("alpha", {"alpha": 1.0}),
    ],
)
def test_what_is_out_of_range_is_our_own_bug(name: str, arguments: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=name):
        needed(**{"sd": 0.3, "difference": 0.1, **arguments})
    with pytest.raises(ValueError, match=name):
        detectable(**{"sd": 0.3, "n": 10, **arguments})  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [0.0, math.nan, math.inf, 1e-300])
def test_no_number_of_questions_finds_no_difference(size: float) -> None:
    with pytest.raises(ValueError, match="difference"):
        needed(0.3, size)
    with pytest.raises(ValueError, match="n: expected at least 0"):
        detectable(0.3, -1)
