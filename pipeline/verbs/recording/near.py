"""How like a text and a document are, and where they first differ."""

from dataclasses import dataclass

WIDTH = 8
"""Code points of a shingle."""
SHOWN = 24
"""Characters of each side that are shown from the first differing place on."""


@dataclass(frozen=True)
class Near:
    """The document that is most like a text that none holds.

    Attributes:
        doc: its row.
        score: shingles of the text that it holds, over those of the text; below 1 for all
            but texts that hold the same shingles in another order.
        second: the same of the next document; 0 where there is none.
        at: the first place of the text, from 0, that differs; white space is folded.
        here: the text from there on.
        there: the document from there on; empty where it ends.
    """

    doc: int
    score: float
    second: float
    at: int
    here: str
    there: str


def nearest(text: str, candidates: dict[int, str]) -> Near | None:
    """Which of the documents is most like a text; of equals the first. None: none is at all.

    Args:
        text: folded.
        candidates: folded documents by row.
    """
    wanted = shingles(text)
    scored = sorted(
        ((-len(wanted & shingles(words, min(WIDTH, len(text)))) / len(wanted), doc))
        for doc, words in candidates.items()
    )
    if not scored or not scored[0][0]:
        return None
    score, doc = scored[0]
    at, there = difference(text, candidates[doc])
    second = -scored[1][0] if len(scored) > 1 else 0.0
    return Near(doc, -score, second, at, text[at : at + SHOWN], there)


def shingles(text: str, width: int | None = None) -> set[str]:
    """Every run of `WIDTH` code points, of a shorter text itself."""
    width = min(WIDTH, len(text)) if width is None else width
    return {text[at : at + width] for at in range(len(text) - width + 1)}


def difference(text: str, document: str) -> tuple[int, str]:
    """The first place where a text leaves a document, and how the document goes on there.

    They are laid side by side by the text's first run of characters that the document holds,
    where it occurs more than once by the occurrence after which they agree the longest.
    """
    width = min(WIDTH, len(text))
    start = next(
        (at for at in range(len(text) - width + 1) if text[at : at + width] in document), None
    )
    if start is None:
        return 0, ""
    best = (-1, 0)
    place = document.find(text[start : start + width])
    while place >= 0:
        best = max(best, (_agreed(text, document, start, place), -place))
        place = document.find(text[start : start + width], place + 1)
    shift = -best[1] - start
    if start > 0:  # what stands before the first common run differs somewhere
        begin = max(0, shift)
        return max(0, -shift), document[begin : begin + SHOWN]
    return best[0], document[shift + best[0] : shift + best[0] + SHOWN]


def _agreed(text: str, document: str, start: int, place: int) -> int:
    """How many characters from `start` of the text on agree with those from `place` on."""
    length = min(len(text) - start, len(document) - place)
    one, other = text[start : start + length], document[place : place + length]
    if one == other:
        return length
    return next(at for at in range(length) if one[at] != other[at])
