"""One request to an OpenAI-compatible endpoint, and what became of it."""

import time
from typing import Any

from pipeline.calls.attempt import Attempt
from pipeline.calls.call import Call, Target
from pipeline.calls.completion import read
from pipeline.calls.waits import PASSING, retry_after
from pipeline.settings.endpoints import hidden, secret
from pipeline.settings.installed import optional

SHAPE = ("response_format", "json_schema")
"""Words in which a server refuses the schema of an answer, as the request spells them."""
SHOWN = 300
"""Characters of a server's message that are kept."""


class Endpoint:
    """Asks with the package `openai`.

    Its own retries are off, so that each try is counted, and it follows nobody elsewhere:
    the key and the prompts are for this endpoint.
    """

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
            http_client=self._package.DefaultHttpxClient(follow_redirects=False),
        )

    def close(self) -> None:
        """Close every connection."""
        self._client.close()

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
            sent = "response_format" in call.request(self._target)
            return self._refused(error, time.monotonic() - began, shaped=sent)
        except self._package.APITimeoutError:
            return self._lost(f"no answer within {seconds:.0f} s", began)
        except self._package.APIConnectionError as error:
            cause = error.__cause__ or error
            reached = "Connect" not in type(cause).__name__
            return self._lost(f"{type(cause).__name__}: {cause}", began, spent=reached)
        except (TimeoutError, ConnectionError) as error:
            return self._lost(str(error), began)
        return read(body, time.monotonic() - began, self._hidden)

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

    def _lost(self, error: str, began: float, *, spent: bool = True) -> Attempt:
        latency = time.monotonic() - began
        return Attempt(
            ok=False, status=None, error=self._line(error), latency_s=latency, passing=True,
            spent=spent,
        )  # fmt: skip

    def _refused(self, error: Any, latency: float, *, shaped: bool) -> Attempt:
        status = int(error.status_code)
        try:
            words = error.response.text
        except Exception:
            words = ""
        # Servers without structured output say so with 400, 422 or even 500.
        shapeless = shaped and any(word in words for word in SHAPE)
        return Attempt(
            ok=False,
            status=status,
            error=self._line(f"status {status}: {words or error.response.reason_phrase}"),
            latency_s=latency,
            spent=False,
            passing=(status in PASSING or status >= 500) and not shapeless,
            shapeless=shapeless,
            retry_after=retry_after(error.response.headers.get("Retry-After")),
        )

    def _hidden(self, text: str) -> str:
        return hidden(text, self._key)

    def _line(self, text: str) -> str:
        """One line, not too long, without the key."""
        return " ".join(self._hidden(text).split())[:SHOWN]
