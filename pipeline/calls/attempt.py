"""One attempt at a call, and what all attempts at it came to."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Attempt:
    """What became of one request.

    Attributes:
        ok: whether it was answered.
        status: the HTTP status; None: none came.
        error: why it was not answered, without secrets; None: it was.
        latency_s: seconds until the answer was whole, or the attempt was over.
        text: the answer.
        finish_reason: why the model stopped, as the server says.
        model: the model that answered, as the server says.
        input_tokens: as the server counted; None: it did not say.
        output_tokens: likewise.
        spent: whether the server may have worked, and charged, for it: false for an error
            status and where no connection came about.
        passing: whether another try may fare better.
        shapeless: whether the server takes no schema of an answer, and so says.
        retry_after: seconds that the server asks to wait; None: it does not.
    """

    ok: bool
    status: int | None
    error: str | None
    latency_s: float
    text: str | None = None
    finish_reason: str | None = None
    model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    spent: bool = True
    passing: bool = False
    shapeless: bool = False
    retry_after: float | None = None


@dataclass(frozen=True)
class Reply:
    """What a call came to, all its attempts counted, those of earlier runs too.

    Attributes:
        text: the answer of the first attempt that had one; None: none had.
        error: of the last attempt, where none was answered.
        finish_reason: of the attempt that answered.
        model: likewise.
        input_tokens: over all attempts; None: not known for one that may have been charged.
        output_tokens: likewise.
        latency_s: seconds of the attempt that answered; None: none did.
        attempts: how many there were.
    """

    text: str | None
    error: str | None
    finish_reason: str | None
    model: str | None
    input_tokens: int | None
    output_tokens: int | None
    latency_s: float | None
    attempts: int


@dataclass(frozen=True)
class Prices:
    """US dollars for a million tokens; None: not known, and then no cost is either."""

    input: float | None
    output: float | None

    def cost(self, input_tokens: int | None, output_tokens: int | None) -> float | None:
        """US dollars for so many tokens; None where a price or a number is not known."""
        if None in (self.input, self.output, input_tokens, output_tokens):
            return None
        return (
            (input_tokens or 0) * (self.input or 0) + (output_tokens or 0) * (self.output or 0)
        ) / 1e6


def reply(attempts: Sequence[Attempt]) -> Reply:
    """Sum up the attempts at one call, at least one, in the order they were made."""
    answered = next((one for one in attempts if one.ok), None)
    spent = [one for one in attempts if one.spent]
    return Reply(
        text=answered.text if answered else None,
        error=None if answered else attempts[-1].error,
        finish_reason=answered.finish_reason if answered else None,
        model=answered.model if answered else None,
        input_tokens=_total([one.input_tokens for one in spent]),
        output_tokens=_total([one.output_tokens for one in spent]),
        latency_s=answered.latency_s if answered else None,
        attempts=len(attempts),
    )


def _total(numbers: Sequence[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if len(known) == len(numbers) else None
