"""Lines that are safe to print and fit the terminal, whatever stands in people's data."""

import os
import shutil
import sys
from collections.abc import Iterable
from typing import Literal, NamedTuple

from pipeline.contract.spelling import ISOLATE, POP
from pipeline.contract.spelling import clean as clean

Style = Literal["", "bold", "dim", "red", "green", "yellow"]

WIDEST = 100
"""Columns beyond which a line is hard to read; wider terminals are not filled."""

GLUE = "\ue000"
"""Stands for a space at which a line is not to be broken, while it is being set."""


class Line(NamedTuple):
    """One printed line and how it is set off on a terminal that has colours."""

    text: str
    style: Style = ""


def cells(text: str) -> int:
    """How many columns a terminal needs for a cleaned line; wide characters take two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text.replace(ISOLATE, "").replace(POP, ""))


def padded(text: str, columns: int) -> str:
    """Fill a cleaned text up to `columns` with spaces; a longer one stays whole."""
    return text + " " * max(0, columns - cells(text))


def wrapped(text: str, columns: int, *, first: str = "", rest: str | None = None) -> list[str]:
    """Break a cleaned text into lines of at most `columns`, after a `first` indent.

    Args:
        text: one line, cleaned; broken at spaces, and inside a word that is too long.
        columns: the width, indent included.
        first: what the first line begins with.
        rest: what the other lines begin with; as many spaces as `first` by default.
    """
    rest = " " * cells(first) if rest is None else rest
    lines, line = [], first
    empty = True
    for word in text.split(" "):
        while True:
            joined = line + word if empty else f"{line} {word}"
            if cells(joined) <= columns or (empty and cells(line) >= columns - 1):
                line, empty = joined, False
                break
            if empty:
                head = _head(word, columns - cells(line))
                lines.append(line + head)
                word = word[len(head) :]
            else:
                lines.append(line)
            line, empty = rest, True
    return [*lines, line]


def listed(items: Iterable[str], columns: int, *, first: str, rest: str | None = None) -> list[str]:
    """Set cleaned items one after the other, none of them broken unless it has to be."""
    room = columns - max(cells(first), cells(rest or "")) - 1
    kept = ", ".join(item.replace(" ", GLUE) if cells(item) <= room else item for item in items)
    return [line.replace(GLUE, " ") for line in wrapped(kept, columns, first=first, rest=rest)]


def _head(word: str, columns: int) -> str:
    """The longest start of `word` that fits, at least one character."""
    end = max(1, min(len(word), columns))
    while end > 1 and cells(word[:end]) > columns:
        end -= 1
    return word[:end]


def block(text: str, columns: int, *, indent: str, limit: int | None) -> list[str]:
    """Set a longer text, line breaks kept, as indented lines.

    Args:
        text: as it stands in the data.
        columns: the width, indent included.
        indent: what each line begins with.
        limit: code points after which it is clipped, with a note; None: never.
    """
    shown = text if limit is None or len(text) <= limit else text[:limit]
    lines = []
    for line in shown.replace("\r\n", "\n").expandtabs(4).split("\n"):
        lines += [part.rstrip() for part in wrapped(clean(line), columns, first=indent)]
    if len(shown) < len(text):
        lines.append(f"{indent}[… {len(text) - len(shown):,} characters more: --full shows them]")
    return lines


def fitted(text: str, columns: int) -> str:
    """The start of a cleaned text that fits in `columns`, with an ellipsis where it is cut."""
    if cells(text) <= columns:
        return text
    inner = text.strip(ISOLATE + POP)
    head = _head(inner, max(1, columns - 1)).rstrip() + "…"
    return f"{ISOLATE}{head}{POP}" if text.startswith(ISOLATE) else head


def columns() -> int:
    """Width to set the page in: the terminal's, at most `WIDEST`, 80 where there is none."""
    return max(40, min(WIDEST, shutil.get_terminal_size((80, 24)).columns))


def emit(lines: Iterable[Line]) -> None:
    """Print lines; with colour on a terminal, as bare text anywhere else.

    Where a reader has left (`| head`) the rest goes nowhere: what a verb found, and so its exit
    code, does not depend on who reads it.
    """
    try:
        _print(lines)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print(lines: Iterable[Line]) -> None:
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    if not (colour and any(line.style for line in lines)):
        for line in lines:
            print(_encodable(line.text))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for line in lines:
        console.print(Text(_encodable(line.text), style=line.style), soft_wrap=True)


def _encodable(text: str) -> str:
    """Spell what the terminal's encoding lacks, rather than end in an error."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
