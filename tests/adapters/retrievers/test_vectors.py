"""The store of vectors: only new text is embedded, and what was is never lost."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from pipeline.adapters.retrievers import vectors as module
from pipeline.adapters.retrievers.vectors import FloatMatrix, Role, vectors
from pipeline.contract.errors import EndpointError
from tests.adapters.retrievers.server import letters


@dataclass
class Counting:
    """Counts letters, remembers what it was asked, and may die or change."""

    name: str = "one"
    asked: list[str] = field(default_factory=list)
    dies_at: str = "nothing"
    length: int = 26
    value: float = 0.0

    @property
    def identity(self) -> dict[str, str | None]:
        return {"model": self.name}

    def embed(self, texts: Sequence[str], role: Role) -> FloatMatrix:
        if self.dies_at in texts:
            raise KeyboardInterrupt
        self.asked += texts
        made = np.array([letters(text)[: self.length] for text in texts], dtype=np.float32)
        return made + np.float32(self.value)


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    return tmp_path / ".dvc/tmp/embeddings"


def test_vectors_have_length_one_in_the_order_of_the_texts() -> None:
    # "ab" is (1, 1, 0, …): each part is 1 / sqrt(2)
    made = vectors(Counting(), ["b", "ab", "?"], "document")
    assert made.shape == (3, 26)
    assert made[0, :3].tolist() == [0, 1, 0]
    assert made[1, :2].tolist() == pytest.approx([0.5**0.5, 0.5**0.5])
    assert not made[2].any()


def test_only_new_text_is_embedded() -> None:
    first, second = Counting(), Counting()
    before = vectors(first, ["a", "b"], "document")
    after = vectors(second, ["c", "b", "a"], "document")
    assert second.asked == ["c"]
    assert after[[2, 1]].tolist() == before.tolist()


def test_another_model_or_role_is_another_vector() -> None:
    vectors(Counting(), ["a"], "document")
    role, model = Counting(), Counting(name="two")
    vectors(role, ["a"], "question")
    vectors(model, ["a"], "document")
    assert (role.asked, model.asked) == (["a"], ["a"])


def test_a_run_that_dies_keeps_what_it_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK", 2)
    with pytest.raises(KeyboardInterrupt):
        vectors(Counting(dies_at="dddd"), ["a", "bb", "ccc", "dddd"], "document")
    again = Counting()
    vectors(again, ["a", "bb", "ccc", "dddd"], "document")
    assert again.asked == ["ccc", "dddd"]


def test_a_vector_stays_what_it_was_first() -> None:
    class Slow(Counting):
        def embed(self, texts: Sequence[str], role: Role) -> FloatMatrix:
            vectors(Counting(), texts, role)  # another run was faster
            return super().embed(texts, role)

    made = vectors(Slow(value=1.0), ["a"], "document")
    assert made.tolist() == vectors(Counting(), ["a"], "document").tolist()
    assert made[0, 1] == 0


def test_no_texts_make_no_vectors() -> None:
    assert vectors(Counting(), [], "document").shape == (0, 0)


def test_a_model_that_changed_its_length_is_refused() -> None:
    vectors(Counting(), ["a"], "document")
    with pytest.raises(EndpointError, match=r"vectors of one length, got lengths \[20, 26\]"):
        vectors(Counting(length=20), ["a", "b"], "document")


def test_what_is_no_number_is_refused_and_not_kept() -> None:
    with pytest.raises(EndpointError, match="expected vectors of numbers"):
        vectors(Counting(value=float("nan")), ["a"], "document")
    again = Counting()
    vectors(again, ["a"], "document")
    assert again.asked == ["a"]


def test_a_file_that_is_no_store_is_refused(store: Path) -> None:
    vectors(Counting(), ["a"], "document")
    [file] = store.iterdir()
    file.write_bytes(b"no database at all, but long enough to be looked at" * 40)
    with pytest.raises(EndpointError, match=r"expected a store of vectors, got .*remove the file"):
        vectors(Counting(), ["a"], "document")


def test_two_runs_may_write_at_the_same_time(store: Path) -> None:
    vectors(Counting(), ["a"], "document")
    [file] = store.iterdir()
    other = sqlite3.connect(file)
    other.execute("SELECT * FROM vectors").fetchone()  # a reader that has not finished
    vectors(Counting(), ["b"], "document")
    other.close()
