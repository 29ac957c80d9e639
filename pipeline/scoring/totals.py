"""Scores of a set block by block, and what is summed up of them on the way."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby

import polars as pl

from pipeline.contract.streamed import Rows
from pipeline.contract.tables import CODE, ROW_GROUP
from pipeline.scoring.aggregates import Averages
from pipeline.scoring.blocks import Part, Source
from pipeline.scoring.points import Length, lengths
from pipeline.scoring.resolutions import Policy
from pipeline.scoring.sheet import worded
from pipeline.scoring.values import score


@dataclass
class Totals:
    """Sums over all responses.

    Attributes:
        averages: of every metric and slice.
        contexts: of each system, the characters of its contexts and how many are known.
        responses: how many there are.
    """

    averages: Averages
    contexts: dict[str, Length] = field(default_factory=dict)
    responses: int = 0

    def count(self, values: pl.DataFrame) -> None:
        """Take in all of a block but its averages."""
        self.responses += len(values)
        for system, (length, number) in lengths(values).items():
            before = self.contexts.get(system, (0, 0))
            self.contexts[system] = before[0] + length, before[1] + number


def scored(
    source: Source,
    totals: Totals,
    *,
    cutoff: int | None,
    policy: Policy,
    with_claims: bool,
    overlap: int,
    most: int = ROW_GROUP,
) -> Iterator[pl.DataFrame]:
    """Score a set, as `values.score` does, in blocks of at most so many responses.

    Args:
        source: the set.
        totals: takes what is summed up; its averages only where `together`.
        cutoff: as all that follow but `most`, see `values.score`.
        policy: what becomes of labels in dispute.
        with_claims: whether the set carries claim labels.
        overlap: characters that make a chunk relevant.
        most: responses of a block.

    Yields:
        PerQuestion, some rows after the other.
    """
    averaged = together(source, most)
    for part in ahead(source.blocks(most)):
        values = score(
            part.tables,
            cutoff=cutoff,
            policy=policy,
            with_claims=with_claims,
            overlap=overlap,
            corpus=source.corpus,
            spanned=source.spanned,
            words=False,
        )
        totals.count(values)
        if averaged:
            totals.averages.add(values, part.tables.questions["attributes"])
        yield worded(values.with_columns((pl.col("question") + part.first).cast(CODE)))


def ahead(parts: Iterator[Part]) -> Iterator[Part]:
    """The same parts, each read while the one before it is scored."""
    with ThreadPoolExecutor(1) as thread:
        coming = thread.submit(next, parts, None)
        while part := coming.result():
            coming = thread.submit(next, parts, None)
            yield part


def together(source: Source, most: int = ROW_GROUP) -> bool:
    """Whether every block holds all repeats of its questions, so that it can be averaged."""
    one_repeat = all(repeat == 1 for _, repeat in source.units)
    return one_repeat or len(source.units) * source.questions.size <= most


def average(source: Source, values: Rows, averages: Averages, most: int = ROW_GROUP) -> None:
    """Bring the repeats of each question together and take in their averages.

    Args:
        source: the set.
        values: PerQuestion of it, whole.
        averages: what takes them in.
        most: rows at a time.
    """
    size, numbered = source.questions.size, enumerate(source.units)
    for _, units in groupby(numbered, key=lambda unit: unit[1][0]):
        starts = [number * size for number, _ in units]
        step = max(most // len(starts), 1)
        for first in range(0, size, step):
            last = min(first + step, size)
            rows = [values.rows(start + first, start + last) for start in starts]
            averages.add(pl.concat(rows), source.questions.rows(first, last)["attributes"])
