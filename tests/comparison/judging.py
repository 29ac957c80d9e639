"""Two systems by hand, `old` and `new`, and what a rule of a policy says of them."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import polars as pl

from pipeline.comparison.acceptance import judge
from pipeline.comparison.grounds import Grounds
from pipeline.comparison.rows import Rows
from pipeline.contract.policy import Acceptance, Limits, QuestionRule, Rule
from pipeline.contract.results import Judged
from pipeline.scoring.deltas import deltas
from tests.per_question import answered, failed, per_question

TODAY = date(2026, 6, 15)
NO_LIMITS = Limits(leaks=None)
Row = dict[str, Any]


def old(question: str, repeat: int = 1, **given: Any) -> Row:
    """One right answer of the baseline, but for what is given."""
    return answered("old", question, repeat, **given)


def new(question: str, repeat: int = 1, **given: Any) -> Row:
    """One right answer of the candidate, but for what is given."""
    return answered("new", question, repeat, **given)


def lost(system: str, question: str, repeat: int = 1, **given: Any) -> Row:
    """A response that failed."""
    return failed(system, question, repeat, **{"reached": None, **given})


def grounds(
    *rows: Row,
    attributes: dict[str, dict[str, str]] | None = None,
    uncertainty: Sequence[Row] = (),
    judged: pl.DataFrame | None = None,
) -> Grounds:
    """What `new` is judged on."""
    values = per_question(*rows)
    judged = Judged.empty() if judged is None else judged
    before, after = (
        Rows(values.filter(system=name), judged.filter(system=name)) for name in ("old", "new")
    )
    ids = values["question_id"].unique().to_list()
    known = {question: (attributes or {}).get(question, {}) for question in ids}
    return Grounds(before, after, deltas(values, "old"), known, uncertainty)


def held(
    *demands: Rule | QuestionRule,
    on: Grounds,
    limits: Limits = NO_LIMITS,
    today: date = TODAY,
) -> Row:
    """The verdict with its rules."""
    policy = Acceptance(
        "test",
        tuple(one for one in demands if isinstance(one, Rule)),
        tuple(one for one in demands if isinstance(one, QuestionRule)),
        limits,
    )
    found = judge(policy, on, today=today)
    assert found is not None
    return found


def one(demand: Rule | QuestionRule, on: Grounds, today: date = TODAY) -> Row:
    """What became of a single rule."""
    (row,) = held(demand, on=on, today=today)["rules"]
    return dict(row)
