"""A table is what its schema says, on the way out and on the way in."""

from pathlib import Path

import polars as pl
import pytest

from pipeline.contract import results, tables
from pipeline.contract.errors import DataError
from pipeline.contract.tables import Chunks, Table, check, read, write

ALL = [t for module in (tables, results) for t in vars(module).values() if isinstance(t, Table)]


def chunks(**columns: object) -> pl.DataFrame:
    values = {"chunk": [0], "chunk_id": ["a"], "doc": [0], "version": ["v"], "start": [0]}
    return pl.DataFrame(values | {"end": [3]} | columns, schema=Chunks.schema)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    tmp_path.joinpath("x").mkdir()
    write(tmp_path / "x", Chunks, chunks())
    assert read(tmp_path / "x", Chunks).equals(chunks())
    assert read(tmp_path / "x", Chunks, ["doc"]).columns == ["doc"]


def test_equal_rows_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path / name, Chunks, chunks())
    assert (tmp_path / "a/chunks.parquet").read_bytes() == (
        tmp_path / "b/chunks.parquet"
    ).read_bytes()


def test_a_missing_column_another_type_and_a_null_are_refused() -> None:
    with pytest.raises(ValueError, match="expected a column 'end'"):
        check(Chunks, chunks().drop("end"))
    with pytest.raises(ValueError, match=r"chunks\.doc: expected UInt32, got Int64"):
        check(Chunks, chunks().cast({"doc": pl.Int64}))
    with pytest.raises(ValueError, match=r"chunks\.chunk_id: expected no null"):
        check(Chunks, chunks(chunk_id=[None]))


def test_an_undeclared_column_is_not_written(tmp_path: Path) -> None:
    write(tmp_path, Chunks, chunks().with_columns(extra=1))
    assert read(tmp_path, Chunks).columns == list(Chunks.columns)


def test_a_file_of_another_shape_is_refused(tmp_path: Path) -> None:
    chunks().cast({"doc": pl.Int64}).write_parquet(tmp_path / "chunks.parquet")
    with pytest.raises(DataError, match=r"chunks\.parquet: doc: .*not the declared column"):
        read(tmp_path, Chunks)
    chunks().drop("doc").write_parquet(tmp_path / "chunks.parquet")
    with pytest.raises(DataError, match=r"chunks\.parquet: doc: .*no such column"):
        read(tmp_path, Chunks)


def test_a_file_that_is_broken_or_not_there_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"chunks\.parquet: expected .*got no such file"):
        read(tmp_path, Chunks)
    write(tmp_path, Chunks, chunks())
    file = tmp_path / "chunks.parquet"
    for content in (b"", file.read_bytes()[:-20]):
        file.write_bytes(content)
        with pytest.raises(DataError, match=r"chunks\.parquet: expected the table"):
            read(tmp_path, Chunks)
    file.unlink()
    file.mkdir()
    with pytest.raises(DataError, match=r"got a folder"):
        read(tmp_path, Chunks)


@pytest.mark.parametrize("table", ALL, ids=lambda table: table.name)
def test_a_key_names_columns_and_every_column_says_what_it_means(table: Table) -> None:
    assert set(table.key) <= set(table.columns)
    assert all(column.meaning for column in table.columns.values())
    assert table.empty().schema == table.schema
