"""Rows of Answers and Usage from what calls came to."""

from dataclasses import dataclass
from typing import Any

from pipeline.adapters.answerers.marks import cited
from pipeline.calls.attempt import Prices, Reply
from pipeline.contract.tables import RESPONSE_KEY

Row = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """How the words of a reply are read.

    Attributes:
        abstain: what the model was told to write where it has no answer.
        max_tokens: where its answer is cut off.
        language: whose rules find the sentences, ISO 639.
    """

    abstain: str
    max_tokens: int
    language: str

    def answer(self, row: Row, reply: Reply | None, reason: str) -> Row:
        """A row of Answers for a row of the contexts.

        Args:
            row: key of the response, and its `chunks`.
            reply: what its call came to; None: there was no call.
            reason: why there was none.
        """
        error = reason if reply is None else self._fault(reply)
        made: Row = {
            **{name: row[name] for name in RESPONSE_KEY},
            "status": "ok" if error is None else "failed",
            "error": error,
            "context": row["chunks"],
            "context_recorded": True,
        }
        if reply is None or error is not None:
            return made
        words = reply.text or ""
        if reply.finish_reason == "refusal" or _bare(words) == _bare(self.abstain):
            return {**made, "answer": words, "claim_ids": [], "citations": [], "sentences": []}
        return {**made, "answer": words, "sentences": cited(words, row["chunks"], self.language)}

    def _fault(self, reply: Reply) -> str | None:
        """Why a reply is no whole answer; None: it is one."""
        if reply.text is None:
            return reply.error
        if reply.finish_reason == "length":
            return f"the answer was cut at {self.max_tokens} tokens"
        if reply.finish_reason == "content_filter":
            return "the answer was cut by a filter of the endpoint"
        return None


def spending(row: Row, reply: Reply | None, prices: Prices, *, shared: bool) -> Row:
    """A row of Usage: of all attempts, the latency of the one that answered.

    Args:
        row: key of the response.
        reply: what its call came to; None: there was no call.
        prices: of tokens.
        shared: whether the call is that of a row before: then this one cost nothing more.
    """
    made = {name: row[name] for name in RESPONSE_KEY}
    if reply is None:
        return made
    spent = {
        "input_tokens": reply.input_tokens,
        "output_tokens": reply.output_tokens,
        "cost_usd": prices.cost(reply.input_tokens, reply.output_tokens),
        "attempts": reply.attempts,
    }
    if shared:
        spent = {name: None if amount is None else 0 for name, amount in spent.items()}
    return {**made, **spent, "latency_s": reply.latency_s}


def _bare(words: str) -> str:
    return words.strip().rstrip(".")
