"""Puts values into the page so that none of them can become markup or script."""

import json
from typing import Any

from markupsafe import Markup

ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
"""Characters that could end a script element or a line of it, spelled as JSON allows."""


def script_json(value: Any) -> Markup:
    """Write JSON for the inside of a script element; ASCII only where the markup could end."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.translate(ESCAPES))


def own_script(source: str) -> Markup:
    """Our own script or a bundled one as the content of a script element.

    Raises:
        ValueError: it holds what would end the element.
    """
    if "</script" in source.lower() or "<!--" in source:
        raise ValueError("script: expected no end of its element within it, got one")
    return Markup(source)
