"""Tables too large to be held at once: read and written some rows at a time."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol, Self

import polars as pl

from pipeline.contract.files import replacing
from pipeline.contract.tables import ROW_GROUP, Table, check, declared


class Rows(Protocol):
    """A table, or columns of it, of which some rows can be had."""

    @property
    def size(self) -> int:
        """How many rows it has."""

    def rows(self, start: int, stop: int, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """The rows from `start` up to `stop`; all columns, or those named."""

    def about(self, first: int, stop: int) -> pl.DataFrame:
        """The rows on the questions from code `first` up to `stop`."""


@dataclass(frozen=True)
class Held:
    """A table in memory."""

    frame: pl.DataFrame

    @property
    def size(self) -> int:
        """How many rows it has."""
        return len(self.frame)

    def rows(self, start: int, stop: int, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """The rows from `start` up to `stop`."""
        return self.frame.slice(start, stop - start).select(columns or self.frame.columns)

    def about(self, first: int, stop: int) -> pl.DataFrame:
        """The rows on some questions."""
        return self.frame.filter(pl.col("question").is_between(first, stop, closed="left"))


@dataclass(frozen=True)
class Stored:
    """Columns of a table as it lies on disk; only row groups that are asked for are decoded."""

    path: Path
    columns: tuple[str, ...]

    @classmethod
    def of(cls, folder: Path, table: Table, columns: Iterable[str]) -> Self:
        """Name a table and the columns to be read of it.

        Raises:
            DataError: a column is not as the table says.
        """
        stored = cls(folder / f"{table.name}.parquet", tuple(columns))
        declared(stored.path, table, stored.rows(0, 0))
        return stored

    @cached_property
    def size(self) -> int:
        """How many rows it has."""
        return int(self._scanned.select(pl.len()).collect().item())

    def rows(self, start: int, stop: int, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Read the rows from `start` up to `stop`."""
        wanted = self._scanned.slice(start, stop - start)
        return wanted.select(columns or self.columns).collect()

    def about(self, first: int, stop: int) -> pl.DataFrame:
        """Read the rows on some questions, by which the table is in order."""
        wanted = pl.col("question").is_between(first, stop, closed="left")
        return self._scanned.filter(wanted).select(self.columns).collect()

    @cached_property
    def _scanned(self) -> pl.LazyFrame:
        return pl.scan_parquet(self.path)


def write_parts(folder: Path, table: Table, parts: Iterable[pl.DataFrame]) -> None:
    """Write `folder/<table>.parquet` of frames that come one after the other.

    Gives the bytes that `tables.write` gives for the frames in one, however they are cut.

    Args:
        folder: where.
        table: which.
        parts: rows in order of the table's key; each is let go once it is written.
    """
    from polars.io.plugins import register_io_source  # only where something is streamed

    failed: list[Exception] = []

    def frames(*_: object) -> Iterator[pl.DataFrame]:
        try:
            for part in parts:
                yield check(table, part)
        except Exception as error:
            failed.append(error)  # Polars would tell of it in an error of its own
            raise

    source = register_io_source(frames, schema=table.schema)
    with replacing(folder / f"{table.name}.parquet") as temporary:
        try:
            source.sink_parquet(
                temporary,
                compression="zstd",
                compression_level=1,
                row_group_size=ROW_GROUP,
                engine="streaming",
            )
        except Exception:
            if failed:
                raise failed[0] from None
            raise
