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
from pipeline.calls.call import Call, Structured
from pipeline.calls.model import Model
from pipeline.calls.prompts import Template, template
from pipeline.calls.window import unfit
from pipeline.contract.tables import Statements, Verdicts, annotated


@dataclass(frozen=True)
class OpenAI(Model):
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

    WHERE: ClassVar[str] = "conf: judge"

    structured: Structured
    draw: Annotated[int, Meta(ge=1)]
    draws: Annotated[int, Meta(ge=1)]
    claims: Literal["model", "recorded"]
    factual: bool | Literal["auto"]
    language: Tongue
    prompt_claims: str
    prompt_support: str
    prompt_whole: str
    prompt_factual: str
    prompt_repair: str

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.templates

    @cached_property
    def templates(self) -> dict[str, Template]:
        """The prompts by field, read when the adapter is built."""
        return {
            name: template(getattr(self, name), places, f"{self.WHERE}.{name}")
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
            Asking(self.client(self.structured), self.templates["prompt_repair"], self._unfit),
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
        measure = units("cl100k", None, f"{self.WHERE}.window").measure
        return unfit(call, measure, self.max_tokens, self.window, "the reply")
