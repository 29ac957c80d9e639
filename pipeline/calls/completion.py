"""The body of a chat completion, and the attempt that it makes."""

from collections.abc import Callable
from typing import Any

import msgspec

from pipeline.calls.attempt import Attempt


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


def read(body: bytes, latency: float, safe: Callable[[str], str]) -> Attempt:
    """Take the answer out of a body that came with status 200.

    Args:
        body: as it was sent.
        latency: seconds that it took.
        safe: takes secrets out of a text.
    """
    try:
        made = msgspec.json.decode(body, type=Completion)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        return _unread(safe(f"an unreadable answer: {error}"), latency, Completion())
    if not made.choices:
        return _unread("an answer without choices", latency, made)
    choice = made.choices[0]
    text = choice.message.content or choice.message.refusal or ""
    if not text.strip() and choice.finish_reason not in {"length", "content_filter"}:
        return _unread("an empty answer", latency, made)
    stopped = "refusal" if choice.message.refusal else choice.finish_reason
    return Attempt(
        ok=True,
        status=200,
        error=None,
        latency_s=latency,
        text=safe(text),
        finish_reason=stopped and safe(stopped),
        model=made.model and safe(made.model),
        **_tokens(made),
    )


def _unread(error: str, latency: float, made: Completion) -> Attempt:
    return Attempt(
        ok=False, status=200, error=error, latency_s=latency, passing=True, **_tokens(made)
    )


def _tokens(made: Completion) -> dict[str, Any]:
    usage = made.usage or Tokens()
    return {"input_tokens": usage.prompt_tokens, "output_tokens": usage.completion_tokens}
