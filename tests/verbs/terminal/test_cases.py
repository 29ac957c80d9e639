from typing import Any

import polars as pl

from pipeline.contract.tables import Questions
from pipeline.scoring.deltas import deltas
from pipeline.verbs.terminal.cases import MOST, case_lines
from tests.per_question import answered, failed, per_question


def questions(*ids: str) -> pl.DataFrame:
    """Questions in the order in which they stand in their file."""
    row: dict[str, Any] = {
        "text": "?", "split": "dev", "labelled": True, "annotators": [], "caller_groups": None,
        "asked_at": None, "content_note": None, "attributes": [],
    }  # fmt: skip
    rows = [
        row | {"question_id": name, "line": line, "question": 0} for line, name in enumerate(ids, 1)
    ]
    return pl.DataFrame(rows, schema=Questions.schema)


def shown(order: list[str], *rows: dict[str, Any]) -> list[str]:
    values = per_question(*rows)
    lines = case_lines(questions(*order), values, deltas(values, values["system"].min()))  # type: ignore[arg-type]
    return [line.text for line in lines]


def test_each_response_has_a_line_in_the_order_of_the_file_and_of_the_systems() -> None:
    lines = shown(["z", "a"], *(answered(system, q) for system in "BA" for q in "az"))
    assert [line.split(" | ")[0] for line in lines] == ["case system", "z A", "z B", "a A", "a B"]


def test_a_line_holds_two_decimals_and_yes_or_no() -> None:
    lines = shown(
        ["x", "y"],
        answered("A", "x", precision=0.5, recall=1 / 3),
        answered("A", "y", population="unanswerable", support="no_claims"),
    )
    assert lines == [
        "case system | P@2 R@2 RR@2 support coverage abstention",
        "x A | 0.50 0.33 1.00 1.00 1.00 n/a",
        "y A | n/a n/a n/a n/a n/a yes",
    ]


def test_repeats_have_a_column_where_there_are_any() -> None:
    lines = shown(["x"], answered("A", "x", 1), answered("A", "x", 2, recall=0.0))
    assert lines[0].startswith("case system repeat | P@2")
    assert [line.split(" | ")[0] for line in lines[1:]] == ["x A 1", "x A 2"]


def test_an_id_cannot_act_on_the_terminal() -> None:
    odd = "q\x1b[2J"
    assert shown([odd], answered("A\n", odd))[1].startswith(r"q\x1b[2J A\n | ")


def test_a_long_id_is_neither_cut_nor_broken() -> None:
    name = "q" * 256
    assert shown([name], answered("A", name))[1].startswith(name + " A | ")


def many(n: int, **given: Any) -> tuple[list[str], list[dict[str, Any]]]:
    order = [f"q{at:03}" for at in range(n)]
    return order, [answered(system, q, **given) for q in order for system in "AB"]


def test_a_table_is_shown_whole_up_to_its_limit() -> None:
    order, rows = many(MOST // 2, recall=0.0)
    assert len(shown(order, *rows)) == 1 + MOST


def test_of_a_long_table_the_leaks_the_losses_and_the_lowest_values_stand_first() -> None:
    order, rows = many(60)
    rows += [
        answered("A", "low", recall=0.0), answered("B", "low", recall=0.0),
        answered("A", "leak"), answered("B", "leak", leaks=["d"]),
        answered("A", "loss"), answered("B", "loss", recall=0.5),
        answered("A", "lost"), failed("B", "lost"),
        answered("A", "gain", recall=0.9), answered("B", "gain"),
    ]  # fmt: skip
    lines = shown([*order, "gain", "low", "loss", "lost", "leak"], *rows)
    assert lines[0] == "Worst first, 5 of 65 questions:"
    names = [line.split()[0] for line in lines[2:-1:2]]
    assert names == ["leak", "lost", "loss", "low", "gain"]
    assert lines[-1].startswith("60 more: python -m pipeline show QUESTION")


def test_a_long_table_never_shows_more_than_its_limit() -> None:
    order, rows = many(100, recall=0.0)
    assert len(shown(order, *rows)) == MOST + 3


def test_a_long_table_without_a_fault_says_so() -> None:
    order, rows = many(60)
    assert shown(order, *rows) == ["Every value of all 60 questions is the best there is."]
