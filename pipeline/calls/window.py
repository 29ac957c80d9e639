"""Whether a call fits the window of a model: what does not is not sent, and nothing is cut."""

from collections.abc import Callable, Sequence

from pipeline.calls.call import Call

FRAME = 4
"""Tokens that a message takes beside its words, roughly."""

Measure = Callable[[Sequence[str]], Sequence[int]]
"""Texts -> tokens of each."""


def unfit(call: Call, measure: Measure, most: int, window: int, what: str) -> str | None:
    """Why a call does not fit; None: it does.

    Args:
        call: what would be sent.
        measure: counts tokens (cl100k).
        most: tokens that the reply may take, 1 or more.
        window: tokens of both together.
        what: what the reply is, for the message.
    """
    words = [message["content"] for message in call.messages]
    length = sum(measure(words)) + FRAME * len(words)
    if length + most <= window:
        return None
    return (
        f"the prompt has {length} tokens (cl100k) and {what} up to {most}, "
        f"more than the window of {window}"
    )
