"""Where an endpoint is and what opens it, without a secret ever standing in conf/."""

import os
from urllib.parse import urlsplit

from pipeline.contract.errors import ConfigError

SHORTEST = 6
"""Characters of a key that is worth hiding: a shorter one would blot out common words."""


def check_url(base_url: str, where: str) -> None:
    """Refuse a base URL that is none, or that carries a secret.

    Raises:
        ConfigError: it is not http(s), or it holds a user, a password or a query.
    """
    try:
        parts = urlsplit(base_url)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        good = False
    if not good:
        got = "another text"
    elif "@" in parts.netloc or parts.query:
        got = "one with a user, a password or a query, which would be recorded"
    else:
        return
    raise ConfigError(where, expected="a URL like https://host/v1", got=got)


def secret(name: str | None, where: str) -> str | None:
    """The key that lies in the environment variable `name`; None: no name, no key.

    Raises:
        ConfigError: the variable is not set.
    """
    if name is None:
        return None
    key = os.environ.get(name, "").strip()
    if not key:
        raise ConfigError(
            where,
            expected="the name of an environment variable that holds the key",
            got=f"{name}, which is not set",
        )
    return key


def hidden(text: str, key: str | None) -> str:
    """The text with the key in it as `[key]`."""
    return text.replace(key, "[key]") if key and len(key) >= SHORTEST else text
