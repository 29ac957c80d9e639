"""One request to an OpenAI-compatible endpoint, and what became of it."""

import time
from typing import Any

import msgspec

from pipeline.calls.attempt import Attempt
from pipeline.calls.call import Call, Target
from pipeline.calls.waits import PASSING, retry_after
from pipeline.settings.endpoints import hidden, secret
from pipeline.settings.installed import optional

SHOWN = 300
"""Characters of a server's message that are kept."""


class Message(msgspec.Struct):
    """The message of a choice: words, or a refusal in words."""

    content: str | None = None
    refusal: str | None = None


class Choice(msgspec.Struct):
    """One choice of a completion."""

    message: Message
    finish_reason: str | None = None


class Tokens(msgspec.Struct):
    """What the server counted."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Completion(msgspec.Struct):
    """As much of a chat completion as is read."""

    choices: list[Choice] = []
    usage: Tokens | None = None
    model: str | None = None


class Endpoint:
    """Asks with the package `openai`, whose own retries are off, so that each try is counted."""

    def __init__(self, target: Target, where: str) -> None:
        """Read the key and load the package.

        Raises:
            ConfigError: the extra [llm] is not installed, or the key's variable not set.
        """
        self._package: Any = optional("openai", extra="llm", where=where)
        self._key = secret(target.api_key_env, f"{where}.api_key_env")
        self._target = target
        self._headers = None if self._key else {"Authorization": self._package.Omit()}
        self._client = self._package.OpenAI(
            base_url=target.base_url,
            api_key=self._key or "none",
            max_retries=0,
        )

    def attempt(self, call: Call, seconds: float) -> Attempt:
        """Ask once; what goes wrong is part of the answer, never raised.

        Args:
            call: what to ask.
            seconds: how long it may take until the last byte, and no server can stretch it by
                sending a byte now and then (beyond one more wait for the next).
        """
        began = time.monotonic()
        try:
            body = self._body(call, began, seconds)
        except self._package.APIStatusError as error:
            return self._refused(error, time.monotonic() - began)
        except self._package.APITimeoutError:
            return self._lost(f"no answer within {seconds:.0f} s", began)
        except self._package.APIConnectionError as error:
            cause = error.__cause__ or error
            reached = "Connect" not in type(cause).__name__
            return self._lost(f"{type(cause).__name__}: {cause}", began, spent=reached)
        except (TimeoutError, ConnectionError) as error:
            return self._lost(str(error), began)
        return self._read(body, time.monotonic() - began)

    def _body(self, call: Call, began: float, seconds: float) -> bytes:
        create = self._client.chat.completions.with_streaming_response.create
        parts: list[bytes] = []
        asked = call.request(self._target)
        with create(**asked, timeout=seconds, extra_headers=self._headers) as reply:
            stream = reply.iter_bytes()
            while True:
                try:
                    part = next(stream, None)
                except Exception as error:
                    if "Timeout" in type(error).__name__:
                        raise TimeoutError(f"no answer within {seconds:.0f} s") from error
                    raise ConnectionError(f"{type(error).__name__}: {error}") from error
                if part is None:
                    return b"".join(parts)
                parts.append(part)
                if time.monotonic() - began > seconds:
                    raise TimeoutError(f"no whole answer within {seconds:.0f} s")

    def _read(self, body: bytes, latency: float) -> Attempt:
        """Take the answer out of a body that came with status 200."""
        try:
            made = msgspec.json.decode(body, type=Completion)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            return self._unread(f"an unreadable answer: {error}", latency, Completion())
        if not made.choices:
            return self._unread("an answer without choices", latency, made)
        choice = made.choices[0]
        text = choice.message.content or choice.message.refusal or ""
        if not text.strip() and choice.finish_reason not in {"length", "content_filter"}:
            return self._unread("an empty answer", latency, made)
        stopped = "refusal" if choice.message.refusal else choice.finish_reason
        return Attempt(
            ok=True,
            status=200,
            error=None,
            latency_s=latency,
            text=hidden(text, self._key),
            finish_reason=stopped,
            model=made.model and hidden(made.model, self._key),
            **_tokens(made),
        )

    def _unread(self, error: str, latency: float, made: Completion) -> Attempt:
        return Attempt(
            ok=False, status=200, error=self._safe(error), latency_s=latency, passing=True,
            **_tokens(made),
        )  # fmt: skip

    def _lost(self, error: str, began: float, *, spent: bool = True) -> Attempt:
        latency = time.monotonic() - began
        return Attempt(
            ok=False, status=None, error=self._safe(error), latency_s=latency, passing=True,
            spent=spent,
        )  # fmt: skip

    def _refused(self, error: Any, latency: float) -> Attempt:
        status = int(error.status_code)
        try:
            words = error.response.text
        except Exception:
            words = ""
        return Attempt(
            ok=False,
            status=status,
            error=self._safe(f"status {status}: {words or error.response.reason_phrase}"),
            latency_s=latency,
            spent=False,
            passing=status in PASSING or status >= 500,
            retry_after=retry_after(error.response.headers.get("Retry-After")),
        )

    def _safe(self, text: str) -> str:
        """One line, not too long, without the key."""
        return " ".join(hidden(text, self._key).split())[:SHOWN]


def _tokens(made: Completion) -> dict[str, Any]:
    usage = made.usage or Tokens()
    return {"input_tokens": usage.prompt_tokens, "output_tokens": usage.completion_tokens}
