"""Chunks as arrays against plain loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.scoring.cuts import Cuts


@pytest.mark.parametrize("beside", [False, True])
@given(data=st.data())
def test_touching_finds_the_chunks_that_a_plain_loop_finds(
    beside: bool, data: st.DataObject
) -> None:
    spans = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(1, 5)), max_size=8)
    chunks = [(doc, start, start + size) for doc, start, size in data.draw(spans)]
    asked = [(doc, start, start + size) for doc, start, size in data.draw(spans)]
    doc, start, end = np.array(chunks, np.int64).reshape(-1, 3).T
    span, chunk = Cuts(doc, start, end).touching(
        *np.array(asked, np.int64).reshape(-1, 3).T, beside=beside
    )
    wanted = {
        (one, other)
        for one, (doc_, low, high) in enumerate(asked)
        for other, (of, first, last) in enumerate(chunks)
        if doc_ == of
        and (max(low, first) <= min(high, last) if beside else max(low, first) < min(high, last))
    }
    assert set(zip(span.tolist(), chunk.tolist(), strict=True)) == wanted
    assert len(span) == len(wanted)
