"""Terms of a text as BM25 counts them: words, folded, without stop words, stemmed."""

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Literal
from unicodedata import category, normalize

Language = Literal[
    "arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "finnish", "french",
    "german", "greek", "hindi", "hungarian", "indonesian", "irish", "italian", "lithuanian",
    "nepali", "norwegian", "porter", "portuguese", "romanian", "russian", "serbian", "spanish",
    "swedish", "tamil", "turkish", "yiddish",
]  # fmt: skip
"""Languages of the Snowball stemmers that PyStemmer carries."""

ALONE = r"\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Hiragana and Han, written without spaces: each is a word by itself, as in Lucene."""
UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Thai, Lao, Burmese and Khmer have no spaces either: a letter with its marks is a word."""
MARKS = "".join(
    chr(code)
    for code in range(0x300, 0x10000)
    if category(chr(code)) in {"Mn", "Mc"} and not 0xFE00 <= code <= 0xFE0F
)
"""Vowel signs and accents: part of the word they stand in, though `\\w` lacks them. Variation
selectors are none, for they only choose a glyph, nor what lies beyond the first plane, which
would make `re` slow."""
LETTER = rf"[^\W{ALONE}{UNSPACED}]"
WORD = re.compile(rf"{LETTER}+(?:[{MARKS}]+{LETTER}*)*|[{ALONE}]|(?=[{UNSPACED}])\w[{MARKS}]*")


def analysis(stemmer: Language | None, stop_words: Literal["en"] | None) -> "Analysis":
    """Return how texts become terms; `stop_words` en is Lucene's list of 33 English words."""
    stem = import_module("Stemmer").Stemmer(stemmer).stemWord if stemmer else str
    words = import_module("bm25s.stopwords").STOPWORDS_EN if stop_words else ()
    return Analysis(stem, frozenset(words))


class Analysis:
    """Turns texts into codes of terms; the codes go by first appearance."""

    def __init__(self, stem: Callable[[str], str], stop: frozenset[str]) -> None:
        self.vocabulary: dict[str, int] = {}
        self._stem, self._stop = stem, stop
        self._codes = _Codes(stem, stop, self.vocabulary)

    def index(self, texts: Sequence[str]) -> list[list[int]]:
        """Codes of the terms of each text, in order; new terms enter the vocabulary."""
        code = self._codes.__getitem__
        return [[c for c in map(code, _words(text)) if c is not None] for text in texts]

    def look_up(self, text: str) -> list[int]:
        """Codes of those terms of a text that are in the vocabulary, in order."""
        stems = (self._stem(word) for word in _words(text) if word not in self._stop)
        return [self.vocabulary[stem] for stem in stems if stem in self.vocabulary]


class _Codes(dict[str, int | None]):
    """Code of each word met, None for a stop word; each word is stemmed once."""

    def __init__(
        self, stem: Callable[[str], str], stop: frozenset[str], vocabulary: dict[str, int]
    ) -> None:
        super().__init__(dict.fromkeys(stop))
        self._stem, self._vocabulary = stem, vocabulary

    def __missing__(self, word: str) -> int:
        code = self._vocabulary.setdefault(self._stem(word), len(self._vocabulary))
        self[word] = code
        return code


def _words(text: str) -> list[str]:
    return WORD.findall(normalize("NFKC", text).lower())
