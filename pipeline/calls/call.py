"""A call: what is asked of which model, and the hash that names it."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from pipeline.contract.files import canonical

Message = Mapping[str, str]
"""`role` and `content`."""
Structured = bool | Literal["json_object"]


@dataclass(frozen=True)
class Target:
    """The model that is asked.

    Attributes:
        base_url: an OpenAI-compatible endpoint, `https://host/v1`.
        model: its name there.
        api_key_env: name of the environment variable that holds the key; None: no key.
        settings: further fields of the request (temperature, limits), sent as they are; a
            `seed` grows by one with each repeat.
        structured: whether a call's schema is sent along, as OpenAI takes it; or
            `json_object`, as llama-cpp-python's server and others do; a server without
            structured output refuses one.
    """

    base_url: str
    model: str
    api_key_env: str | None
    settings: Mapping[str, Any]
    structured: Structured = True


@dataclass(frozen=True)
class Call:
    """One question to a model.

    Attributes:
        kind: what it is for, in a word (`answer`, `support`, …).
        revision: of the prompt that the messages were made from.
        messages: what is sent.
        repeat: which of several draws for the same messages, from 1.
        schema: JSON Schema that the answer is to fit; None: free text.
    """

    kind: str
    revision: str
    messages: tuple[Message, ...]
    repeat: int = 1
    schema: Mapping[str, Any] | None = None

    def request(self, target: Target) -> dict[str, Any]:
        """The body that is sent to the target."""
        body = {"model": target.model, "messages": list(self.messages), **target.settings}
        if body.get("seed") is not None:
            body["seed"] += self.repeat - 1
        if self.schema is not None and target.structured == "json_object":
            body["response_format"] = {"type": "json_object", "schema": self.schema}
        elif self.schema is not None and target.structured:
            shape = {"name": self.kind, "strict": True, "schema": self.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
        return body

    def key(self, target: Target) -> str:
        """SHA-256 over everything that an answer may depend on; the secret is no part of it."""
        asked = {
            "base_url": target.base_url.rstrip("/"),
            "model": target.model,
            "settings": dict(target.settings),
            "structured": target.structured,
            "messages": list(self.messages),
            "schema": self.schema,
            "repeat": self.repeat,
            "kind": self.kind,
            "revision": self.revision,
        }
        return sha256(canonical(asked).encode()).hexdigest()
