"""Paths into JSON: `$.hits[*].doc.id`, as much of RFC 9535 as names one place or a list."""

import json
import re
from dataclasses import dataclass
from typing import Any

from pipeline.contract.errors import ConfigError
from pipeline.verbs.recording.rows import UnreadError

STEP = re.compile(
    r"""\.?(?P<name>[^\W\d][\w-]*) | \[(?P<at>\d{1,6})\] | \[(?P<each>\*)\]
      | \[(?P<quoted>"(?:[^"\\]|\\.)*")\]""",
    re.VERBOSE,
)
EXPECTED = 'a path such as $.hits[*].id, names with other characters as ["a b"]'


@dataclass(frozen=True)
class Path:
    """Steps from the top of a JSON value: a key, an index, or None for each of a list."""

    text: str
    steps: tuple[str | int | None, ...]

    @property
    def many(self) -> bool:
        """Whether it names more than one place."""
        return None in self.steps

    def find(self, value: Any) -> Any:
        """The value there; with `[*]` the list of all, in order, nothing left out.

        Raises:
            UnreadError: nothing is there.
        """
        found, many = [value], False
        for step in self.steps:
            many |= step is None
            found = [inner for one in found for inner in self._inside(one, step)]
        return found if many else found[0]

    def _inside(self, value: Any, step: str | int | None) -> list[Any]:
        if step is None and isinstance(value, list):
            return value
        if isinstance(step, str) and isinstance(value, dict) and step in value:
            return [value[step]]
        if isinstance(step, int) and isinstance(value, list) and step < len(value):
            return [value[step]]
        raise UnreadError(f"no value at {self.text} ({_lacking(value, step)})")


def parsed(text: str, where: str, *, many: bool = True) -> Path:
    """Read a path; a leading `$` may be there or not.

    Args:
        text: the path.
        where: the key that gave it, for messages.
        many: whether it may hold `[*]`.

    Raises:
        ConfigError: it is none.
    """
    rest = text.strip().removeprefix("$")
    steps: list[str | int | None] = []
    at = 0
    while at < len(rest):
        step = STEP.match(rest, at)
        if step is None or (step["each"] and not many):
            raise ConfigError(where, expected=EXPECTED, got=repr(text))
        steps.append(_step(step))
        at = step.end()
    if not steps:
        raise ConfigError(where, expected=EXPECTED, got=repr(text))
    return Path(text, tuple(steps))


def _step(found: re.Match[str]) -> str | int | None:
    if found["each"]:
        return None
    if found["at"]:
        return int(found["at"])
    return str(json.loads(found["quoted"])) if found["quoted"] else found["name"]


def _lacking(value: Any, step: str | int | None) -> str:
    """What there is in the place of what was looked for, by its kind: words may be private."""
    if isinstance(step, str) and isinstance(value, dict):
        keys = ", ".join(map(repr, list(value)[:8]))
        return f"no key {step!r} among {keys or 'no keys'}"[:160]
    if isinstance(step, int) and isinstance(value, list):
        return f"a list of {len(value)}"
    kinds = {dict: "an object", list: "a list", str: "a text", type(None): "null"}
    wanted = "an object" if isinstance(step, str) else "a list"
    return f"{kinds.get(type(value), 'a number or truth value')} where {wanted} belongs"
