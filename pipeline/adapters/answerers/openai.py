"""Answers of a model behind an OpenAI-compatible endpoint."""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import polars as pl
from msgspec import Meta

from pipeline.adapters.answerers.replied import Said, spending
from pipeline.adapters.chunkers.units import units
from pipeline.calls.call import Call
from pipeline.calls.fence import numbered
from pipeline.calls.model import Model
from pipeline.calls.prompts import Template, template
from pipeline.calls.window import unfit
from pipeline.contract.spans import titled
from pipeline.contract.tables import RESPONSE_KEY, Answers, Usage

LOST = "no context to answer from: the ranking was lost"

Row = dict[str, Any]


@dataclass(frozen=True)
class OpenAI(Model):
    """Asks a model with the delivered chunks, numbered from 1 and fenced, in their order.

    The answer is kept as it came. Its marks `[n]` are read sentence by sentence; what it
    claims is not: claims are null (no record) until a judge reads them. An answer that is
    nothing but `abstain`, or that the server calls a refusal, claims nothing, and that is on
    record. An answer fails, with the reason, where its prompt does not fit `window`, where
    the model had to stop at `max_tokens` or by a filter of its host, and where no try at the
    call was answered. Each question is asked as often as it has rows, once for each repeat.
    """

    WHERE: ClassVar[str] = "conf: answerer"
    draws: ClassVar[bool] = True
    prompt: str
    abstain: Annotated[str, Meta(min_length=1)]
    language: str

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.template

    @cached_property
    def template(self) -> Template:
        """The prompt, read when the adapter is built."""
        return template(self.prompt, frozenset({"context", "question"}), f"{self.WHERE}.prompt")

    @property
    def identity(self) -> dict[str, Any]:
        """The prompt by name, revision and content."""
        return {"prompt": self.template.identity}

    def answer(
        self,
        questions: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
        contexts: pl.DataFrame,
        responses: pl.DataFrame,  # noqa: ARG002 - the port's argument
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Contexts -> Answers, Usage, row for row.

        Usage counts every attempt, of earlier runs too; tokens and cost are null where one
        that may have been charged came without a count. Latency is the answering attempt's.
        Rows whose prompts are equal share a call, whose cost the first of them bears.

        Raises:
            ConfigError: a call has to be made and the extra [llm] or the key is not there.
            EndpointError: the endpoint refuses the key or the model, or nobody is there.
        """
        rows = contexts.select(*RESPONSE_KEY, "chunks").to_dicts()
        calls = self._calls(rows, questions, chunks, documents)
        reasons = self._unfit(calls)
        asked = [at for at, call in enumerate(calls) if call is not None and at not in reasons]
        client = self.client()
        sent = [call for at in asked if (call := calls[at])]
        replies = dict(zip(asked, client.replies(sent), strict=True))
        first: dict[str, int] = {}
        bearers = [
            first.setdefault(call.key(client.target), at)
            for at, call in zip(asked, sent, strict=True)
        ]
        shared = {at for at, bearer in zip(asked, bearers, strict=True) if at != bearer}
        said = Said(self.abstain, self.max_tokens, self.language)
        prices = self.prices
        made = [
            said.answer(row, replies.get(at), reasons.get(at, LOST)) for at, row in enumerate(rows)
        ]
        spent = [
            spending(row, replies.get(at), prices, shared=at in shared)
            for at, row in enumerate(rows)
        ]
        return pl.DataFrame(made, schema=Answers.schema), pl.DataFrame(spent, schema=Usage.schema)

    def _calls(
        self,
        rows: list[Row],
        questions: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
    ) -> list[Call | None]:
        """A call for each row; None where the ranking was lost."""
        asked = questions["text"].to_list()
        used = sorted({chunk for row in rows for chunk in row["chunks"] or ()})
        sent = chunks[used]
        texts = dict(zip(used, titled(sent, documents), strict=True))
        return [
            None
            if row["chunks"] is None
            else self._call(
                asked[row["question"]], [texts[c] for c in row["chunks"]], row["repeat"]
            )
            for row in rows
        ]

    def _call(self, question: str, texts: list[str], repeat: int) -> Call:
        values = {"question": question, "context": numbered(texts), "abstain": self.abstain}
        messages = self.template.messages(values)
        return Call("answer", self.template.revision, messages, repeat)

    def _unfit(self, calls: list[Call | None]) -> dict[int, str]:
        """Why a prompt does not fit the window, by row."""
        if self.window is None:
            return {}
        measure = units("cl100k", None, f"{self.WHERE}.window").measure
        reasons = {
            at: unfit(call, measure, self.max_tokens, self.window, "the answer")
            for at, call in enumerate(calls)
            if call is not None
        }
        return {at: reason for at, reason in reasons.items() if reason is not None}
