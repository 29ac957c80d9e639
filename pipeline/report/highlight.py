"""Where marked evidence stands within a shown text, as JavaScript counts.

Offsets of labels count code points; a string in a browser counts UTF-16 code units, of which
a character outside the Basic Multilingual Plane takes two.
"""

from collections.abc import Iterable

Span = tuple[int, int]


def highlights(text: str, start: int, marks: Iterable[Span]) -> list[Span]:
    """Find the marked parts of a text.

    Args:
        text: what is shown.
        start: code point of the document at which it begins.
        marks: `[start, end)` spans of the document, in code points, in any order.

    Returns:
        Spans of the text in UTF-16 code units, ascending and apart: marks that touch or
        overlap are one, what lies outside the text is cut off.
    """
    clipped = sorted(
        (max(first - start, 0), min(last - start, len(text)))
        for first, last in marks
        if first - start < len(text) and last - start > 0
    )
    joined: list[Span] = []
    for first, last in clipped:
        if joined and first <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        elif first < last:
            joined.append((first, last))
    if text.isascii():
        return joined
    return [(_units(text[:first]), _units(text[:last])) for first, last in joined]


def _units(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)
