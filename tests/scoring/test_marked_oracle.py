"""Small evaluations whose annotators mark spans: all that is scored equals what the oracle says."""

import pytest

from tests.scoring.marked_worlds import a_marked_world
from tests.scoring.test_oracle import compare

WORLDS, BATCH = 600, 100


@pytest.mark.parametrize("first", range(0, WORLDS, BATCH))
def test_every_value_reason_bound_cause_leak_and_average_is_the_oracles(first: int) -> None:
    for seed in range(first, first + BATCH):
        differences = compare(a_marked_world(seed))
        assert not differences, f"marked world {seed}: " + "\n".join(differences)
