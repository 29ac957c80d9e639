from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from pipeline.contract.errors import DataError
from pipeline.contract.streamed import Held, Stored, write_parts
from pipeline.contract.tables import Relevance, write

ROWS = pl.DataFrame(
    {"question": [0, 0, 1, 3], "doc": [4, 5, 4, 6], "yes": 1, "votes": [1, 2, 1, 1], "grade": 1.0}
).cast(Relevance.schema)


@pytest.mark.parametrize("size", [1, 3, 4])
def test_parts_are_written_as_the_whole_is(tmp_path: Path, size: int) -> None:
    write(tmp_path / "whole", Relevance, ROWS)
    write_parts(tmp_path / "parts", Relevance, ROWS.iter_slices(size))
    files = [tmp_path / name / "relevance.parquet" for name in ("whole", "parts")]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_an_error_on_the_way_comes_through_and_leaves_what_was_there(tmp_path: Path) -> None:
    write(tmp_path, Relevance, ROWS)

    def broken() -> Iterator[pl.DataFrame]:
        yield ROWS
        raise ValueError("no more rows")

    with pytest.raises(ValueError, match=r"^no more rows$"):
        write_parts(tmp_path, Relevance, broken())
    assert Stored.of(tmp_path, Relevance, ["doc"]).size == len(ROWS)
    assert [path.name for path in tmp_path.iterdir()] == ["relevance.parquet"]


def test_rows_on_disk_are_the_rows_in_memory(tmp_path: Path) -> None:
    write(tmp_path, Relevance, ROWS)
    stored, held = Stored.of(tmp_path, Relevance, Relevance.columns), Held(ROWS)
    assert stored.size == held.size == 4
    assert stored.rows(1, 3).equals(held.rows(1, 3))
    assert stored.rows(1, 3, ["doc"]).equals(held.rows(1, 3, ["doc"]))
    # questions 0 and 1; the third has no rows, the fourth is past the end
    assert stored.about(0, 3).equals(held.about(0, 3))
    assert stored.about(0, 3)["doc"].to_list() == [4, 5, 4]


def test_a_column_of_another_type_is_refused(tmp_path: Path) -> None:
    ROWS.with_columns(pl.col("doc").cast(pl.Int64)).write_parquet(tmp_path / "relevance.parquet")
    with pytest.raises(DataError, match="not the declared column"):
        Stored.of(tmp_path, Relevance, ["doc"])
