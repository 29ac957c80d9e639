"""The judge that is a model behind an OpenAI-compatible endpoint."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

import polars as pl
from msgspec import Meta

from pipeline.adapters.chunkers.units import units
from pipeline.adapters.judges import ruled
from pipeline.adapters.judges.asking import Asking, Lost
from pipeline.adapters.judges.cases import Case, cases
from pipeline.adapters.judges.prompts import PLACES, Prompts
from pipeline.adapters.judges.replied import Extraction, Support
from pipeline.calls.attempt import Prices
from pipeline.calls.batch import Handling
from pipeline.calls.call import Call, Structured, Target
from pipeline.calls.client import Client
from pipeline.calls.prompts import Template, template
from pipeline.calls.window import unfit
from pipeline.contract.errors import ConfigError
from pipeline.contract.tables import Statements, Verdicts
from pipeline.settings.endpoints import check_url

WHERE = "conf: judge"
WORDLESS = "no words of the answer are on record"
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

    Answers made of quotes are read as text, each quote with its chunk's mark. Answers that
    failed are not judged; on one without words on record the judge fails. A reply that does
    not fit its schema, or contradicts what was sent, is asked for once more; where a call of
    an answer stays without a reading, the judge failed on the whole answer.

    With several `draws` the first rules, and the others only tell how far the judge agrees
    with itself: they rule on the same answers and on the claims that the first one found.
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
    prompt_claims: str
    prompt_support: str
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
        evidence: pl.DataFrame,  # noqa: ARG002 - the port's arguments
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
        verdicts: pl.DataFrame,  # noqa: ARG002
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Answers, Questions, Claims, Chunks, Documents -> Statements, Verdicts.

        Raises:
            ConfigError: a call has to be made and the extra [llm] or the key is not there.
            EndpointError: the endpoint refuses the key or the model, or nobody is there.
        """
        read = cases(answers, questions, claims, chunks, documents)
        asking = Asking(self._client, self.templates["prompt_repair"], self._unfit)
        worded = [at for at, case in enumerate(read) if case.text is not None]
        prompts = Prompts(self.templates, self.draw)
        taken = asking.settle([prompts.claims(read[at]) for at in worded])
        found: dict[int, Extraction | Lost] = {
            at: Lost(WORDLESS)
            for at, case in enumerate(read)
            if case.text is None and not case.failed and not case.silent
        }
        found |= dict(zip(worded, taken, strict=True))
        rulings = self._rulings(asking, prompts, read, found)
        rows = [(case, found.get(at), rulings.get(at, {})) for at, case in enumerate(read)]
        stated = [ruled.statement(*row) for row in rows]
        ruling = [verdict for row in rows for verdict in ruled.verdicts(*row)]
        ruling += self._again(asking, read, found, rulings)
        return (
            pl.DataFrame(stated, schema=Statements.schema),
            pl.DataFrame(ruling, schema=Verdicts.schema).sort(Verdicts.key),
        )

    def _rulings(
        self,
        asking: Asking,
        prompts: Prompts,
        read: list[Case],
        found: dict[int, Extraction | Lost],
    ) -> dict[int, dict[tuple[int, int], Support | Lost]]:
        """Of each answer, by claim and passage: whether the one is supported by the other."""
        asks = {
            (at, item, against): prompts.support(claim.text, read[at].context[against])
            for at, taken in found.items()
            if isinstance(taken, Extraction)
            for item, claim in enumerate(taken.claims)
            for against in ruled.positions(claim, read[at]).values()
            if against is not None
        }
        rulings = asking.settle(list(asks.values()))
        by_answer: dict[int, dict[tuple[int, int], Support | Lost]] = {}
        for (at, item, against), ruling in zip(asks, rulings, strict=True):
            by_answer.setdefault(at, {})[item, against] = ruling
        return by_answer

    def _again(
        self,
        asking: Asking,
        read: list[Case],
        found: dict[int, Extraction | Lost],
        rulings: Mapping[int, ruled.Rulings],
    ) -> list[ruled.Row]:
        """Verdicts of the further draws, on the answers that the first one did not lose."""
        kept = {
            at: taken for at, taken in found.items()
            if ruled.reason(taken, rulings.get(at, {})) is None
        }  # fmt: skip
        made: list[ruled.Row] = []
        for draw in range(self.draw + 1, self.draw + self.draws):
            prompts = Prompts(self.templates, draw)
            again = asking.settle([prompts.claims(read[at]) for at in kept])
            others = self._rulings(asking, prompts, read, kept)
            for at, taken in zip(kept, again, strict=True):
                made += ruled.verdicts_again(read[at], taken, others.get(at, {}), draw)
        return made

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
