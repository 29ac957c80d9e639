"""The judge that is a model behind an OpenAI-compatible endpoint."""

from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, ClassVar, Literal

import polars as pl
from msgspec import Meta

from pipeline.adapters.chunkers.sentence import Tongue
from pipeline.adapters.chunkers.units import units
from pipeline.adapters.judges import ruled
from pipeline.adapters.judges.asking import Asking
from pipeline.adapters.judges.cases import Case, cases
from pipeline.adapters.judges.named import named
from pipeline.adapters.judges.prompts import PLACES, Prompts
from pipeline.adapters.judges.rounds import Rounds
from pipeline.adapters.judges.rulings import annotator
from pipeline.calls.attempt import Prices
from pipeline.calls.batch import Handling
from pipeline.calls.call import Call, Structured, Target
from pipeline.calls.client import Client
from pipeline.calls.prompts import Template, template
from pipeline.calls.window import unfit
from pipeline.contract.errors import ConfigError
from pipeline.contract.tables import Statements, Verdicts, annotated
from pipeline.settings.endpoints import check_url

WHERE = "conf: judge"
Whole = Annotated[int, Meta(ge=1)]
Price = Annotated[float, Meta(ge=0)] | None


@dataclass(frozen=True)
class OpenAI:
    """Asks a model for the claims of each answer, and of each claim whether its citations hold.

    One call an answer finds its claims, which expected claim each is and which marks `[n]` it
    bears, and says whether the answer deflects and addresses its question. One more call a
    claim and cited passage rules on support: no passage is in sight when another is ruled on,
    so that what one says cannot sway the ruling on another. Support and coverage are still
    what people's labels make of the claims; the model's own rulings are Verdicts, each with
    its words of evidence.

    Where `factual` says so, one more call rules on each sentence of an answer that does not
    deflect against the relevant passages, and one against all that were delivered. With
    `claims` recorded, an answer whose record states its claims keeps those, citations and
    all, and the first call is on the answer as a whole only.

    Answers made of quotes are read as text, each quote with its chunk's mark. Answers that
    failed are not judged; one that says nothing makes no claim and deflects, and nobody is
    asked; on one without words on record the judge fails. A reply that does
    not fit its schema, or contradicts what was sent, is asked for once more; where a call of
    an answer stays without a reading, the judge failed on the whole answer.

    With several `draws` the first rules, and the others only tell how far the judge agrees
    with itself: they rule on the same answers and on the claims and sentences that the first
    one found. What it lost, or did not ask about, is not drawn again.
    """

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
    structured: Structured
    draw: Whole
    draws: Whole
    claims: Literal["model", "recorded"]
    factual: bool | Literal["auto"]
    language: Tongue
    prompt_claims: str
    prompt_support: str
    prompt_whole: str
    prompt_factual: str
    prompt_repair: str
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
        _ = self.templates

    @cached_property
    def templates(self) -> dict[str, Template]:
        """The prompts by field, read when the adapter is built."""
        return {
            name: template(getattr(self, name), places, f"{WHERE}.{name}")
            for name, places in PLACES.items()
        }

    @property
    def identity(self) -> dict[str, Any]:
        """The prompts by name, revision and content."""
        return {name: made.identity for name, made in self.templates.items()}

    def judge(
        self,
        answers: pl.DataFrame,
        questions: pl.DataFrame,
        claims: pl.DataFrame,
        relevance: pl.DataFrame,
        evidence: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
        verdicts: pl.DataFrame,  # noqa: ARG002 - the port's argument
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """All but recorded Verdicts -> Statements, Verdicts.

        Raises:
            ConfigError: a call has to be made and the extra [llm] or the key is not there.
            EndpointError: the endpoint refuses the key or the model, or nobody is there.
        """
        read = cases(answers, questions, claims, relevance, evidence, chunks, documents)
        factual = annotated(questions) if self.factual == "auto" else self.factual
        found = self._rounds(self.draw, factual).rule(read)
        stated = self._stated(read, named(answers.with_row_index("row"), claims, documents))
        rows = [ruled.statement(*one) for one in zip(read, found, stated, strict=True)]
        rulings = [ruled.verdicts(*one) for one in zip(read, found, strict=True)]
        verdict = self._named(rulings, self.draw)
        for draw in range(self.draw + 1, self.draw + self.draws):
            again = self._rounds(draw, factual).again(read, found)
            rulings = [ruled.verdicts_again(read[at], one, draw) for at, one in again.items()]
            verdict = pl.concat([verdict, self._named(rulings, draw)])
        return pl.DataFrame(rows, schema=Statements.schema), verdict.sort(Verdicts.key)

    def _rounds(self, draw: int, factual: bool) -> Rounds:
        return Rounds(
            Asking(self._client, self.templates["prompt_repair"], self._unfit),
            Prompts(self.templates, draw),
            self.claims == "recorded",
            factual,
            self.language,
        )

    def _stated(self, read: list[Case], recorded: pl.DataFrame) -> list[ruled.Row | None]:
        """Of each answer, what its record states, where that counts."""
        return [
            row if self.claims == "recorded" and case.stated else None
            for case, row in zip(read, recorded.drop("row").iter_rows(named=True), strict=True)
        ]

    def _named(self, rulings: list[list[ruled.Row]], draw: int) -> pl.DataFrame:
        """Verdicts of one draw, by answer, as a table."""
        who = pl.lit(annotator({"model": self.model, "draw": draw})).alias("judge")
        return pl.DataFrame(list(chain(*rulings)), schema=Verdicts.schema).with_columns(who)

    def _unfit(self, call: Call) -> str | None:
        if self.window is None:
            return None
        measure = units("cl100k", None, f"{WHERE}.window").measure
        return unfit(call, measure, self.max_tokens, self.window, "the reply")

    @property
    def _client(self) -> Client:
        settings: dict[str, Any] = {self.limit_key: self.max_tokens}
        settings |= {"temperature": self.temperature} if self.temperature is not None else {}
        settings |= {"seed": self.seed} if self.seed is not None else {}
        return Client(
            Target(self.base_url, self.model, self.api_key_env, settings, self.structured),
            Handling(self.concurrency, self.rpm, self.timeout, self.deadline, self.retries),
            Prices(self.price_input, self.price_output),
            WHERE,
        )
