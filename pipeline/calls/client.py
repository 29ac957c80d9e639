"""The client: asks what the store lacks, several at once, trying again where that may help."""

import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass, field

from pipeline.calls.attempt import Attempt, Prices, Reply
from pipeline.calls.call import Call, Target
from pipeline.calls.endpoint import Endpoint
from pipeline.calls.estimate import estimate
from pipeline.calls.progress import Bar
from pipeline.calls.store import Entry, Store, place
from pipeline.calls.subject import subject
from pipeline.calls.waits import Rate, backoff
from pipeline.contract.errors import EndpointError
from pipeline.contract.files import canonical

CLOSED = frozenset({401, 403, 404})
"""Status codes that every other call would meet as well: no key, no right, no such model."""
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


@dataclass(frozen=True)
class Client:
    """Replies to calls from the store, and from the target where the store has none.

    Attributes:
        target: the model.
        handling: how it is asked.
        prices: what its tokens cost.
        where: the part of conf/ that errors name.
    """

    target: Target
    handling: Handling
    prices: Prices
    where: str

    def replies(self, calls: Sequence[Call]) -> list[Reply]:
        """Reply to every call, in order; equal calls are made once.

        A call that failed with all its tries, now or in an earlier run, has a reply without
        text; the next run asks it again. Failures that no further call would be spared end
        the run; what was answered is kept.

        Raises:
            ConfigError: a call has to be made and the extra [llm] or the key is not there.
            EndpointError: the endpoint refuses the key or the model, or does not answer at
                all; or the store cannot be used.
        """
        by_key = {call.key(self.target): call for call in calls}
        with closing(Store(place())) as store:
            store.register(self._entry(key, call) for key, call in by_key.items())
            known = store.replies(list(by_key))
            missing = {
                key: call
                for key, call in by_key.items()
                if key not in known or known[key].text is None
            }
            if missing:
                endpoint = Endpoint(self.target, self.where)
                lines = estimate(
                    list(missing.values()), len(by_key) - len(missing), self.target, self.prices
                )
                print(*lines, sep="\n", file=sys.stderr, flush=True)  # noqa: T201
                _Run(self, endpoint, store, answered=len(missing) < len(by_key)).ask(missing)
                known |= store.replies(list(missing))
        return [known[call.key(self.target)] for call in calls]

    def _entry(self, key: str, call: Call) -> Entry:
        body = canonical(call.request(self.target))
        return key, subject(), call.kind, self.target.model, body


@dataclass
class _Run:
    """One batch of calls under way."""

    client: Client
    endpoint: Endpoint
    store: Store
    answered: bool
    stop: threading.Event = field(default_factory=threading.Event)
    streak: int = 0

    def __post_init__(self) -> None:
        self.rate = Rate(self.client.handling.rpm)

    def ask(self, calls: dict[str, Call]) -> None:
        """Make the calls; those in flight at an error or Ctrl-C are waited for and kept."""
        pool = ThreadPoolExecutor(self.client.handling.concurrency)
        try:
            waiting = {pool.submit(self._call, key, call): key for key, call in calls.items()}
            with Bar(len(waiting), self.client.prices) as bar:
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
        handling = self.client.handling
        end: float | None = None
        attempt: Attempt | None = None
        for tries in range(1, handling.retries + 2):
            self.stop.wait(self.rate.wait())
            if self.stop.is_set():
                return None
            now = time.monotonic()
            end = now + handling.deadline if end is None else end
            attempt = self.endpoint.attempt(call, min(handling.timeout, max(end - now, 0.1)))
            self.store.add(key, attempt)
            if attempt.ok or not attempt.passing:
                break
            pause = backoff(tries, attempt.retry_after)
            if time.monotonic() + pause > end:
                break
            if tries <= handling.retries:
                self.stop.wait(pause)
        return attempt

    def _watch(self, last: Attempt, *, whole: int) -> None:
        """Count how calls ended; raise where no further call would be spared the same."""
        if last.status in CLOSED:
            raise EndpointError(
                self.client.target.base_url,
                expected=f"answers of {self.client.target.model}",
                got=last.error or "",
                remedy="look at the key, the model's name and the address",
            )
        self.answered |= last.ok
        nobody = last.passing and not (last.spent and self.answered)
        self.streak = self.streak + 1 if nobody else 0
        if self.streak >= (STREAK if self.answered else min(STREAK, whole)):
            raise EndpointError(
                self.client.target.base_url,
                expected="answers",
                got=f"none to {self.streak} calls in a row, the last: {last.error}",
                remedy="what was answered is kept; run it again",
            )
