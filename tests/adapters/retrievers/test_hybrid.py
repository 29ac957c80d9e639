"""Reciprocal rank fusion."""

from pathlib import Path

import pytest

from pipeline.adapters.retrievers.bm25 import BM25
from pipeline.adapters.retrievers.dense import Dense
from pipeline.adapters.retrievers.hybrid import Hybrid
from pipeline.contract.errors import ConfigError
from tests.adapters.retrievers.server import endpoint
from tests.adapters.retrievers.test_bm25 import ranked


def made(url: str, constant: int = 60, permissions: bool = True) -> Hybrid:
    return Hybrid(
        constant, 1.2, 0.75, None, None, "letters", None, url, None, 2, permissions=permissions
    )


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    monkeypatch.setenv("no_proxy", "*")


def test_the_sum_of_reciprocal_ranks_orders_and_ties_are_by_chunk() -> None:
    # "ba": by words only chunk 2; by letters ab (1) and ba (2) equally, then bb (0): 1, 2, 0
    # constant 1: chunk 2 has 1/2 + 1/3, chunk 1 has 1/2, chunk 0 has 1/4
    with endpoint() as seen:
        ranking = ranked(made(seen.url, constant=1), ["ba"], ["bb", "ab", "ba"])
    assert ranking["chunks"].to_list() == [[2, 1, 0]]
    assert ranking["scores"].to_list()[0] == pytest.approx([5 / 6, 1 / 2, 1 / 4])


def test_ranks_swapped_between_the_two_lists_are_an_exact_tie() -> None:
    # words, b = 0: tf 2 before tf 1, so 0, 1; letters: "ab" is the question itself, so 1, 0
    texts = ["ab ab q", "ab"]
    with endpoint() as seen:
        fused = Hybrid(60, 1.2, 0.0, None, None, "letters", None, seen.url, None, 2, True)
        words = ranked(BM25(1.2, 0.0, None, None, True), ["ab"], texts)
        near = ranked(Dense("letters", None, seen.url, None, 2, True), ["ab"], texts)
        ranking = ranked(fused, ["ab"], texts)
    assert words["chunks"].to_list() == [[0, 1]]
    assert near["chunks"].to_list() == [[1, 0]]
    assert ranking["chunks"].to_list() == [[0, 1]]
    assert ranking["scores"].to_list() == [[1 / 61 + 1 / 62] * 2]


def test_both_parts_hold_back_what_the_caller_may_not_read() -> None:
    # all:  words 0, 2; letters 0, 1, 2: sums 2/61, 1/62, 1/62 + 1/63
    # held: words 2; letters 1, 2: sums 1/61 for 1, 1/61 + 1/62 for 2
    texts, access = ["ba", "ab", "ba x"], [["hr"], None, None]
    with endpoint() as seen:
        held = ranked(made(seen.url), ["ba"], texts, 5, access, [[]])
        opened = ranked(made(seen.url, permissions=False), ["ba"], texts, 5, access, [[]])
    assert held["chunks"].to_list() == [[2, 1]]
    assert opened["chunks"].to_list() == [[0, 2, 1]]


def test_settings_of_the_parts_are_checked_before_anything_runs() -> None:
    with pytest.raises(ConfigError, match=r"retriever.b: expected a number from 0 to 1"):
        Hybrid(60, 1.2, 2.0, None, None, "m", None, None, None, 2, permissions=True)
