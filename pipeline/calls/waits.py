"""How long to wait: between tries, as the server asks, and for a place in the rate."""

import random
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST, LONGEST = 0.5, 60.0
"""Seconds that the first wait may last, and any."""

PASSING = frozenset({408, 409, 429})
"""Status codes below 500 that may be gone at the next try; from 500 on all may."""


def backoff(tries: int, retry_after: float | None) -> float:
    """Seconds to wait after `tries` failed ones, 1 or more.

    Up to 0.5, 1, 2, … 60 s, drawn evenly from 0 ("full jitter"), so that callers who failed
    together do not come back together; on top of what the server asks for.

    Source: Brooker 2015, "Exponential Backoff and Jitter", AWS Architecture Blog.
    """
    drawn = random.uniform(0, min(LONGEST, FIRST * 2 ** min(tries - 1, 16)))
    return drawn + (retry_after or 0)


def retry_after(header: str | None, now: Callable[[], datetime] | None = None) -> float | None:
    """Seconds that a Retry-After header asks for, 0 or more; None: none, or none that is one.

    Source: RFC 9110, 10.2.3: whole seconds, or an HTTP date.
    """
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        date = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - (now() if now else datetime.now(UTC))).total_seconds())


class Rate:
    """At most so many requests a minute: a bucket that holds one second's worth of them."""

    def __init__(
        self, per_minute: float | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._gap = 60 / per_minute if per_minute else 0.0
        self._room = max(0.0, 1.0 - self._gap)
        self._clock = clock
        self._lock = threading.Lock()
        self._next = 0.0

    def wait(self) -> float:
        """Take a place; return the seconds until it begins."""
        with self._lock:
            now = self._clock()
            self._next = max(self._next, now - self._room)
            begins, self._next = self._next, self._next + self._gap
            return max(0.0, begins - now)
