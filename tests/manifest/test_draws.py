"""A judge's draws are set beside each other item by item; none of them wins by number."""

from typing import Any

import polars as pl

from pipeline.contract.tables import Verdicts
from pipeline.manifest.draws import self_agreement


def verdicts(*rows: tuple[str, int, str]) -> pl.DataFrame:
    made: list[dict[str, Any]] = [
        {"system": "A", "repeat": 1, "question": question, "kind": kind, "label": label}
        for kind, question, label in rows
    ]
    return pl.DataFrame(
        [{name: row.get(name) for name in Verdicts.columns} for row in made], schema=Verdicts.schema
    ).sort(Verdicts.key)


def drawn(question: int, *labels: str) -> list[tuple[str, int, str]]:
    return [
        ("deflection" + (f"#{at}" if at > 1 else ""), question, label)
        for at, label in enumerate(labels, 1)
    ]


def test_one_draw_has_nothing_to_agree_with() -> None:
    assert self_agreement(verdicts(*drawn(0, "Yes"), *drawn(1, "No"))) == {}


def test_an_item_counts_as_alike_where_all_draws_say_the_same() -> None:
    found = self_agreement(
        verdicts(
            *drawn(0, "Yes", "Yes", "Yes"),
            *drawn(1, "No", "No", "No"),
            *drawn(2, "Yes", "No", "Yes"),
            *drawn(3, "No", "No"),  # the third draw was lost
        )
    )["deflection"]
    assert (found["draws"], found["items"], found["n"]) == (3, 4, 3)
    assert found["share"] == round(2 / 3, 6)
    # 9 values, 5 yes and 4 no; the one split item has 2 * 2 * 1 ordered pairs that differ, each
    # 1 / (3 - 1): observed 2 / 9; expected 2 * 5 * 4 / (9 * 8) = 5 / 9; alpha = 1 - 2 / 5
    assert found["alpha"] == 0.6


def test_alpha_is_not_defined_where_all_say_the_same() -> None:
    found = self_agreement(verdicts(*drawn(0, "Yes", "Yes"), *drawn(1, "Yes", "Yes")))
    assert found["deflection"] == {"draws": 2, "items": 2, "n": 2, "share": 1.0, "alpha": None}


def test_kinds_that_were_ruled_on_once_are_not_listed() -> None:
    rows = verdicts(*drawn(0, "Yes", "No"), ("expected", 0, "Yes"))
    assert list(self_agreement(rows)) == ["deflection"]


def test_a_row_that_only_says_what_was_asked_for_is_no_item() -> None:
    rows = verdicts(*drawn(0, "Yes", "Yes"), *drawn(1, "No", "No"))
    asked = rows.filter(kind="deflection", question=1).with_columns(
        question=pl.lit(2, dtype=rows.schema["question"]), label=pl.lit(None, dtype=pl.String)
    )
    assert self_agreement(pl.concat([rows, asked])) == self_agreement(rows)
