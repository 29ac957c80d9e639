"""What the calls of a stage came to, each once: noted beside the replies, for whoever sums up."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from pipeline.calls.attempt import Prices, Reply
from pipeline.calls.call import Call

Row = dict[str, Any]

_NOTED: ContextVar[dict[str, Row] | None] = ContextVar("noted", default=None)


@contextmanager
def tallied() -> Iterator[dict[str, Row]]:
    """Collect a row of `contract.tables.Calls` for every call that is replied to in the block.

    It counts every attempt, of earlier runs too, and equal calls once.
    """
    found: dict[str, Row] = {}
    token = _NOTED.set(found)
    try:
        yield found
    finally:
        _NOTED.reset(token)


def note(key: str, call: Call, reply: Reply, prices: Prices) -> None:
    """Note what a call came to, where somebody collects."""
    noted = _NOTED.get()
    if noted is not None:
        noted[key] = {
            "kind": call.kind,
            "call": key,
            "ok": reply.text is not None,
            "input_tokens": reply.input_tokens,
            "output_tokens": reply.output_tokens,
            "cost_usd": prices.cost(reply.input_tokens, reply.output_tokens),
            "latency_s": reply.latency_s,
            "attempts": reply.attempts,
        }
