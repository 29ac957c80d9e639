from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.contract.tables import CODE
from pipeline.scoring.blocks import Source
from pipeline.scoring.frozen import Tables
from pipeline.scoring.resolutions import Policy
from pipeline.scoring.values import score
from tests.scoring.marked_worlds import a_marked_world
from tests.scoring.worlds import World, a_world, tables


def policy_of(world: World) -> Policy:
    policy: Policy = world.policy  # type: ignore[assignment]
    return policy


def whole(world: World) -> pl.DataFrame:
    return score(
        tables(world), cutoff=world.cutoff, policy=policy_of(world), with_claims=world.with_claims,
        overlap=world.overlap,
    )  # fmt: skip


def in_blocks(source: Source, world: World, most: int) -> pl.DataFrame:
    found = []
    for part in source.blocks(most):
        values = score(
            part.tables, cutoff=world.cutoff, policy=policy_of(world),
            with_claims=world.with_claims, overlap=world.overlap,
            corpus=source.corpus, spanned=source.spanned,
        )  # fmt: skip
        found.append(values.with_columns((pl.col("question") + part.first).cast(CODE)))
    return pl.concat(found)


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 9), st.booleans())
def test_scores_of_blocks_are_the_scores_of_the_whole(seed: int, most: int, spans: bool) -> None:
    world = a_marked_world(seed) if spans else a_world(seed)
    found = in_blocks(Source.of(tables(world)), world, most)
    assert found.equals(whole(world))


def sizes(made: Tables, most: int) -> list[tuple[int, int]]:
    """First question and responses of each block."""
    return [(p.first, len(p.tables.answers)) for p in Source.of(made).blocks(most)]


def a_big_world() -> Tables:
    """Four questions, two systems; system A in two repeats."""
    seeds = (seed for seed in range(1000))
    made = (tables(a_world(seed)) for seed in seeds)
    return next(
        one for one in made
        if len(one.questions) == 4 and [n for _, n in units(one)] == [1, 2, 1]
    )  # fmt: skip


def units(made: Tables) -> list[tuple[str, int]]:
    return Source.of(made).units


def test_a_block_is_whole_repeats_or_a_piece_of_one() -> None:
    made = a_big_world()
    assert sizes(made, 12) == [(0, 12)]
    assert sizes(made, 11) == [(0, 8), (0, 4)]
    assert sizes(made, 4) == [(0, 4)] * 3
    # row groups of 3 rows end after rows 3, 6 and 9; repeats after rows 4, 8 and 12
    assert sizes(made, 3) == [(0, 3), (3, 1), (0, 2), (2, 2), (0, 1), (1, 3)]


def test_no_response_is_a_block_without_any() -> None:
    made = a_big_world()
    names = ("ranking", "answers", "statements")
    empty = replace(made, **{name: getattr(made, name).clear() for name in names})
    assert sizes(empty, 3) == [(0, 0)]


def test_answers_drawn_from_one_ranking_are_held_against_that_ranking() -> None:
    made = a_big_world()
    first = made.ranking.filter(repeat=1)
    blocks = Source.of(replace(made, ranking=first)).blocks(4)
    drawn = [part.tables.ranking for part in blocks]
    assert drawn[1]["chunks"].equals(drawn[0]["chunks"])
    assert drawn[1]["repeat"].unique().to_list() == [2]


@pytest.mark.parametrize("name", ["ranking", "answers", "statements"])
def test_blocks_of_tables_that_do_not_fit_together_are_refused(name: str) -> None:
    made = a_big_world()
    spoilt = replace(made, **{name: getattr(made, name).head(7)})
    with pytest.raises(ValueError, match="the same responses"):
        list(Source.of(spoilt).blocks(4))


def test_a_claim_of_another_question_is_refused() -> None:
    made = a_big_world()
    strange = made.statements.with_columns(claims=pl.lit([len(made.claims)], pl.List(pl.Int32)))
    with pytest.raises(ValueError, match="claims of the question"):
        list(Source.of(replace(made, statements=strange)).blocks(3))
