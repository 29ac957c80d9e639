"""Lengths in tokens, with no network: cl100k's, and those of any Hugging Face tokenizer."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.contract.errors import ConfigError
from pipeline.settings.installed import hushed_hub, model_folder, optional

Measure = Callable[[Sequence[str]], list[int]]
Borders = Callable[[str], NDArray[np.int64]]

MODEL = "conf: chunker.model"
TABLE_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
SHIPPED = (
    ("tiktoken_ext", "data/cl100k_base.tiktoken"),
    (
        "litellm",
        "litellm_core_utils/tokenizers/9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    ),
)
"""Packages that carry cl100k's table of merges, which tiktoken itself would download."""
PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
"""How cl100k cuts a text before it merges; as in tiktoken."""


def cl100k(where: str) -> tuple[Measure, Borders, int]:
    """Length in tokens of cl100k_base, and where they begin; special tokens are plain text.

    Raises:
        ConfigError: tiktoken or the table is not installed.
    """
    encoding = _encoding(where)

    def measure(texts: Sequence[str]) -> list[int]:
        known = {text: len(encoding.encode_ordinary(text)) for text in set(texts)}
        return [known[text] for text in texts]

    def borders(text: str) -> NDArray[np.int64]:
        _, starts = encoding.decode_with_offsets(encoding.encode_ordinary(text))
        return np.array([*starts, len(text)])

    return measure, borders, 0


def of_model(name: str) -> tuple[Measure, Borders, int]:
    """Length in a model's own tokens with its special ones, and where the others begin.

    What the tokenizer drops (white space, say) belongs to the token before it.

    Raises:
        ConfigError: there is no such tokenizer, or the package for it is not installed.
    """
    tokenizer = _tokenizer(name)
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def measure(texts: Sequence[str]) -> list[int]:
        distinct = list(dict.fromkeys(texts))
        lengths = (len(found.ids) for found in tokenizer.encode_batch_fast(distinct))
        known = dict(zip(distinct, lengths, strict=True))
        return [known[text] for text in texts]

    def borders(text: str) -> NDArray[np.int64]:
        if not text:
            return np.zeros(1, dtype=np.int64)
        offsets = tokenizer.encode(text, add_special_tokens=False).offsets
        starts = [start for start, _ in offsets[1:]]
        return np.maximum.accumulate(np.array([0, *starts, len(text)]))

    return measure, borders, measure([""])[0]


def _encoding(where: str) -> Any:
    tiktoken = optional("tiktoken", extra="tokens", where=where)
    load = optional("tiktoken.load", extra="tokens", where=where)
    for package, name in SHIPPED:
        spec = find_spec(package)
        for place in spec.submodule_search_locations or () if spec else ():
            table = Path(place) / name
            if table.is_file() and sha256(table.read_bytes()).hexdigest() == TABLE_SHA256:
                ranks = load.load_tiktoken_bpe(str(table))
                return tiktoken.Encoding(
                    "cl100k_base", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={}
                )
    raise ConfigError(
        where,
        expected="the extra [tokens], which brings cl100k's table",
        got="no package that ships it",
        remedy="pip install -e '.[tokens]'",
    )


def _tokenizer(name: str) -> Any:
    tokenizers = optional("tokenizers", extra="tokens", where=MODEL)
    folder = model_folder(name)
    try:
        if folder is not None:
            return tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        hushed_hub()
        return tokenizers.Tokenizer.from_pretrained(name)
    except Exception as error:  # the package raises bare Exception, also without a network
        raise ConfigError(
            MODEL,
            expected="a folder with tokenizer.json, or a model that can be had",
            got=f"{name} ({' '.join(str(error).split())[:200]})",
        ) from error
