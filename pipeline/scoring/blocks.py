"""The frozen tables cut into blocks that can be scored one after the other.

A block is some repeats with all their questions or, where one repeat is more than a block,
some questions of one. Codes of questions and claims in it count from the block's first.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import polars as pl

from pipeline.contract.streamed import Held, Rows
from pipeline.contract.tables import CODE, RESPONSE_KEY, ROW_GROUP
from pipeline.scoring.corpus import Corpus
from pipeline.scoring.frozen import Tables, known

SAME = "score: expected the same responses in all tables, got others"
GROWING = (
    "questions", "claims", "relevance", "support", "evidence", "ranking", "answers", "statements",
)  # fmt: skip
"""Those of `Tables` that grow with the questions."""

Unit = tuple[str, int]
"""A system and the index of one of its repeats."""


@dataclass(frozen=True)
class Part:
    """One block; `first` is the code of its first question."""

    first: int
    tables: Tables


@dataclass(frozen=True)
class Source:
    """As `Tables`, those that grow with the questions not in memory; `claims` with codes.

    `ranking` may have fewer repeats than `answers`: then every answer of a system was given
    from its first.
    """

    documents: pl.DataFrame
    chunks: pl.DataFrame
    found: pl.DataFrame
    questions: Rows
    claims: Rows
    relevance: Rows
    support: Rows
    evidence: Rows
    ranking: Rows
    answers: Rows
    statements: Rows

    @classmethod
    def of(cls, tables: Tables) -> "Source":
        """Take tables that are in memory."""
        held = {name: Held(getattr(tables, name)) for name in GROWING}
        return cls(tables.documents, tables.chunks, tables.found, **held)

    @cached_property
    def corpus(self) -> Corpus:
        """The documents and chunks, as all blocks need them."""
        return Corpus.of(self.documents, self.chunks, self.found)

    @cached_property
    def spanned(self) -> bool:
        """Whether any mark says where the evidence lies."""
        size = self.evidence.size
        starts = range(0, size, ROW_GROUP)
        return any(known(self.evidence.rows(at, min(at + ROW_GROUP, size))) for at in starts)

    @cached_property
    def units(self) -> list[Unit]:
        """The repeats of every system, in order.

        Raises:
            ValueError: a stage before this one is wrong.
        """
        found = self._units(self.answers)
        if self.statements.size != self.answers.size:
            raise ValueError(SAME)
        if found != sorted(set(found)):
            raise ValueError("score: expected whole repeats of each system, in order, got others")
        return found

    def _units(self, table: Rows) -> list[Unit]:
        size = self.questions.size
        if table.size and (not size or table.size % size):
            raise ValueError(SAME)
        heads = (table.rows(at, at + 1, RESPONSE_KEY[:2]) for at in range(0, table.size, size or 1))
        return [head.row(0) for head in heads]

    def blocks(self, most: int = ROW_GROUP) -> Iterator[Part]:
        """Every response once, in order; without any, one block without any.

        Args:
            most: responses of a block.

        Raises:
            ValueError: the tables do not hold the same responses.
        """
        size = self.questions.size
        if size <= most or not self.units:
            together = max(most // max(size, 1), 1)
            for at in range(0, max(len(self.units), 1), together):
                yield self._part(range(at, min(at + together, len(self.units))), 0, size)
            return
        for unit in range(len(self.units)):
            # cut where row groups end, so that none is decoded twice
            cuts = range((unit * size // most + 1) * most, (unit + 1) * size, most)
            ends = [0, *(cut - unit * size for cut in cuts), size]
            for start, stop in pairwise(ends):
                yield self._part(range(unit, unit + 1), start, stop)

    def _part(self, units: range, start: int, stop: int) -> Part:
        """The questions from `start` up to `stop` of some repeats; of several all questions."""
        size = self.questions.size
        rows = units.start * size + start, max(units.stop - 1, units.start) * size + stop
        answers = self.answers.rows(*rows) if units else self.answers.rows(0, 0)
        if units and answers.row(0)[:2] != self.units[units.start]:
            raise ValueError(SAME)
        tables = Tables(
            self.documents,
            self.questions.rows(start, stop),
            self.claims.about(start, stop),
            self.relevance.about(start, stop),
            self.support.about(start, stop),
            self.evidence.about(start, stop),
            self.chunks,
            self.found,
            self._ranking(units, start, stop),
            answers,
            self.statements.rows(*rows) if units else self.statements.rows(0, 0),
        )
        return Part(start, tables if start == 0 else _counted_from(start, tables))

    @cached_property
    def _ranked(self) -> dict[Unit, int]:
        """Where in `ranking` what each answer was given from starts."""
        size, have = self.questions.size, self._units(self.ranking)
        at = {unit: number * size for number, unit in enumerate(have)}
        if have == self.units:
            return at
        missing = [unit for unit in self.units if (unit[0], 1) not in at]
        if missing:
            raise ValueError(SAME)
        return {(system, repeat): at[system, 1] for system, repeat in self.units}

    def _ranking(self, units: range, start: int, stop: int) -> pl.DataFrame:
        found = [self.ranking.rows(0, 0)]
        for system, repeat in self.units[units.start : units.stop]:
            at = self._ranked[system, repeat]
            rows = self.ranking.rows(at + start, at + stop)
            found.append(rows.with_columns(pl.lit(repeat, pl.UInt32).alias("repeat")))
        return pl.concat(found)


def _counted_from(first: int, tables: Tables) -> Tables:
    """Let the codes of questions start at 0, and those of claims too."""
    code = (pl.col("question") - first).cast(CODE)
    of = {
        name: getattr(tables, name).with_columns(code)
        for name in GROWING
        if "question" in getattr(tables, name).columns
    }
    claims = tables.claims["claim"]
    least = int(claims[0]) if len(claims) else 0
    for name in ("claims", "support", "evidence"):
        of[name] = of[name].with_columns((pl.col("claim") - least).cast(CODE))
    stated = tables.statements["claims"].explode(keep_nulls=False).to_numpy()
    known = stated[stated >= 0]
    if ((known < least) | (known >= least + len(claims))).any():
        raise ValueError("statements: expected claims of the question that was asked, got others")
    shifted = pl.element() - pl.when(pl.element() >= 0).then(least).otherwise(0)
    of["statements"] = of["statements"].with_columns(
        pl.col("claims").list.eval(shifted.cast(pl.Int32))
    )
    return replace(tables, **of)
