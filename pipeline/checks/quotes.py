"""Quotes: whether the text that an annotator saw still stands at its span, or where else."""

from collections.abc import Iterator
from itertools import islice

from pipeline.contract.records import Mark

SHOWN = 3
"""Places of a text that stands more than once that a message names."""


def inside(mark: Mark, text: str) -> bool:
    """Whether a mark without a span, or its span, fits into the document's text."""
    if mark.start is None or mark.end is None:
        return True
    return 0 <= mark.start < mark.end <= len(text)


def stands(mark: Mark, text: str) -> bool:
    """Whether a mark has no quote or no span to compare, or its quote stands at its span."""
    if mark.quote is None or mark.start is None or mark.end is None:
        return True
    return inside(mark, text) and text[mark.start : mark.end] == mark.quote


def places(quote: str, text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each place where a quote that is not empty stands, overlaps included."""
    start = text.find(quote)
    while start >= 0:
        yield start, start + len(quote)
        start = text.find(quote, start + 1)


def listed(found: Iterator[tuple[int, int]]) -> str:
    """The first few places in words."""
    first = list(islice(found, SHOWN + 1))
    more = ", …" if len(first) > SHOWN else ""
    return ", ".join(f"{start}–{end}" for start, end in first[:SHOWN]) + more


def whereabouts(quote: str, text: str) -> str:
    """Where a quote that left its span went: `moved to 120–180`, or that it is gone."""
    found = listed(places(quote, text)) if quote else ""
    return f"moved to {found}" if found else "not in the document"


def span(mark: Mark) -> str:
    """The span of a mark in words."""
    return f"{mark.start}–{mark.end}"
