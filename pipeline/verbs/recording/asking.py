"""Questions put to a live system: replies from the store, and from the system what it lacks."""

import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Protocol

from pipeline.calls.attempt import Attempt, Prices, Reply
from pipeline.calls.batch import Batch, Handling
from pipeline.calls.call import Call, Target
from pipeline.calls.store import Store, place
from pipeline.calls.subject import subject
from pipeline.contract.errors import ConfigError
from pipeline.contract.files import canonical
from pipeline.contract.words import counted
from pipeline.verbs.recording.rows import UNREAD
from pipeline.verbs.terminal.text import clean

KIND = "record"
FIRST = 3
"""Questions that are asked before all others: where none of their replies can be read, the
paths are wrong, and no other question has to be paid for to learn it."""
FREE = Prices(None, None)


class Live(Protocol):
    """A system that can be asked."""

    def attempt(self, call: Call, seconds: float) -> Attempt:
        """Ask once."""
        ...

    def shown(self, call: Call) -> dict[str, Any]:
        """What is asked, as it may be kept."""
        ...


@dataclass(frozen=True)
class Asking:
    """How a system is asked.

    Attributes:
        target: names it: its place, the system's name, and every setting of the request.
        handling: how calls are made.
        live: makes them.
    """

    target: Target
    handling: Handling
    live: Live

    def replies(self, calls: Sequence[Call]) -> tuple[list[Reply], int]:
        """Reply to every call, in order; and how many of them the store had.

        A call that failed with all its tries has a reply without text, and is asked again by
        the next run.

        Raises:
            ConfigError: none of the first replies holds what is to be read.
            EndpointError: the system refuses what every call needs, or nobody is there; or
                the store cannot be used.
        """
        by_key = {call.key(self.target): call for call in calls}
        with closing(Store(place())) as store:
            store.register(
                (key, subject(), KIND, self.target.model, canonical(self.live.shown(call)))
                for key, call in by_key.items()
            )
            known = store.replies(list(by_key))
            missing = {
                key: call
                for key, call in by_key.items()
                if key not in known or known[key].text is None
            }
            kept = len(by_key) - len(missing)
            if missing:
                print(self._line(len(missing), kept), file=sys.stderr, flush=True)
                self._ask(store, missing, kept)
                known |= store.replies(list(missing))
        return [known[call.key(self.target)] for call in calls], kept

    def _ask(self, store: Store, missing: dict[str, Call], kept: int) -> None:
        rest = missing
        if not kept:
            first = dict(list(missing.items())[:FIRST])
            self._batch(store, answered=False).ask(first)
            made = store.replies(list(first))
            _readable(made)
            kept = sum(reply.text is not None for reply in made.values())
            rest = {key: call for key, call in missing.items() if key not in first}
        if rest:
            self._batch(store, answered=kept > 0).ask(rest)

    def _batch(self, store: Store, *, answered: bool) -> Batch:
        return Batch(self.target, self.handling, FREE, self.live, store, answered=answered)

    def _line(self, missing: int, kept: int) -> str:
        before = f", {kept:,} kept from before" if kept else ""
        return f"{counted(missing, 'question')} to {clean(self.target.model)}{before}"


def _readable(made: dict[str, Reply]) -> None:
    """Refuse paths that found nothing in the first replies, though replies they were."""
    errors = [reply.error or "" for reply in made.values()]
    if any(reply.text is not None for reply in made.values()) or not errors:
        return
    if all(error.startswith(UNREAD) for error in errors):
        remedy = "mend the paths; nothing else was asked"
        expected = "what the paths name in the system's replies"
        raise ConfigError(
            "reply", expected=expected, got=errors[0].removeprefix(UNREAD), remedy=remedy
        )
