"""What is read of a reply: what was retrieved, the answer, what it cites."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from pipeline.verbs.recording.paths import Path, parsed
from pipeline.verbs.recording.rows import Item, UnreadError
from pipeline.verbs.recording.source import Reply

Taken = TypeVar("Taken")

MARKS = "marks"
"""Citations that stand as `[n]` in the answer."""


@dataclass(frozen=True)
class Read:
    """One reply, read."""

    items: tuple[Item, ...]
    answer: str | None
    citations: tuple[str, ...] | None


class Paths:
    """Reads replies by paths."""

    def __init__(self, reply: Reply) -> None:
        """Parse the paths.

        Raises:
            ConfigError: one of them is none.
        """
        self._ids = _path(reply.ids, "reply.ids")
        self._texts = _path(reply.texts, "reply.texts")
        self._answer = _path(reply.answer, "reply.answer", many=False)
        cited = None if reply.citations == MARKS else reply.citations
        self._citations = _path(cited, "reply.citations")

    def read(self, value: Any) -> Read:
        """Read a reply.

        Raises:
            UnreadError: something is not there, or not of its kind.
        """
        ids = _at(self._ids, value, partial(_names, some=self._texts is None))
        texts = _at(self._texts, value, _words)
        if ids is not None and texts is not None and len(ids) != len(texts):
            raise UnreadError(f"{len(ids)} ids and {len(texts)} texts: as many of each belong")
        count = len(ids if ids is not None else texts or ())
        items = tuple(
            Item(ids[at] if ids else None, texts[at] if texts else None) for at in range(count)
        )
        cited = _at(self._citations, value, _names)
        known = None if cited is None else tuple(one for one in cited if one is not None)
        return Read(items, _at(self._answer, value, _text), known)


class Mapping:
    """Reads what a plug-in gives: retrieved (ids of the corpus, or texts), answer, citations."""

    def __init__(self, known: Collection[str]) -> None:
        """Take the ids of the corpus: any other text is taken for words of a document."""
        self._known = known

    def read(self, value: Any) -> Read:
        """Read a reply.

        Raises:
            UnreadError: something is not there, or not of its kind.
        """
        if "retrieved" not in value:
            raise UnreadError("no retrieved in the reply")
        listed = _words(value["retrieved"], "retrieved")
        items = tuple(Item(id=one) if one in self._known else Item(text=one) for one in listed)
        answer = value.get("answer")
        cited = value.get("citations")
        return Read(
            items,
            None if answer is None else _text(answer, "answer"),
            None if cited is None else tuple(_words(cited, "citations")),
        )


def _at(path: Path | None, value: Any, take: Callable[[Any, str], Taken]) -> Taken | None:
    """What is taken of the value at a path; None: there is no path."""
    return None if path is None else take(path.find(value), path.text)


def _path(text: str | None, where: str, *, many: bool = True) -> Path | None:
    return None if text is None else parsed(text, where, many=many)


def _names(value: Any, place: str, *, some: bool = True) -> list[str | None]:
    """Ids: texts, or whole numbers as they are written; null where texts stand beside them."""
    if not isinstance(value, list):
        raise UnreadError(f"no list at {place}")
    found: list[str | None] = []
    for one in value:
        if isinstance(one, str) or (one is None and not some):
            found.append(one)
        elif isinstance(one, int) and not isinstance(one, bool):
            found.append(str(one))
        else:
            raise UnreadError(f"no id at {place}[{len(found)}]")
    return found


def _words(value: Any, place: str) -> list[str]:
    if not isinstance(value, list):
        raise UnreadError(f"no list at {place}")
    return [_text(one, f"{place}[{at}]") for at, one in enumerate(value)]


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise UnreadError(f"no text at {place}")
    return value
