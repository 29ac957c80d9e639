"""A comparison that does not fit its schema is not written."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.contract.files import read_json
from pipeline.contract.results import Deltas
from pipeline.contract.tables import read
from pipeline.sides.written import FILES, write_comparison
from tests.finished import finish
from tests.report.compared import sides


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    return finish(tmp_path / "data")


def again(data: Path, folder: Path, comparison: dict[str, Any]) -> None:
    rows: pl.DataFrame = read(data / "compare", Deltas)
    write_comparison(folder, *sides(data), rows, comparison, "full")


def test_written_again_it_is_the_same(data: Path, tmp_path: Path) -> None:
    again(data, tmp_path / "again", read_json(data / "compare" / "comparison.json"))
    for name in FILES:
        assert (tmp_path / "again" / name).read_bytes() == (data / "compare" / name).read_bytes()


def test_a_key_that_is_missing_is_a_bug_and_nothing_is_written(data: Path, tmp_path: Path) -> None:
    for key in ("judge", "verdict"):
        comparison = read_json(data / "compare" / "comparison.json")
        del comparison[key]
        with pytest.raises(ValueError, match=rf"comparison\.schema\.json: \$: '{key}' is a req"):
            again(data, tmp_path / "again", comparison)
    assert not (tmp_path / "again").exists()
