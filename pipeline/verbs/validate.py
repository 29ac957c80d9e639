"""`validate [key=value …]`: say whether data and configuration are good; write nothing."""

from pathlib import Path

import polars as pl

from pipeline.adapters.answerers import recorded as answerers
from pipeline.adapters.judges.labels import Labels, check_named
from pipeline.adapters.retrievers.recorded import Recorded
from pipeline.contract.errors import DataError
from pipeline.settings import adapter, settings
from pipeline.stages.freeze import examine
from pipeline.verbs.run import configured, in_project


def main(words: list[str], data: Path) -> int:  # noqa: ARG001 - every verb has this signature
    """Check and print what was found.

    Raises:
        ConfigError: a word, key or value is not right, or labels are to judge answers that
            they cannot read.
        DataError: with every fault of the data.
    """
    in_project()
    params = configured(words)
    typed = settings(params)
    by_labels = isinstance(adapter("judge", params), Labels)
    replayed = isinstance(adapter("answerer", params), answerers.Recorded)
    faults, summary = examine(
        adapter("dataset", params),
        corpus=typed.corpus,
        question_set=typed.question_set,
        split=typed.split,
        missing=typed.missing,
        repeats=typed.repeats,
        rubric=typed.rubric,
        cutoff=typed.cutoff if typed.budget is None else None,
        recorded=isinstance(adapter("retriever", params), Recorded),
        baseline=typed.baseline,
        also=_readable if by_labels and replayed else None,
    )
    if faults:
        raise DataError(faults)
    for key, value in summary.items():
        print(f"{key}: {value}")
    print("data and configuration are good; nothing was written")
    return 0


def _readable(tables: dict[str, pl.DataFrame]) -> None:
    """Whether labels can read the recorded answers, as the stage `judge` will ask."""
    check_named(tables["responses"], tables["questions"], tables["claims"])
