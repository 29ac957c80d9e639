"""Reads a report as a browser without scripts would: elements, texts, and the packed data."""

import gzip
import json
from base64 import b64decode
from html.parser import HTMLParser
from typing import Any


class Page(HTMLParser):
    """What stands in the page: `text` that is seen, `names` of elements, scripts by id."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.names: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[str, str]] = []
        self._inside: str | None = None
        self.feed(page)
        self.close()

    @property
    def text(self) -> str:
        """What is seen, with single spaces."""
        return " ".join(" ".join(self.seen).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self._inside = dict(attrs).get("id") or tag
            self.scripts.append((self._inside, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside:
            name, content = self.scripts[-1]
            self.scripts[-1] = (name, content + data)
        else:
            self.seen.append(data)

    def data(self) -> dict[str, Any]:
        """The table's data."""
        found: dict[str, Any] = json.loads(dict(self.scripts)["data"])
        return found

    def packed(self, kind: str) -> list[Any]:
        """All values of the blocks of one kind."""
        blocks = [content for name, content in self.scripts if name.startswith(f"{kind}-")]
        return [value for one in blocks for value in json.loads(gzip.decompress(b64decode(one)))]
