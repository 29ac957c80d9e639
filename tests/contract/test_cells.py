"""No text that we write into a CSV file is a formula for a spreadsheet."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.contract.cells import STARTS, escape, guarded, unescape

starts = st.sampled_from([*STARTS, "", "a"])


@given(st.lists(st.none() | st.builds(str.__add__, starts, st.text(max_size=3)), max_size=5))
def test_a_frames_texts_are_escaped_as_cells_are_and_come_back(texts: list[str | None]) -> None:
    frame = guarded(pl.DataFrame({"text": pl.Series(texts, dtype=pl.String)}))
    found = frame["text"].to_list()
    assert found == [text if text is None else escape(text) for text in texts]
    assert [text if text is None else unescape(text) for text in found] == texts


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "＝1", "'=1"])
def test_what_could_be_a_formula_begins_with_an_apostrophe(text: str) -> None:
    assert guarded(pl.DataFrame({"text": [text]}))["text"].to_list() == [f"'{text}"]


def test_numbers_stay_numbers() -> None:
    frame = pl.DataFrame({"delta": [-0.5, None], "n": [1, 2], "id": ["a", "-b"]})
    assert guarded(frame).write_csv() == "delta,n,id\n-0.5,1,a\n,2,'-b\n"
