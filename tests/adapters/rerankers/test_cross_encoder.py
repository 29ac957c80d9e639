"""A model that reads question and chunk together; here a small one with random weights."""

import sys
from importlib.util import find_spec
from pathlib import Path

import polars as pl
import pytest

from pipeline.adapters.chunkers.document import Document
from pipeline.adapters.rerankers.cross_encoder import CrossEncoder
from pipeline.contract.errors import ConfigError
from pipeline.contract.tables import Ranking, check
from tests.adapters.frames import documents, questions

TEXTS = ["first note", "second one", "the third", "second one", "a fifth of them"]
ASKED = ["which one", "what else"]

needs_dense = pytest.mark.skipif(
    find_spec("sentence_transformers") is None, reason="needs the extra [dense]"
)
pytestmark = pytest.mark.filterwarnings("ignore")  # of transformers, while it is imported


def saved(folder: Path, labels: int) -> str:
    """A BERT of two small layers over single characters, weights drawn with a fixed seed."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{c}" for c in letters)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(words))
    tokenizer = transformers.BertTokenizerFast(str(folder / "vocab.txt"))
    tokenizer.save_pretrained(folder)
    torch.manual_seed(7)
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=64, num_labels=labels, initializer_range=2.0,
    )  # fmt: skip
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return saved(tmp_path_factory.mktemp("model"), 1)


def ranking(rows: list[list[int] | None]) -> pl.DataFrame:
    frame = {
        "system": ["s"] * len(rows),
        "repeat": range(1, len(rows) + 1),
        "question": [row % 2 for row in range(len(rows))],
        "chunks": rows,
        "scores": [None if row is None else [0.0] * len(row) for row in rows],
    }
    return pl.DataFrame(frame, schema=Ranking.schema)


def reranked(name: str, rows: list[list[int] | None], batch: int = 4) -> pl.DataFrame:
    frame = documents(TEXTS)
    made = CrossEncoder(name, None, batch)
    return check(
        Ranking, made.rerank(questions(ASKED), Document().cut(frame), frame, ranking(rows))
    )


@needs_dense
def test_each_ranking_is_ordered_by_the_models_score_of_its_own_question(model: str) -> None:
    direct = pytest.importorskip("sentence_transformers").CrossEncoder(model)
    found = reranked(model, [[0, 1, 2, 4], [4, 2, 1, 0]])
    for question, chunks, scores in found.select("question", "chunks", "scores").iter_rows():
        pairs = [(ASKED[question], TEXTS[chunk]) for chunk in range(5)]
        wanted = direct.predict(pairs)
        assert chunks == sorted([0, 1, 2, 4], key=lambda chunk: -wanted[chunk])
        assert scores == pytest.approx([wanted[chunk] for chunk in chunks], abs=1e-5)
    assert found["chunks"][0].to_list() != found["chunks"][1].to_list()


@needs_dense
def test_equal_texts_score_equally_and_keep_their_earlier_rank(model: str) -> None:
    [forth, back] = (reranked(model, [row])["chunks"][0].to_list() for row in ([1, 3], [3, 1]))
    assert (forth, back) == ([1, 3], [3, 1])
    scores = reranked(model, [[3, 0, 1]], batch=1)["scores"][0].to_list()
    assert len(set(scores)) == 2


@needs_dense
def test_a_lost_ranking_stays_null_and_an_empty_one_empty(model: str) -> None:
    found = reranked(model, [None, [], [2]])
    assert found["chunks"].to_list() == [None, [], [2]]
    assert found["scores"].to_list()[:2] == [None, []]


@needs_dense
def test_a_model_with_several_numbers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"one number for a pair, got 3 numbers"):
        reranked(saved(tmp_path, 3), [[0, 1]])


@needs_dense
def test_a_model_that_cannot_be_had_is_one_line() -> None:
    with pytest.raises(ConfigError, match=r"^conf: reranker.model: expected .*no/such") as raised:
        reranked("no/such", [[0, 1]])
    assert "\n" not in str(raised.value)


def test_a_missing_extra_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigError, match=r"pip install -e '\.\[dense\]'"):
        reranked("any", [[0]])


def test_nothing_to_order_needs_no_model() -> None:
    assert reranked("any", [None, []])["chunks"].to_list() == [None, []]
