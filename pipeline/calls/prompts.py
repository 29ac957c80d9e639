"""Prompt templates: files of conf/prompts/, or words in conf itself."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pipeline.calls.call import Message
from pipeline.contract.errors import ConfigError

PROMPTS = Path("conf") / "prompts"
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
HEAD = re.compile(r"revision: *(\S+)\n")
ROLE = re.compile(r"^## (system|user)\n", re.MULTILINE)
INLINE = "inline"
"""Revision of a prompt that stands in conf itself: its hash says all."""


@dataclass(frozen=True)
class Template:
    """Messages with places `{name}` to fill.

    Attributes:
        name: of its file, or `inline`.
        revision: as the file says.
        text: the whole file.
        parts: role and words of each message.
    """

    name: str
    revision: str
    text: str
    parts: tuple[tuple[str, str], ...]

    @property
    def identity(self) -> dict[str, str]:
        """What a manifest says of it."""
        digest = sha256(self.text.encode()).hexdigest()
        return {"name": self.name, "revision": self.revision, "sha256": digest}

    def messages(self, values: Mapping[str, str]) -> tuple[Message, ...]:
        """Fill every place at once: what a value holds is never read as a place."""
        place = re.compile("|".join(re.escape(f"{{{name}}}") for name in values))
        return tuple(
            {"role": role, "content": place.sub(lambda at: values[at[0][1:-1]], words)}
            for role, words in self.parts
        )


def template(prompt: str, places: frozenset[str], where: str) -> Template:
    """Load the template that `prompt` names, or is.

    Args:
        prompt: a file of conf/prompts/ without its ending, or the words of a user's message.
        places: names that have to stand in it as `{name}`.
        where: the key of conf/ that errors name.

    Raises:
        ConfigError: there is no such file, it is no template, or a place is missing.
    """
    made = _file(prompt, where) if NAME.fullmatch(prompt) else _inline(prompt)
    words = "".join(words for _, words in made.parts)
    missing = sorted(name for name in places if f"{{{name}}}" not in words)
    if missing:
        got = f"none in {made.name}"
        raise ConfigError(where, expected=" and ".join(f"{{{n}}}" for n in missing), got=got)
    return made


def _inline(text: str) -> Template:
    return Template(INLINE, INLINE, text, (("user", text),))


def _file(name: str, where: str) -> Template:
    path = PROMPTS / f"{name}.md"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        found = ", ".join(sorted(file.stem for file in PROMPTS.glob("*.md"))) or "none"
        raise ConfigError(where, expected=f"a file of {PROMPTS} ({found})", got=name) from error
    except UnicodeDecodeError as error:
        raise ConfigError(str(path), expected="text in UTF-8", got=str(error)) from error
    head = HEAD.match(text)
    if head is None:
        raise ConfigError(str(path), expected="`revision: …` as its first line", got="none")
    before, *found_parts = ROLE.split(text[head.end() :])
    parts = tuple(zip(found_parts[::2], map(str.strip, found_parts[1::2]), strict=True))
    if before.strip() or not any(role == "user" for role, _ in parts):
        expected = "messages below `## system` and `## user`, and nothing before them"
        raise ConfigError(str(path), expected=expected, got="others")
    return Template(name, head[1], text, parts)
