"""Where a text that was not found stands in a slightly different spelling, or what is nearest."""

import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from math import log

Place = tuple[int, int]

ENOUGH = 0.4
"""Share of a quote's words, rare ones counting more, that a passage has to hold to be near."""

RARE = 200
"""Places up to which a word is rare enough to say where a quote may stand."""

LONGEST = 400
"""Words of a quote that are looked for; more do not make a passage nearer."""

_MARKS = str.maketrans("‘’‚‛“”„‟‐‑‒–—−", "''''\"\"\"\"------")
_UNSEEN = dict.fromkeys([0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF])
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")

Way = Callable[[str], str]
WAYS: dict[str, Way] = {
    "white space": lambda text: "".join(text.split()),
    "case": str.casefold,
    "Unicode form": lambda text: unicodedata.normalize("NFKC", text),
    "quotation marks or dashes": lambda text: text.translate(_MARKS),
    "characters that cannot be seen": lambda text: text.translate(_UNSEEN),
}


class Plainer(dict[int, str]):
    """Each character without case, spacing, composition and typography, one by one."""

    def __missing__(self, code: int) -> str:
        """Fold a character that was not met before."""
        plain = unicodedata.normalize("NFKD", chr(code)).casefold()
        plain = unicodedata.normalize("NFKD", plain).translate(_MARKS).translate(_UNSEEN)
        self[code] = "".join(plain.split())
        return self[code]


class Likeness:
    """Looks for texts in one document; what it needs of the document it makes when first asked."""

    def __init__(self, text: str, plainer: Plainer) -> None:
        self._text = text
        self._plainer = plainer
        self._plain: str | None = None
        self._words: Words | None = None

    def respelt(self, quote: str) -> Place | None:
        """The first place where the quote stands but for spacing, case, forms and typography."""
        wanted = quote.translate(self._plainer)
        if self._plain is None:
            self._plain = self._text.translate(self._plainer)
        at = self._plain.find(wanted) if wanted else -1
        if at < 0:
            return None
        first = None
        ends = accumulate(len(self._plainer[ord(one)]) for one in self._text)
        for place, end in enumerate(ends):
            if first is None and end > at:
                first = place
            if end >= at + len(wanted):
                return first or 0, place + 1
        return None

    def nearest(self, quote: str) -> tuple[float, Place] | None:
        """How much of a quote, from 0 to 1, the passage holds that shares most with it.

        Each rare word of the quote votes for where the quote would begin; around the winner
        the passage is cut to what both have. None where that is too little.
        """
        if self._words is None:
            self._words = Words(self._text)
        words = self._words
        wanted = words.of(quote)[:LONGEST]
        votes: Counter[int] = Counter()
        rare = max(RARE, min((words.count(word) or len(words) for word in wanted), default=0))
        for place, word in enumerate(wanted):
            if words.count(word) <= rare:
                votes.update(at - place for at in words.places(word))
        if not votes:
            return None
        begin = _winner(votes, reach=min(8, 1 + len(wanted) // 8))
        low, high = max(0, begin - len(wanted) // 2), begin + len(wanted) * 3 // 2 + 1
        matcher = SequenceMatcher(None, wanted, words.between(low, high), autojunk=False)
        blocks = matcher.get_matching_blocks()[:-1]  # the last is a sentinel
        weights = [1 / (1 + log(max(1, words.count(word)))) for word in wanted]
        share = sum(sum(weights[a : a + size]) for a, _, size in blocks) / sum(weights)
        if share < ENOUGH:
            return None
        last = blocks[-1].b + blocks[-1].size - 1
        return share, words.span(low + blocks[0].b, low + last)


def _winner(votes: Counter[int], reach: int) -> int:
    """The place with most votes at it and around it, for words may have come in between."""
    around = range(-reach, reach + 1)
    return max(sorted(votes), key=lambda at: (sum(votes[at + by] for by in around), votes[at]))


class Words:
    """The words of a text: where each stands, and which places a word has."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts, self._ends = array("Q"), array("Q")
        self._at: dict[str, array[int]] = {}
        for found in _WORD.finditer(text):
            self._at.setdefault(found[0].casefold(), array("Q")).append(len(self._starts))
            self._starts.append(found.start())
            self._ends.append(found.end())

    def __len__(self) -> int:
        return len(self._starts)

    @staticmethod
    def of(text: str) -> list[str]:
        """The words of another text."""
        return [found[0].casefold() for found in _WORD.finditer(text)]

    def places(self, word: str) -> Sequence[int]:
        """The places of a word, counted in words."""
        return self._at.get(word, ())

    def count(self, word: str) -> int:
        """How often a word stands in the text."""
        return len(self._at.get(word, ()))

    def between(self, first: int, stop: int) -> list[str]:
        """The words from one place up to another."""
        spans = zip(self._starts[first:stop], self._ends[first:stop], strict=True)
        return [self._text[start:end].casefold() for start, end in spans]

    def span(self, first: int, last: int) -> Place:
        """Where the words from one place to another stand, counted in characters."""
        return self._starts[first], self._ends[last]


def difference(one: str, other: str) -> str:
    """Name what two texts differ in where they are the same without it; '' where they are not."""
    ways = dict(WAYS)
    if _all(one, ways.values()) != _all(other, ways.values()):
        return ""
    for name in WAYS:
        rest = [way for key, way in ways.items() if key != name]
        if _all(one, rest) == _all(other, rest):
            del ways[name]
    return " and ".join(ways)


def _all(text: str, ways: Iterable[Way]) -> str:
    for way in [*ways] * 2:  # what one leaves another may open up: twice settles it
        text = way(text)
    return text
