"""Order and ties, in one place."""

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.retrievers.ranked import best, ranking
from pipeline.contract.tables import Ranking, check
from tests.adapters.frames import questions

SCORES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), max_size=30)


@given(scores=SCORES, depth=st.integers(1, 12), data=st.data())
def test_the_best_are_by_score_then_by_chunk(
    scores: list[float], depth: int, data: st.DataObject
) -> None:
    hits = data.draw(
        st.none() | st.lists(st.booleans(), min_size=len(scores), max_size=len(scores))
    )
    mask = None if hits is None else np.array(hits, dtype=np.bool_)
    found, values = best(np.array(scores), mask, depth)
    may = [chunk for chunk in range(len(scores)) if hits is None or hits[chunk]]
    wanted = sorted(may, key=lambda chunk: (-scores[chunk], chunk))[:depth]
    assert found.tolist() == wanted
    assert values.tolist() == [scores[chunk] for chunk in wanted]


def test_a_ranking_has_one_repeat_of_the_built_in_system_and_may_be_empty() -> None:
    rows = [(np.array([3, 1]), np.array([0.5, 0.25])), (np.array([], int), np.array([]))]
    frame = check(Ranking, ranking(questions(["a", "b"]), rows))
    assert frame.rows() == [("rag", 1, 0, [3, 1], [0.5, 0.25]), ("rag", 1, 1, [], [])]
    assert check(Ranking, ranking(pl.DataFrame(questions(["a"])).head(0), [])).is_empty()
