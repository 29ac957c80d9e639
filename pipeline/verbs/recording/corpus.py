"""Texts found in a corpus: as a whole document, as a span of one, or as nearly that."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pipeline.verbs.recording.near import Near, nearest
from pipeline.verbs.recording.shingles import occurrences

WIDTHS = (16, 4)
"""Code points of the runs by which a text is sought; shorter texts by reading everything."""
RUNS = 16
"""Runs of a text that are sought, evenly over its length."""
LIKELY = 4
"""Documents that are held against a text that none holds: those with most of its runs."""
COMMON = 500
"""Documents that a run may occur in and still say something about which is near."""
NAMED = 5

How = Literal["text", "folded", "span", "near"]


@dataclass(frozen=True)
class Found:
    """Where a text is in the corpus.

    Attributes:
        docs: rows of the documents it is in, the first few: one is what is wanted.
        how: as the whole text, as that with white space folded, or as a span of it.
        near: what is most like it, where it is in none.
    """

    docs: tuple[int, ...]
    how: How
    near: Near | None = None


def folded(text: str) -> str:
    """The text in normal form C with each run of white space as one space, none at its ends."""
    return " ".join((text if text.isascii() else unicodedata.normalize("NFC", text)).split())


def span(text: str, document: str) -> tuple[int, int] | None:
    """Code points of the document as it stands that the text takes up.

    None where they are not one span: it occurs twice, or the document is not in normal form.
    """
    if not unicodedata.is_normalized("NFC", document):
        return None
    seen, words = folded(document), folded(text)
    start = seen.find(words)
    if start < 0 or seen.find(words, start + 1) >= 0:
        return None
    places: list[int] = []
    for word in re.finditer(r"\S+", document):
        places += range(word.start(), word.end() + 1)
    return places[start], places[start + len(words) - 1] + 1


class Corpus:
    """Documents in which texts are sought, all at once."""

    def __init__(self, documents: Sequence[str]) -> None:
        self._folded = [folded(text) for text in documents]
        self._whole = _rows(documents)
        self._bare = _rows(self._folded)

    def find(self, texts: Sequence[str]) -> dict[str, Found]:
        """Find distinct texts, none of them blank."""
        found: dict[str, Found] = {}
        for text in texts:
            whole, bare = self._whole.get(text), self._bare.get(folded(text))
            if whole or bare:
                how: How = "text" if whole else "folded"
                found[text] = Found(tuple((whole or bare or [])[:NAMED]), how)
        rest = [text for text in texts if text not in found]
        for width, group in _by_width(rest).items():
            found |= self._inside(group, width)
        return found

    def _inside(self, group: dict[str, str], width: int) -> dict[str, Found]:
        """Find texts, with their folded form, that are no whole document."""
        runs = {text: _runs(words, width) for text, words in group.items()}
        sought = list(dict.fromkeys(run for of in runs.values() for run in of))
        where = occurrences(self._folded, sought, width) if width else {}
        found = {}
        for text, words in group.items():
            places = [where[run] for run in runs[text]]
            docs = min(places, key=len).tolist() if places else range(len(self._folded))
            held = self._holding(words, docs)
            near = None if held else nearest(words, self._likely(places))
            found[text] = Found(held, "span", near)
        return found

    def _holding(self, words: str, docs: Iterable[int]) -> tuple[int, ...]:
        """The first few of the documents that hold the words."""
        return tuple(islice((doc for doc in docs if words in self._folded[doc]), NAMED))

    def _likely(self, places: Sequence[NDArray[np.int64]]) -> dict[int, str]:
        counted = Counter(doc for docs in places if len(docs) <= COMMON for doc in docs.tolist())
        if not counted:  # words that are everywhere: any of their documents
            counted = Counter(doc for docs in places for doc in docs[:LIKELY].tolist())
        best = sorted(counted, key=lambda doc: (-counted[doc], doc))[:LIKELY]
        return {doc: self._folded[doc] for doc in best}


def _rows(texts: Sequence[str]) -> dict[str, list[int]]:
    rows: defaultdict[str, list[int]] = defaultdict(list)
    for at, text in enumerate(texts):
        rows[text].append(at)
    return dict(rows)


def _by_width(texts: Sequence[str]) -> dict[int, dict[str, str]]:
    """Texts with their folded form, by the longest run that fits in; 0: none does."""
    groups: defaultdict[int, dict[str, str]] = defaultdict(dict)
    for text in texts:
        words = folded(text)
        width = next((width for width in WIDTHS if len(words) >= width), 0)
        groups[width][text] = words
    return groups


def _runs(words: str, width: int) -> list[str]:
    if not width:
        return []
    last = len(words) - width
    count = min(RUNS, last + 1)
    starts = {round(at * last / max(1, count - 1)) for at in range(count)}
    return [words[start : start + width] for start in sorted(starts)]
