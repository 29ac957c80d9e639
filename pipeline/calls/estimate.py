"""What calls will take, told before the first of them is paid for."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from pipeline.calls.attempt import Prices
from pipeline.calls.call import Call, Target

CHARACTERS = 4
"""Characters of a token, roughly: only the server knows its tokenizer."""


def estimate(calls: Sequence[Call], kept: int, target: Target, prices: Prices) -> list[str]:
    """Lines that fit a terminal: calls, tokens, cost; "about", since only the server counts.

    Args:
        calls: those that have to be made.
        kept: how many are answered already.
        target: whom they go to; its limit of output tokens bounds the cost.
        prices: what is known of them.
    """
    sent = sum(map(_guess, calls))
    limit = _limit(target.settings)
    most = None if limit is None else limit * len(calls)
    cost = prices.cost(sent, most)
    written = "output not limited" if most is None else f"at most {most:,} output"
    kept_words = f", {kept:,} kept from before" if kept else ""
    plural = "call" if len(calls) == 1 else "calls"
    return [
        f"{len(calls):,} {plural} to {target.model}{kept_words}",
        f"  about {sent:,} input tokens, {written}",
        "  cost n/a: no prices or no limit in conf"
        if cost is None
        else f"  at most about {money(cost)}",
    ]


def money(dollars: float) -> str:
    """US dollars as people read them, small sums with the digits that tell them from 0."""
    if dollars >= 1 or dollars == 0:
        return f"${dollars:,.2f}"
    return f"${Decimal(f'{dollars:.1e}'):f}"


def _guess(call: Call) -> int:
    return sum(len(message["content"]) for message in call.messages) // CHARACTERS


def _limit(settings: Any) -> int | None:
    for name in ("max_tokens", "max_completion_tokens"):
        if settings.get(name) is not None:
            return int(settings[name])
    return None
