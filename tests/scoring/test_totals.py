from collections.abc import Iterator

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.contract.streamed import Held
from pipeline.scoring.aggregates import Averages, aggregate
from pipeline.scoring.blocks import Part, Source
from pipeline.scoring.totals import Totals, ahead, average, scored, together
from tests.scoring.marked_worlds import a_marked_world
from tests.scoring.test_blocks import policy_of, whole
from tests.scoring.worlds import a_world, tables


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 9), st.booleans())
def test_block_by_block_comes_to_what_the_whole_comes_to(seed: int, most: int, spans: bool) -> None:
    world = a_marked_world(seed) if spans else a_world(seed)
    made, bounded = tables(world), world.policy != "exclude"
    source, totals = Source.of(made), Totals(Averages(bounded))
    parts = scored(
        source, totals, cutoff=world.cutoff, policy=policy_of(world),
        with_claims=world.with_claims, overlap=world.overlap, most=most,
    )  # fmt: skip
    values = pl.concat(list(parts))
    if not together(source, most):
        average(source, Held(values), totals.averages, most)
    every = whole(world)
    assert values.equals(every)
    wanted = aggregate(every, made.questions["attributes"], bounded=bounded)
    assert totals.averages.table().equals(wanted)
    assert totals.responses == len(every)
    known = every.filter(pl.col("context_length").is_not_null())
    assert sum(n for _, n in totals.contexts.values()) == len(known)
    assert sum(n for n, _ in totals.contexts.values()) == known["context_length"].sum()


def test_parts_are_read_ahead_in_order_and_an_error_comes_in_its_place() -> None:
    tables_ = tables(a_world(1))

    def parts() -> Iterator[Part]:
        yield Part(0, tables_)
        yield Part(1, tables_)
        raise ValueError("no more parts")

    coming = ahead(parts())
    assert [next(coming).first, next(coming).first] == [0, 1]
    with pytest.raises(ValueError, match=r"^no more parts$"):
        next(coming)
