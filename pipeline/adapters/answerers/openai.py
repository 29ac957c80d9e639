"""Answers of a model behind an OpenAI-compatible endpoint."""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

import polars as pl
from msgspec import Meta

from pipeline.adapters.answerers.replied import Said, spending
from pipeline.adapters.chunkers.units import units
from pipeline.calls.attempt import Prices
from pipeline.calls.batch import Handling
from pipeline.calls.call import Call, Target
from pipeline.calls.client import Client
from pipeline.calls.fence import numbered
from pipeline.calls.prompts import Template, template
from pipeline.calls.window import unfit
from pipeline.contract.errors import ConfigError
from pipeline.contract.spans import titled
from pipeline.contract.tables import RESPONSE_KEY, Answers, Usage
from pipeline.settings.endpoints import check_url

WHERE = "conf: answerer"
LOST = "no context to answer from: the ranking was lost"

Whole = Annotated[int, Meta(ge=1)]
Price = Annotated[float, Meta(ge=0)] | None
Row = dict[str, Any]


@dataclass(frozen=True)
class OpenAI:
    """Asks a model with the delivered chunks, numbered from 1 and fenced, in their order.

    The answer is kept as it came. Its marks `[n]` are read sentence by sentence; what it
    claims is not: claims are null (no record) until a judge reads them. An answer that is
    nothing but `abstain`, or that the server calls a refusal, claims nothing, and that is on
    record. An answer fails, with the reason, where its prompt does not fit `window`, where
    the model had to stop at `max_tokens` or by a filter of its host, and where no try at the
    call was answered. Each question is asked as often as it has rows, once for each repeat.
    """

    draws: ClassVar[bool] = True
    HANDLING: ClassVar[frozenset[str]] = frozenset(
        {"api_key_env", "concurrency", "rpm", "timeout", "deadline", "retries"}
        | {"price_input", "price_output"}
    )

    base_url: str
    model: str
    api_key_env: str | None
    temperature: Annotated[float, Meta(ge=0)] | None
    max_tokens: Whole
    limit_key: Literal["max_tokens", "max_completion_tokens"]
    seed: Annotated[int, Meta(ge=0)] | None
    prompt: str
    abstain: Annotated[str, Meta(min_length=1)]
    language: str
    window: Whole | None
    concurrency: Whole
    rpm: Annotated[float, Meta(gt=0)] | None
    timeout: Annotated[float, Meta(ge=1)]
    deadline: Annotated[float, Meta(ge=1)]
    retries: Annotated[int, Meta(ge=0)]
    price_input: Price
    price_output: Price

    def __post_init__(self) -> None:
        check_url(self.base_url, f"{WHERE}.base_url")
        if self.window is not None and self.window <= self.max_tokens:
            raise ConfigError(
                f"{WHERE}.window", expected=f"more than max_tokens ({self.max_tokens})",
                got=str(self.window),
            )  # fmt: skip
        _ = self.template

    @cached_property
    def template(self) -> Template:
        """The prompt, read when the adapter is built."""
        return template(self.prompt, frozenset({"context", "question"}), f"{WHERE}.prompt")

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
        client = self._client
        sent = [call for at in asked if (call := calls[at])]
        replies = dict(zip(asked, client.replies(sent), strict=True))
        first: dict[str, int] = {}
        bearers = [
            first.setdefault(call.key(client.target), at)
            for at, call in zip(asked, sent, strict=True)
        ]
        shared = {at for at, bearer in zip(asked, bearers, strict=True) if at != bearer}
        said = Said(self.abstain, self.max_tokens, self.language)
        prices = Prices(self.price_input, self.price_output)
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
        measure = units("cl100k", None, f"{WHERE}.window").measure
        reasons = {
            at: unfit(call, measure, self.max_tokens, self.window, "the answer")
            for at, call in enumerate(calls)
            if call is not None
        }
        return {at: reason for at, reason in reasons.items() if reason is not None}

    @property
    def _client(self) -> Client:
        settings: dict[str, Any] = {self.limit_key: self.max_tokens}
        settings |= {"temperature": self.temperature} if self.temperature is not None else {}
        settings |= {"seed": self.seed} if self.seed is not None else {}
        return Client(
            Target(self.base_url, self.model, self.api_key_env, settings),
            Handling(self.concurrency, self.rpm, self.timeout, self.deadline, self.retries),
            Prices(self.price_input, self.price_output),
            WHERE,
        )
