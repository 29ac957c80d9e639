"""One request to an HTTP endpoint, and what became of it."""

import json
import time
from collections.abc import Callable
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from pipeline.calls.attempt import Attempt
from pipeline.calls.call import Call
from pipeline.calls.endpoint import SHOWN
from pipeline.calls.waits import PASSING, retry_after
from pipeline.verbs.recording import request
from pipeline.verbs.recording.rows import UnreadError
from pipeline.verbs.recording.source import Http

MOST = 32 * 1024 * 1024
"""Bytes of a reply that are read."""
PART = 65_536

Check = Callable[[Any], object]
"""Takes a reply's JSON; raises UnreadError where it does not hold what is to be read."""


class _Stay(HTTPRedirectHandler):
    """Follows nobody elsewhere: secrets and questions are for this endpoint."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Endpoint:
    """Asks an endpoint; its replies are kept as they came, with secrets taken out."""

    def __init__(self, http: Http, check: Check) -> None:
        """Read the secrets.

        Raises:
            ConfigError: a variable that a header names is not set.
        """
        self._http, self._check = http, check
        self._secrets = request.Secrets(http.secrets)
        self._opener = build_opener(_Stay())

    def shown(self, call: Call) -> dict[str, Any]:
        """The request as it may be kept."""
        return request.shown(self._http, request.asked(call))

    def attempt(self, call: Call, seconds: float) -> Attempt:
        """Ask once, within so many seconds; what goes wrong is part of the answer."""
        began = time.monotonic()
        try:
            body = self._body(self._request(call), began, seconds)
        except HTTPError as error:
            return self._refused(error, time.monotonic() - began)
        except TimeoutError:
            return self._lost(f"no whole answer within {seconds:g} s", began)
        except URLError as error:
            if isinstance(error.reason, TimeoutError):
                return self._lost(f"no answer within {seconds:g} s", began)
            return self._lost(f"no connection: {error.reason}", began, spent=False)
        except (OSError, HTTPException, ValueError) as error:
            return self._lost(f"{type(error).__name__}: {error}", began)
        return self._read(body, time.monotonic() - began)

    def _request(self, call: Call) -> Request:
        words = request.asked(call)
        data = request.body(self._http, words)
        made = Request(request.address(self._http, words), data, method=self._http.method)
        plain = {"Accept": "application/json", "User-Agent": "rag-assay"}
        plain |= {"Content-Type": "application/json"} if data is not None else {}
        for name, value in {**plain, **self._http.headers, **self._secrets.headers}.items():
            made.add_header(name, value)
        return made

    def _body(self, asked: Request, began: float, seconds: float) -> bytes:
        parts: list[bytes] = []
        with self._opener.open(asked, timeout=seconds) as reply:
            stream: HTTPResponse = reply
            while part := stream.read1(PART):
                parts.append(part)
                if time.monotonic() - began > seconds:
                    raise TimeoutError
                if sum(map(len, parts)) > MOST:
                    raise ValueError(f"a reply of more than {MOST:,} bytes")
            if stream.length:  # read1 says nothing of an end that came too early
                raise HTTPException(f"a reply cut short by {stream.length:,} bytes")
        return b"".join(parts)

    def _read(self, body: bytes, latency: float) -> Attempt:
        """Keep a reply that holds what is to be read; another may come for one that is no JSON."""
        try:
            text = self._secrets.hide(body.decode("utf-8-sig"))
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            return self._unread(f"a reply that is no JSON: {error}", latency, passing=True)
        try:
            self._check(value)
        except UnreadError as error:
            return self._unread(str(error), latency, passing=False)
        return Attempt(ok=True, status=200, error=None, latency_s=latency, text=text)

    def _unread(self, error: str, latency: float, *, passing: bool) -> Attempt:
        return Attempt(
            ok=False, status=200, error=self._line(error), latency_s=latency, passing=passing
        )

    def _lost(self, error: str, began: float, *, spent: bool = True) -> Attempt:
        return Attempt(
            ok=False, status=None, error=self._line(error), latency_s=time.monotonic() - began,
            passing=True, spent=spent,
        )  # fmt: skip

    def _refused(self, error: HTTPError, latency: float) -> Attempt:
        try:
            words = error.read(4 * SHOWN).decode(errors="replace")
        except (OSError, HTTPException):
            words = ""
        finally:
            error.close()
        return Attempt(
            ok=False,
            status=error.code,
            error=self._line(f"status {error.code}: {words or error.reason}"),
            latency_s=latency,
            spent=False,
            passing=error.code in PASSING or error.code >= 500,
            retry_after=retry_after(error.headers.get("Retry-After") if error.headers else None),
        )

    def _line(self, text: str) -> str:
        """One line, not too long, without secrets."""
        return " ".join(self._secrets.hide(text).split())[:SHOWN]
