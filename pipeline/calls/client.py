"""The client: replies from the store, and asks what the store lacks."""

import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from pipeline.calls.attempt import Prices, Reply
from pipeline.calls.batch import Batch, Handling
from pipeline.calls.call import Call, Target
from pipeline.calls.endpoint import Endpoint
from pipeline.calls.estimate import estimate
from pipeline.calls.store import Entry, Store, place
from pipeline.calls.subject import subject
from pipeline.calls.tally import note
from pipeline.contract.files import canonical


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
                self._ask(store, missing, kept=len(by_key) - len(missing))
                known |= store.replies(list(missing))
        for key, call in by_key.items():
            note(key, call, known[key], self.prices)
        return [known[call.key(self.target)] for call in calls]

    def _ask(self, store: Store, missing: dict[str, Call], *, kept: int) -> None:
        """Tell what is to be asked and ask it."""
        with closing(Endpoint(self.target, self.where)) as endpoint:
            lines = estimate(list(missing.values()), kept, self.target, self.prices)
            print(*lines, sep="\n", file=sys.stderr, flush=True)  # noqa: T201
            batch = Batch(
                self.target, self.handling, self.prices, endpoint, store, answered=kept > 0
            )
            batch.ask(missing)

    def _entry(self, key: str, call: Call) -> Entry:
        body = canonical(call.request(self.target))
        return key, subject(), call.kind, self.target.model, body
