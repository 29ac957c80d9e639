"""The judge that is people: what needs a decision goes out as a sheet and comes back by id."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, ClassVar

import polars as pl
from msgspec import Meta

from pipeline.adapters.chunkers.sentence import Tongue
from pipeline.adapters.judges import decisions, ruled
from pipeline.adapters.judges.asked import Item, Kind, items
from pipeline.adapters.judges.asking import Lost
from pipeline.adapters.judges.cases import Case, cases
from pipeline.adapters.judges.named import named_instead
from pipeline.adapters.judges.rounds import Found
from pipeline.adapters.judges.sentences import Unit, units
from pipeline.adapters.judges.settled import WORDLESS, Ruled, Taken, settle, take
from pipeline.adapters.judges.settled import verdicts as verdicts_on
from pipeline.contract.errors import ConfigError
from pipeline.contract.files import root
from pipeline.contract.tables import Statements, Verdicts


@dataclass(frozen=True)
class Human:
    """Reads people's decisions, and writes down what they have still to decide.

    An item is one decision on one part of an answer: of each sentence (or quote) which
    expected claims it states (`expected`), of each with each passage that it cites whether
    that supports it (`supported`), of the whole answer whether it deflects or is eligible.
    Claims that the record of an answer names by id are taken as they are. A sentence that
    states an expected claim makes that claim, with its citations; sentences that state the
    same one make it together. One that states something else is an extra claim. Whether
    citations support a claim is still what labels say: `supported` is a verdict beside it.

    An answer is judged once each of its sentences has an `expected` decision on which all
    who decided agree, or the resolver's. Until then the judge failed on it: an open or a
    disputed decision is neither yes nor no, since a table of claims can hold neither, and
    so it never raises a score. Other items without one agreed decision leave no verdict.
    """

    HANDLING: ClassVar[frozenset[str]] = frozenset({"folder"})

    folder: Annotated[str, Meta(min_length=1)]
    ask: Annotated[list[Kind], Meta(min_length=1)]
    resolver: str | None
    language: Tongue

    def __post_init__(self) -> None:
        if len(set(self.ask)) < len(self.ask):
            got = ", ".join(self.ask)
            raise ConfigError("conf: judge.ask", expected="each kind once", got=got)

    @property
    def _path(self) -> Path:
        return root() / Path(self.folder).expanduser()

    @property
    def _sheet(self) -> str:
        return f"{self.folder.rstrip('/')}/{decisions.SHEET}"

    def _read(self) -> decisions.Sheets:
        return decisions.read(self._path, self.folder.rstrip("/"))

    def decided(self) -> str:
        """Hash of every decision in the folder, which a run depends on."""
        return decisions.digest(self._read())

    def remark(self) -> str:
        """How many decisions are open, and where; empty: none is asked."""
        sheets = self._read()
        done = {row.get("item") for _, row in sheets.decided()}
        asked = {row.get("item") for file, row in sheets.rows if file == self._sheet}
        if not asked:
            return ""
        left = len(asked - done)
        return f"{left:,} of {len(asked):,} decisions are open: {self._sheet}"

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
        """Answers, Questions, Claims, Chunks, Documents -> Statements, Verdicts.

        The sheet is written where it lacks an item; what people wrote in it stays.

        Raises:
            DataError: every fault of the sheets.
        """
        read = cases(answers, questions, claims, relevance, evidence, chunks, documents)
        recorded = answers["claim_ids"].is_not_null().to_list()
        parts = self._parts(answers, documents, read)
        asked = self._asked(read, parts, questions["question_id"])
        sheets = self._read()
        said = settle(decisions.votes(sheets, asked), self.resolver)
        decisions.put(self._path / decisions.SHEET, self._sheet, sheets, asked)
        mine: list[list[tuple[Item, Ruled]]] = [[] for _ in read]
        for item in asked:
            mine[item.case].append((item, said.get(item.id)))
        found = [
            None if stated else self._taken(case, of, told)
            for stated, case, of, told in zip(recorded, read, parts, mine, strict=True)
        ]
        stated = [
            ruled.statement(case, Found(one.claims if isinstance(one, Taken) else one), None)
            for case, one in zip(read, found, strict=True)
        ]
        ruling = [row for of in zip(read, found, mine, strict=True) for row in verdicts_on(*of)]
        statements = pl.DataFrame(stated, schema=Statements.schema)
        return (
            named_instead(statements, answers, claims, documents),
            pl.DataFrame(ruling, schema=Verdicts.schema).sort(Verdicts.key),
        )

    def _parts(
        self, answers: pl.DataFrame, documents: pl.DataFrame, read: Sequence[Case]
    ) -> list[tuple[Unit, ...]]:
        """The sentences of each answer; none where its record names its claims."""
        texts = documents["text"].to_list()
        return [
            () if row["claim_ids"] is not None else units(row, case, texts, self.language)
            for row, case in zip(answers.to_dicts(), read, strict=True)
        ]

    def _asked(
        self, read: Sequence[Case], parts: Sequence[Sequence[Unit]], ids: pl.Series
    ) -> list[Item]:
        """Everything that is asked, in the order of the sheet."""
        return [
            item
            for at in sorted(range(len(read)), key=lambda at: _blind(read[at]))
            for item in items(at, read[at], parts[at], ids[read[at].key["question"]], self.ask)
        ]

    def _taken(
        self, case: Case, parts: Sequence[Unit], mine: Sequence[tuple[Item, Ruled]]
    ) -> Taken | Lost | None:
        if case.failed or case.silent or "expected" not in self.ask:
            return None
        return Lost(WORDLESS) if case.text is None else take(parts, mine)


def _blind(case: Case) -> tuple[int, str]:
    """Orders answers by question, and those to one question so that no system is known by it."""
    name = f"{case.key['system']}\0{case.key['repeat']}\0{case.key['question']}"
    return case.key["question"], sha256(name.encode()).hexdigest()
