"""What a candidate is judged on: both sides, their deltas, and what is known of the questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from pipeline.comparison.rows import Rows
from pipeline.contract.policy import in_slice


@dataclass(frozen=True)
class Grounds:
    """Everything that one candidate is judged on.

    Attributes:
        before: the baseline.
        after: the candidate, over the same questions.
        deltas: Deltas of the two.
        attributes: attributes of each question, by its id.
        uncertainty: rows with `metric`, `attribute`, `value`, `n`, `low`, `high`, `reason`:
            the interval of a mean change over all questions ('', '') or a slice.
    """

    before: Rows
    after: Rows
    deltas: pl.DataFrame
    attributes: Mapping[str, Mapping[str, str]]
    uncertainty: Sequence[Mapping[str, Any]]

    def members(self, wanted: str | None) -> list[str]:
        """Questions of a slice in order of their id; None: all."""
        return [
            question
            for question, attributes in sorted(self.attributes.items())
            if in_slice(wanted, attributes)
        ]


def attributes_of(questions: pl.DataFrame) -> dict[str, dict[str, str]]:
    """Questions, their `question_id` and `attributes` -> attributes by id."""
    return {
        question: {pair["key"]: pair["value"] for pair in pairs}
        for question, pairs in questions.select("question_id", "attributes").iter_rows()
    }
