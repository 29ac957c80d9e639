"""The lines on answers whose record and judge disagree."""

import polars as pl

from pipeline.contract.results import Silences
from pipeline.verbs.terminal.silences import MOST, silence_lines


def shown(count: int, *, repeated: bool = False) -> list[str]:
    rows = [("A", 1, f"q{at:02}", at % 2 == 0, at % 2 == 1) for at in range(count)]
    frame = pl.DataFrame(rows, schema=Silences.schema, orient="row")
    lines = [line.text for line in silence_lines(frame, repeated, 80)]
    assert all(len(line) <= 80 for line in lines)
    return lines


def test_each_says_which_of_the_two_it_is() -> None:
    assert shown(2) == [
        "abstention and judged deflection disagree on 2 answers",
        "  q00, A: no claim on record, and the judge sees no deflection",
        "  q01, A: claims on record, and the judge sees a deflection",
    ]
    assert shown(1, repeated=True)[1].startswith("  q00, A repeat 1: ")


def test_of_many_the_first_are_named_and_all_are_counted() -> None:
    lines = shown(MOST + 3)
    assert lines[0].endswith("disagree on 13 answers")
    assert lines[-1] == "  … and 3 more: data/score/silences.parquet"
    assert len(lines) == MOST + 2


def test_without_any_there_is_nothing_to_say() -> None:
    assert shown(0) == []
