"""Cells that a spreadsheet takes for text, and back."""

GUARD = "'"
STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", GUARD)
"""What makes a spreadsheet take a cell for a formula, and the guard itself."""


def escape(cell: str) -> str:
    """Put an apostrophe in front of what could be a formula.

    >>> escape("=1+1"), escape("plain")
    ("'=1+1", 'plain')
    """
    return GUARD + cell if cell.startswith(STARTS) else cell


def unescape(cell: str) -> str:
    """Take the apostrophe off that `escape` put there; other cells stay as they are."""
    guarded = cell.startswith(GUARD) and cell[1:].startswith(STARTS)
    return cell[1:] if guarded else cell
