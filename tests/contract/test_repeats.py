"""Rankings beside answers that were drawn several times from them."""

import polars as pl

from pipeline.contract.repeats import answered, drawn
from pipeline.contract.tables import Ranking, check


def ranking(rows: list[tuple[str, int, int]]) -> pl.DataFrame:
    made = [
        {"system": s, "repeat": r, "question": q, "chunks": [q, r], "scores": None}
        for s, r, q in rows
    ]
    return pl.DataFrame(made, schema=Ranking.schema)


def test_each_row_is_drawn_as_often_as_asked_in_order_of_the_key() -> None:
    rows = check(Ranking, drawn(ranking([("rag", 1, 0), ("rag", 1, 1)]), 3))
    assert rows.select("repeat", "question").rows() == [
        (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1),
    ]  # fmt: skip
    assert rows["chunks"].to_list() == [[0, 1], [1, 1]] * 3


def test_once_is_the_ranking_itself() -> None:
    one = ranking([("rag", 1, 0), ("rag", 1, 1)])
    assert drawn(one, 1).equals(one, null_equal=True)


def test_drawn_answers_have_the_first_repeats_ranking() -> None:
    one = ranking([("A", 1, 0), ("B", 1, 0)])
    answers = drawn(one, 2)
    assert answered(one, answers).equals(answers, null_equal=True)


def test_recorded_repeats_keep_their_own_ranking() -> None:
    two = ranking([("A", 1, 0), ("A", 2, 0)])
    assert answered(two, two)["chunks"].to_list() == [[0, 1], [0, 2]]
