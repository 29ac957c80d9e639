"""The page of single results that come from verdicts."""

from typing import Any

import polars as pl

from pipeline.contract.metrics import ENTAILMENT
from pipeline.contract.results import Judged
from pipeline.contract.tables import Questions, check
from pipeline.verbs.terminal.ruled import MOST, ruled_lines
from tests.adapters.frames import questions


def row(question_id: str, at: int, repeat: int = 1, **given: Any) -> dict[str, Any]:
    """One row of Judged with 0.25 everywhere, but for what is given; a text is a reason."""
    found: dict[str, Any] = {"system": "A", "repeat": repeat, "question": at}
    for metric in ENTAILMENT:
        value = given.get(metric.name, 0.25)
        reason = value if isinstance(value, str) else None
        found |= {metric.name: None if reason else value, f"{metric.name}_reason": reason}
        found |= {f"{metric.name}_low": None, f"{metric.name}_high": None}
    return found | {"question_id": question_id}


def shown(*rows: dict[str, Any]) -> list[str]:
    judged = check(Judged, pl.DataFrame(list(rows), schema=Judged.schema))
    asked = check(Questions, questions(["?"] * (1 + max(one["question"] for one in rows))))
    return [line.text for line in ruled_lines(asked, judged, ENTAILMENT)]


def test_each_response_has_a_line_under_names_of_one_word() -> None:
    assert shown(row("q0", 0, entailment_f1=1.0), row("q1", 1, faithfulness="no_claims")) == [
        "case system | precision recall F1 claim-recall hallucination faithfulness",
        "q0 A | 0.25 0.25 1.00 0.25 0.25 0.25",
        "q1 A | 0.25 0.25 0.25 0.25 0.25 n/a",
    ]


def test_repeats_are_told_apart() -> None:
    assert shown(row("q0", 0), row("q0", 0, repeat=2))[1].startswith("q0 A 1 | ")


def test_of_many_the_worst_come_first_an_error_before_all() -> None:
    many = [row(f"q{at}", at) for at in range(MOST)]
    bad = row("q40", MOST, hallucination=1.0)
    lost: dict[str, Any] = {metric.name: "failed" for metric in ENTAILMENT}
    failed = row("q41", MOST + 1, **lost)
    lines = shown(*many, bad, failed)
    assert lines[0] == "Worst first, 40 of 42 responses:"
    assert [line.split()[0] for line in lines[2:5]] == ["q41", "q40", "q0"]
    assert len(lines) == MOST + 2


def test_without_a_family_there_is_no_table() -> None:
    assert ruled_lines(questions(["?"]), Judged.empty(), ()) == []
