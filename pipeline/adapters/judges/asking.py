"""Questions to a judge: asked at once, read strictly, and once more where a reply is no good."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pipeline.adapters.judges.replied import UnreadableError
from pipeline.calls.call import Call
from pipeline.calls.client import Client
from pipeline.calls.prompts import Template

Read = TypeVar("Read")

UNREADABLE = "the judge's reply cannot be read"
"""How the reason of a ruling begins that is lost though a reply came: it is kept, and not asked
for again."""


@dataclass(frozen=True)
class Ask(Generic[Read]):
    """A call, and what reads its reply or raises UnreadableError."""

    call: Call
    read: Callable[[str], Read]


@dataclass(frozen=True)
class Lost:
    """Why there is no ruling."""

    reason: str


@dataclass(frozen=True)
class Asking:
    """How a judge is asked.

    Attributes:
        client: makes the calls.
        repair: what is written where a reply cannot be read, with a place `{fault}`.
        unfit: why a call cannot be sent; None: it can.
    """

    client: Client
    repair: Template
    unfit: Callable[[Call], str | None]

    def settle(self, asks: Sequence[Ask[Read]], *, again: bool = True) -> list[Read | Lost]:
        """What was read of each reply, in order, or why nothing was.

        A reply that cannot be read goes back, once and with its fault, whose new reply counts.
        A call that was not answered is lost: nothing stands in for a ruling.
        """
        found: dict[int, Read | Lost] = {}
        for at, ask in enumerate(asks):
            reason = self.unfit(ask.call)
            if reason is not None:
                found[at] = Lost(reason)
        sent = [at for at in range(len(asks)) if at not in found]
        replies = self.client.replies([asks[at].call for at in sent]) if sent else []
        broken: dict[int, Ask[Read]] = {}
        for at, reply in zip(sent, replies, strict=True):
            if reply.text is None:
                found[at] = Lost(reply.error or "no reply")
                continue
            try:
                found[at] = asks[at].read(reply.text)
            except UnreadableError as error:
                found[at] = Lost(f"{UNREADABLE}: {error}")
                broken[at] = self._mended(asks[at], reply.text, str(error))
        if again and broken:
            mended = self.settle(list(broken.values()), again=False)
            found |= dict(zip(broken, mended, strict=True))
        return [found[at] for at in range(len(asks))]

    def _mended(self, ask: Ask[Read], text: str, fault: str) -> Ask[Read]:
        call = ask.call
        answered = {"role": "assistant", "content": text}
        messages = (*call.messages, answered, *self.repair.messages({"fault": fault}))
        revision = f"{call.revision}, {self.repair.revision}"
        return Ask(replace(call, messages=messages, revision=revision), ask.read)
