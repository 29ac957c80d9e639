"""A batch of calls: several at once, tried again where that may help."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Protocol

from pipeline.calls.attempt import Attempt, Prices
from pipeline.calls.call import Call, Target
from pipeline.calls.progress import Bar
from pipeline.calls.store import Store
from pipeline.calls.waits import Rate, backoff
from pipeline.contract.errors import EndpointError

CLOSED = frozenset({401, 402, 403, 404, *range(300, 400)})
"""Status codes that every other call would meet as well: no key, no money, no right, no such
model, another address."""
STREAK = 20
"""Calls in a row that failed with all their tries, after which nobody seems to be there."""


@dataclass(frozen=True)
class Handling:
    """How calls are made; none of it changes what an answer says.

    Attributes:
        concurrency: calls in flight at once, 1 or more.
        rpm: requests a minute at most, tries again included; None: as many as go.
        timeout: seconds that one try may take.
        deadline: seconds that a call may take with all its tries.
        retries: tries after the first.
    """

    concurrency: int
    rpm: float | None
    timeout: float
    deadline: float
    retries: int


class Asked(Protocol):
    """Whoever can be asked once; what goes wrong is part of the attempt, never raised."""

    def attempt(self, call: Call, seconds: float) -> Attempt:
        """Ask, and wait so many seconds at most."""
        ...


@dataclass
class Batch:
    """Calls under way.

    Attributes:
        target: whom they go to.
        handling: how they are made.
        prices: what is known of them, for the bar.
        endpoint: asks the target.
        store: keeps every attempt as soon as it is over.
        answered: whether any call was ever answered, of an earlier run too.
    """

    target: Target
    handling: Handling
    prices: Prices
    endpoint: Asked
    store: Store
    answered: bool
    stop: threading.Event = field(default_factory=threading.Event)
    streak: int = 0

    def __post_init__(self) -> None:
        self.rate = Rate(self.handling.rpm)

    def ask(self, calls: dict[str, Call]) -> None:
        """Make the calls; those in flight at an error or Ctrl-C are waited for and kept.

        Args:
            calls: by key.

        Raises:
            EndpointError: the target refuses what every call needs, or nobody is there.
        """
        pool = ThreadPoolExecutor(self.handling.concurrency)
        try:
            waiting = {pool.submit(self._call, key, call): key for key, call in calls.items()}
            with Bar(len(waiting), self.prices) as bar:
                for done in as_completed(waiting):
                    last = done.result()
                    if last is not None:
                        self._watch(last, whole=len(waiting))
                        bar.step(self.store.replies([waiting[done]])[waiting[done]])
        finally:
            self.stop.set()
            pool.shutdown(wait=True, cancel_futures=True)

    def _call(self, key: str, call: Call) -> Attempt | None:
        """Try one call until it is answered, hopeless or out of time; return the last try."""
        end: float | None = None
        attempt: Attempt | None = None
        for tries in range(1, self.handling.retries + 2):
            self.stop.wait(self.rate.wait())
            if self.stop.is_set():
                return None
            now = time.monotonic()
            end = now + self.handling.deadline if end is None else end
            if now >= end:
                break
            attempt = self.endpoint.attempt(call, min(self.handling.timeout, end - now))
            self.store.add(key, attempt)
            pause = backoff(tries, attempt.retry_after)
            if attempt.ok or not attempt.passing or time.monotonic() + pause > end:
                break
            if tries <= self.handling.retries:
                self.stop.wait(pause)
        return attempt

    def _watch(self, last: Attempt, *, whole: int) -> None:
        """Count how calls ended; raise where no further call would be spared the same."""
        if last.status in CLOSED:
            raise EndpointError(
                self.target.base_url,
                expected=f"answers of {self.target.model}",
                got=last.error or "",
                remedy="look at the key, the model's name and the address",
            )
        if last.shapeless:
            raise EndpointError(
                self.target.base_url,
                expected="a server that takes the schema of an answer",
                got=last.error or "",
                remedy="structured=json_object sends it another way, structured=false not at all",
            )
        self.answered |= last.ok
        nobody = last.passing and not (last.spent and self.answered)
        self.streak = self.streak + 1 if nobody else 0
        if self.streak >= (STREAK if self.answered else min(STREAK, whole)):
            raise EndpointError(
                self.target.base_url,
                expected="answers",
                got=f"none to {self.streak} calls in a row, the last: {last.error}",
                remedy="what was answered is kept; run it again",
            )
