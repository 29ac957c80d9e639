"""TREC's files with tags: records such as <doc> … </doc>, and the elements in them.

They look like SGML and seldom are: without a root or with one, in either case of letters,
closed or not. So what is read is what the tags say, and everything else is named.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import unescape

from pipeline.checks.ids import show

Fail = Callable[[int, str, str], None]
"""Takes a fault: line, what was expected, what was found."""

TAG = re.compile(r"<(/?)([A-Za-z][\w.-]*)(?:\s[^<>]*)?/?>")
PROLOGUE = re.compile(r"<\?.*?\?>|<![^>]*>", re.DOTALL)
ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z]\w*);")


@dataclass
class Tagged:
    """One record: the line on which it begins, and its elements by name, in lower case.

    An element that is there several times has several texts.
    """

    line: int
    elements: dict[str, list[str]] = field(default_factory=dict)

    def text(self, names: tuple[str, ...]) -> str:
        """The texts of these elements, in this order, with an empty line between them."""
        texts = [text for name in names for text in self.elements.get(name, ())]
        return "\n\n".join(filter(None, texts))


def records(text: str, name: str, fail: Fail) -> Iterator[Tagged]:
    """Yield the records of a file.

    An element ends at its own closing tag or, where that is missing, at the next opening one.
    Tags within it are left out, entities are read as characters.

    Args:
        text: the file.
        name: the tag of a record, such as `doc`.
        fail: takes faults: words outside of records, a record that does not end.
    """
    opening = re.compile(rf"<{name}(?:\s[^<>]*)?>", re.IGNORECASE)
    closing = re.compile(rf"</{name}\s*>", re.IGNORECASE)
    at, line = 0, 1
    while True:
        start = opening.search(text, at)
        _stray(text[at : start.start() if start else len(text)], name, line, fail)
        if start is None:
            return
        line += text.count("\n", at, start.end())
        end, following = (tag.search(text, start.end()) for tag in (closing, opening))
        stop, at = (end.start(), end.end()) if end else (len(text), len(text))
        if following and following.start() < at:
            fail(line, f"</{name}> at the end of the record", f"another <{name}>")
            stop = at = following.start()
        elif end is None:
            fail(line, f"</{name}> at the end of the record", "the end of the file")
        yield Tagged(line, _elements(text[start.end() : stop]))
        line += text.count("\n", start.end(), at)


def _stray(between: str, name: str, line: int, fail: Fail) -> None:
    """Refuse words outside of records; a root, a declaration and comments are none."""
    left = TAG.sub("", PROLOGUE.sub("", between)).strip()
    if left:
        line += between[: between.find(left.split()[0])].count("\n")
        fail(line, f"nothing outside of <{name}> … </{name}>", show(" ".join(left.split()), 40))


def _elements(body: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    tags = list(TAG.finditer(body))
    closed = 0
    for at, tag in enumerate(tags):
        if tag.start() < closed or tag[1]:
            continue
        name = tag[2].lower()
        later = tags[at + 1 :]
        same = next((one for one in later if one[2].lower() == name), None)
        if same is not None and same[1]:
            stop, closed = same.start(), same.end()
        else:
            following = next((one for one in later if not one[1]), None)
            stop = closed = following.start() if following else len(body)
        inside = TAG.sub("", body[tag.end() : stop])
        found.setdefault(name, []).append(ENTITY.sub(lambda one: unescape(one[0]), inside).strip())
    return found
