"""Places of marks in the small drawings of the page, in units of their SVG, one decimal."""

from collections.abc import Iterable

WIDTH = 120
"""Of a drawing of an interval."""

EDGE = 4
"""Kept free on both sides, so that a mark at the end is whole."""


def place(value: float, span: tuple[float, float] = (0.0, 1.0), width: int = WIDTH) -> float:
    """Where a value stands between the ends of a scale that is `width` wide, edges kept free."""
    low, high = span
    share = (min(max(value, low), high) - low) / (high - low)
    return round(EDGE + share * (width - 2 * EDGE), 1)


def reach(means: Iterable[object]) -> float:
    """The scale on which all changes and their intervals fit: 0.1, 0.2, 0.5 or 1 each way."""
    ends = [0.0]
    for mean in means:
        delta, interval = getattr(mean, "delta", None), getattr(mean, "interval", None)
        ends += [abs(end) for end in (delta, *(interval or ())) if end is not None]
    return next((step for step in (0.1, 0.2, 0.5) if max(ends) <= step), 1.0)


def share(part: int, whole: int) -> float:
    """A part in percent of the whole, two decimals; 0 of nothing."""
    return round(100 * part / whole, 2) if whole else 0.0


def signed(value: float, digits: int = 4) -> str:
    """A change with its sign, `−0.0833`; the minus is as wide as the plus."""
    return f"{value:+.{digits}f}".replace("-", "−")
