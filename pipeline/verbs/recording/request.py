"""A question set into the request of an endpoint: as a value of JSON, never as its text."""

import json
import os
import re
from typing import Any
from urllib.parse import urlencode

from pipeline.calls.call import Call
from pipeline.contract.errors import ConfigError
from pipeline.settings.endpoints import hidden
from pipeline.verbs.recording.source import Http

PLACE = re.compile(r"\{(question|question_id)\}")
VARIABLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


def asked(call: Call) -> dict[str, str]:
    """The question and its id, as the call carries them."""
    return {message["role"]: message["content"] for message in call.messages}


def filled(value: Any, words: dict[str, str]) -> Any:
    """The value with its places filled, at once: what a question holds is not filled again."""
    if isinstance(value, str):
        return PLACE.sub(lambda found: words[found[1]], value)
    if isinstance(value, list):
        return [filled(one, words) for one in value]
    if isinstance(value, dict):
        return {key: filled(one, words) for key, one in value.items()}
    return value


def address(http: Http, words: dict[str, str]) -> str:
    """The URL with its parameters."""
    query = filled(http.query, words)
    return f"{http.url}?{urlencode(query, doseq=True)}" if query else http.url


def body(http: Http, words: dict[str, str]) -> bytes | None:
    """The JSON that is sent; None: there is none."""
    if http.body is None:
        return None
    return json.dumps(filled(http.body, words), ensure_ascii=False).encode()


def shown(http: Http, words: dict[str, str]) -> dict[str, Any]:
    """The request as it may be kept: secrets are named by their variables."""
    return {
        "method": http.method,
        "url": address(http, words),
        "headers": {**http.headers, **http.secrets},
        "body": filled(http.body, words),
    }


class Secrets:
    """Values of the environment variables that headers name: they leave it in headers only."""

    def __init__(self, named: dict[str, str]) -> None:
        """Read the variables.

        Raises:
            ConfigError: a header names none, or one that is not set or cannot be sent.
        """
        self._values: dict[str, str] = {}
        for header, text in named.items():
            where = f"http.secrets.{header}"
            names = VARIABLE.findall(text)
            if not names:
                expected = 'a text that names an environment variable, as "Bearer {RAG_TOKEN}"'
                raise ConfigError(where, expected=expected, got="a text without any")
            for name in names:
                self._values[name] = _value(name, where)
        self._headers = {
            header: VARIABLE.sub(lambda found: self._values[found[1]], text)
            for header, text in named.items()
        }

    @property
    def headers(self) -> dict[str, str]:
        """Headers with the secrets in them."""
        return dict(self._headers)

    def hide(self, text: str) -> str:
        """The text without any secret, also where JSON spells one with escapes."""
        for value in sorted(self._values.values(), key=len, reverse=True):
            for spelled in (value, json.dumps(value)[1:-1]):
                text = hidden(text, spelled)
        return text


def _value(name: str, where: str) -> str:
    value = os.environ.get(name, "").strip()
    if not value:
        raise ConfigError(where, expected=f"the environment variable {name}", got="it is not set")
    if not (value.isascii() and value.isprintable()):
        got = "one with characters that no header can hold"
        raise ConfigError(where, expected=f"a value of {name} in printable ASCII", got=got)
    return value
