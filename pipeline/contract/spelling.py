"""Spells what is harmful to show: one line of text, whatever stands in people's data."""

import unicodedata

JOINERS = "\u200c\u200d"
"""Zero-width joiners: invisible, but emoji and several scripts need them."""

ISOLATE, POP = "\u2068", "\u2069"
"""Keep a right-to-left word from turning the numbers behind it around."""


def clean(text: str) -> str:
    r"""Return `text` as one harmless line.

    Control and formatting characters (terminal escapes, line breaks, bidirectional
    overrides, byte-order marks) come out spelled, as `\x1b`; words that run from right to
    left are isolated, so that what follows them stays in place.
    """
    if text.isascii() and text.isprintable():
        return text
    spelled = "".join(map(_spelled, text))
    if any(unicodedata.bidirectional(character) in ("R", "AL") for character in spelled):
        return f"{ISOLATE}{spelled}{POP}"
    return spelled


def _spelled(character: str) -> str:
    harmful = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    if harmful and character not in JOINERS:
        return character.encode("unicode_escape").decode("ascii")
    return character
