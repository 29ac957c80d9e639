"""Which texts can be ids, and how an id that is not known resembles one that is."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Literal

Rule = Literal["open", "narrow"]

LONGEST = 256
"""Characters of an id under the rule `open`."""

NARROW_LIST = 100
"""Ids that a list may hold under the rule `narrow`."""

EXPECTED: dict[Rule, str] = {
    "open": f"1 to {LONGEST} printable characters without white space at the ends",
    "narrow": "at most 32 lower-case letters, digits and hyphens, a letter first",
}

# Controls, line and paragraph ends, surrogates, and format characters that cannot be seen.
# A list of its own rather than str.isprintable, which changes with each Python's Unicode
# tables and refuses the joiners that emoji and several scripts are written with.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
_NARROW = re.compile(r"[a-z][a-z0-9-]{0,31}")
_NUMBER = re.compile(r"[+]?(-?)0*(\d+)(?:\.0*)?")
_SPACE = re.compile(r"\s+")


def malformed(text: str, rule: Rule = "open") -> str | None:
    """Say what keeps a text from being an id; None where nothing does."""
    if not text:
        return "an empty text"
    if text.strip() != text:
        return f"{show(text)}, which has white space at its ends"
    if len(text) > LONGEST:
        return f"{show(text)}, which has {len(text)} characters"
    if not (text.isascii() and text.isprintable()):
        hidden = _UNPRINTABLE.search(text)
        if hidden:
            return f"{show(text)}, which holds the unprintable U+{ord(hidden[0]):04X}"
    if rule == "narrow" and not _NARROW.fullmatch(text):
        return show(text)
    return None


def show(text: str, longest: int = 80) -> str:
    """Quote a text on one line, cut where it is long."""
    return repr(text) if len(text) <= longest else f"{text[:longest]!r}…"


def label(text: str) -> str:
    """An id as it stands in front of a message: bare where it prints, quoted otherwise."""
    return text if malformed(text) is None and len(text) <= LONGEST else show(text)


class Lookalikes:
    """Known ids, findable by what is left when case, spacing and normal form are gone."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = known
        self._folded: dict[str, str] | None = None

    def hint(self, text: str) -> str:
        """` ('doc-1' is one: differs in case)` for an unknown id; nothing where none is near."""
        if self._folded is None:
            self._folded = {}
            for one in sorted(self._known):
                self._folded.setdefault(_folded(one), one)
        near = self._folded.get(_folded(text))
        return (
            "" if near is None else f" ({show(near)} is one: differs in {difference(text, near)})"
        )


def difference(one: str, other: str) -> str:
    """Name what two ids differ in that are the same once folded."""
    ways = {
        "white space": _spaced,
        "Unicode normal form": lambda text: unicodedata.normalize("NFC", text),
        "Unicode compatibility form": lambda text: unicodedata.normalize("NFKC", text),
        "case": str.casefold,
        "characters that cannot be seen": lambda text: _UNPRINTABLE.sub("", text),
        "how the number is written": _number,
    }
    for name, way in ways.items():
        if way(one) == way(other):
            return name
    return "case, white space and normal form"


def _spaced(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def _number(text: str) -> str:
    found = _NUMBER.fullmatch(text.strip())
    return found[1] + found[2] if found else text


def _folded(text: str) -> str:
    seen = unicodedata.normalize("NFKC", _UNPRINTABLE.sub("", text)).casefold()
    return _number(_spaced(unicodedata.normalize("NFKC", seen)))
