"""What the length of a chunk is counted in: characters, words or tokens."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pipeline.contract.errors import ConfigError

Unit = Literal["characters", "words", "cl100k", "model"]
Borders = NDArray[np.int64]
WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class Units:
    """A way to measure text.

    Attributes:
        measure: the length of each text, as if it stood alone.
        borders: where the units of a text begin, then the text's end, in code points;
            not falling. A unit that begins inside of a code point begins with it.
        joint: the length of no text at all: a model's special tokens, else 0.
    """

    measure: Callable[[Sequence[str]], list[int]]
    borders: Callable[[str], Borders]
    joint: int = 0


def units(unit: Unit, model: str | None, where: str = "conf: chunker.unit") -> Units:
    """Return the units of that name; `model` is the tokenizer where the unit is `model`.

    `where` says in messages who asks for them.

    Raises:
        ConfigError: the tokenizer is not installed or not found.
    """
    if unit == "characters":
        return Units(_characters, lambda text: np.arange(len(text) + 1))
    if unit == "words":
        return Units(_words, _word_borders)
    from pipeline.adapters.chunkers import tokens

    if unit == "cl100k":
        return Units(*tokens.cl100k(where))
    return Units(*tokens.of_model(model or ""))


def check(chunk_size: int, overlap: int, unit: Unit, model: str | None) -> None:
    """Refuse settings that contradict each other.

    Raises:
        ConfigError: the overlap is no shorter than the chunk, or `model` is there without
            need or needed and not there.
    """
    if overlap >= chunk_size:
        raise ConfigError(
            "conf: chunker.overlap",
            expected=f"less than chunk_size, which is {chunk_size}",
            got=str(overlap),
        )
    if (unit == "model") != (model is not None):
        raise ConfigError(
            "conf: chunker.model",
            expected="a tokenizer's name where the unit is model, else null",
            got=f"{model!r} with the unit {unit}",
        )


def _characters(texts: Sequence[str]) -> list[int]:
    return [len(text) for text in texts]


def _words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def _word_borders(text: str) -> Borders:
    later = [match.start() for match in WORD.finditer(text)][1:]
    return np.array([0, *later, len(text)] if text else [0])
