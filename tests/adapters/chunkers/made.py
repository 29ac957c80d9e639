"""Chunkers and texts to try them on."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from pipeline.adapters.chunkers.fixed_tokens import FixedTokens
from pipeline.adapters.chunkers.recursive import Recursive
from pipeline.adapters.chunkers.sentence import Sentence

WITHOUT_TOKENS = pytest.mark.skipif(
    find_spec("tiktoken") is None or find_spec("tokenizers") is None,
    reason="needs the extra [tokens]",
)
CHUNKERS = ("recursive", "fixed_tokens", "sentence")
"""Those that cut; `document` does not."""
UNITS = [
    "characters",
    "words",
    *(pytest.param(u, marks=WITHOUT_TOKENS) for u in ("cl100k", "model")),
]

PIECES = [
    "👩\u200d👩\u200d👧", "🏳️\u200d🌈", "🎈", "e\u0301", "n\u0303\u0323", "漢字", "日本語。", "ก็",
    "नि", "word", "Dr. X", "3.14", "U.S.", "a", "B", "?", "!", ".", "…", "“q”", "\n", "\n\n",
    "\r\n", " ", "  ", "\t", "\u00a0", "\u2028", "\u3000", "\x00", "\x1c", "<|endoftext|>", "[CLS]",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=30).map("".join)


def chunker(kind: str, unit: str, chunk_size: int, overlap: int, model: str | None = None) -> Any:
    """A chunker by name; `model` counts only where it is the unit."""
    named = model if unit == "model" else None
    if kind == "sentence":
        return Sentence(chunk_size, overlap, unit, named, "en")  # type: ignore[arg-type]
    cls = Recursive if kind == "recursive" else FixedTokens
    return cls(chunk_size, overlap, unit, named)  # type: ignore[arg-type]


def byte_tokenizer(folder: Path) -> str:
    """A tokenizer of single bytes with two special tokens, as files of a model; its folder."""
    package = pytest.importorskip("tokenizers")
    pre_tokenizers = package.pre_tokenizers
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: code for code, token in enumerate(["<s>", "</s>", *alphabet])}
    tokenizer = package.Tokenizer(package.models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = package.decoders.ByteLevel()
    tokenizer.post_processor = package.processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)]
    )
    tokenizer.enable_truncation(8)  # what a chunker must not fall for
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    return str(folder)
