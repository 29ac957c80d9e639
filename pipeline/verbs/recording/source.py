"""The YAML of a live system -> typed values: where it is, what is sent, what is read, how."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from pipeline.calls.batch import Handling
from pipeline.contract.errors import ConfigError, nearest
from pipeline.settings.building import build
from pipeline.settings.endpoints import check_url
from pipeline.stages.compose import read_yaml

Whole = Annotated[int, Meta(ge=1)]
Text = Annotated[str, Meta(min_length=1)]

SECTIONS = ("http", "plugin", "reply", "calls")
HTTP: dict[str, Any] = {"method": "POST", "headers": {}, "secrets": {}, "query": {}, "body": None}
REPLY: dict[str, Any] = {"ids": None, "texts": None, "answer": None, "citations": None}
CALLS: dict[str, Any] = {
    "revision": "1", "concurrency": 4, "rpm": None, "timeout": 60, "deadline": 300, "retries": 4,
}  # fmt: skip
PLACES = ("{question}", "{question_id}")
SECRET_HEADER = re.compile(r"auth|cookie|token|secret|password|key", re.IGNORECASE)
SECRET_FIELD = re.compile(
    r"(x[-_])?api[-_]?key|password|secret|(access|auth|bearer)[-_]?token|token|authorization",
    re.IGNORECASE,
)
NAMED = "under http.secrets, as a header whose value names an environment variable"


@dataclass(frozen=True)
class Http:
    """An endpoint; `secrets` are headers whose `{NAME}` is an environment variable's value."""

    url: str
    method: Literal["POST", "PUT", "GET"]
    headers: dict[str, str]
    secrets: dict[str, str]
    query: dict[str, Any]
    body: Any


@dataclass(frozen=True)
class Reply:
    """Paths into a reply; `citations` may be `marks`, which are read from the answer."""

    ids: Text | None
    texts: Text | None
    answer: Text | None
    citations: Text | None


@dataclass(frozen=True)
class Calls:
    """How questions are asked; only `revision` tells old replies from new ones."""

    revision: Text
    concurrency: Whole
    rpm: Annotated[float, Meta(gt=0)] | None
    timeout: Annotated[float, Meta(gt=0)]
    deadline: Annotated[float, Meta(gt=0)]
    retries: Annotated[int, Meta(ge=0)]

    @property
    def handling(self) -> Handling:
        """As a batch of calls takes it."""
        return Handling(self.concurrency, self.rpm, self.timeout, self.deadline, self.retries)


@dataclass(frozen=True)
class Source:
    """A live system: an endpoint or a plug-in's entry point, one of the two."""

    http: Http | None
    plugin: str | None
    reply: Reply
    calls: Calls


def read(path: Path) -> Source:
    """Read the file.

    Raises:
        ConfigError: it is not there, or a key or value in it is not right.
    """
    given = read_yaml(path)
    for key in given:
        if key not in SECTIONS:
            expected = "a known key" + nearest(str(key), SECTIONS)
            raise ConfigError(str(path), expected=expected, got=repr(key))
    there = [key for key in ("http", "plugin") if given.get(key) is not None]
    if len(there) != 1:
        got = " and ".join(there) or "neither"
        raise ConfigError(str(path), expected="http or plugin", got=got)
    http = _http(build(Http, _over(HTTP, given, "http"), "http")) if there == ["http"] else None
    plugin = given.get("plugin")
    if plugin is not None and not (isinstance(plugin, str) and plugin):
        raise ConfigError("plugin", expected="the name of an entry point", got=repr(plugin))
    reply = build(Reply, _over(REPLY, given, "reply"), "reply")
    if http is not None and not (reply.ids or reply.texts):
        raise ConfigError("reply", expected="ids or texts, a path each", got="neither")
    calls = _over(CALLS, given, "calls")
    calls["revision"] = str(calls["revision"])  # 1 and "1" are the same to people
    return Source(http, plugin, reply, build(Calls, calls, "calls"))


def _over(defaults: dict[str, Any], given: dict[str, Any], section: str) -> dict[str, Any]:
    values = given.get(section) or {}
    if not isinstance(values, dict):
        raise ConfigError(section, expected="a mapping", got=repr(values)[:80])
    return {**defaults, **values}


def _http(made: Http) -> Http:
    check_url(made.url, "http.url")
    for name in made.headers:
        if SECRET_HEADER.search(name):
            raise ConfigError(f"http.headers.{name}", expected=f"it {NAMED}", got="a plain value")
    for part, value in (("query", made.query), ("body", made.body)):
        _no_secret(value, f"http.{part}")
    try:
        asked = json.dumps([made.query, made.body], ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ConfigError("http.body", expected="values that JSON has", got=str(error)) from error
    if not any(place in asked for place in PLACES):
        expected = "{question} or {question_id} in some text of it"
        raise ConfigError("http.body", expected=expected, got="neither")
    if made.method == "GET" and made.body is not None:
        raise ConfigError("http.body", expected="none with GET (see http.query)", got="one")
    return made


def _no_secret(value: Any, where: str) -> None:
    """Refuse a field whose name says that a secret stands in it."""
    if isinstance(value, list):
        for at, one in enumerate(value):
            _no_secret(one, f"{where}[{at}]")
    for key, one in value.items() if isinstance(value, dict) else ():
        if SECRET_FIELD.fullmatch(str(key)) and one not in (None, *PLACES):
            raise ConfigError(f"{where}.{key}", expected=f"it {NAMED}", got="a plain value")
        _no_secret(one, f"{where}.{key}")
