"""Long texts of the page: each kept once, compressed in blocks that are opened when needed."""

import json
from base64 import b64encode
from typing import Any
from zlib import MAX_WBITS, compressobj

BLOCK = 256 * 1024
"""Characters after which a block is closed: small enough to open at once, large enough to pack."""

LEVEL = 6
"""Of compression: higher ones take twice the time for a few percent."""


class Store:
    """Values numbered in the order in which they came, in blocks of their JSON.

    Attributes:
        starts: number of the first value of each block.
        blocks: each a gzip stream of a JSON list, in base64; without a time, so that equal
            values give equal bytes.
    """

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.blocks: list[str] = []
        self._open: list[str] = []
        self._length = 0
        self._count = 0

    def add(self, value: Any) -> int:
        """Keep a value that JSON can hold; return its number."""
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        if not self._open:
            self.starts.append(self._count)
        self._open.append(text)
        self._length += len(text)
        self._count += 1
        if self._length >= BLOCK:
            self.close()
        return self._count - 1

    def close(self) -> None:
        """Close the last block; afterwards all values are in `blocks`."""
        if self._open:
            content = f"[{','.join(self._open)}]".encode()
            packed = compressobj(LEVEL, wbits=MAX_WBITS | 16)
            gzipped = packed.compress(content) + packed.flush()
            self.blocks.append(b64encode(gzipped).decode("ascii"))
            self._open, self._length = [], 0


class Texts(Store):
    """Texts of which equal ones have one number."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Return the number of a text, which is kept when it is new."""
        if text not in self._known:
            self._known[text] = self.add(text)
        return self._known[text]
