"""The calls on a set of answers: two rounds, of which the second follows from the first."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.adapters.chunkers.spoken import spoken
from pipeline.adapters.judges.asking import Ask, Asking, Lost
from pipeline.adapters.judges.cases import Case
from pipeline.adapters.judges.facts import Facts
from pipeline.adapters.judges.prompts import Prompts
from pipeline.adapters.judges.replied import Claim, Extraction, Support, Whole

WORDLESS = "no words of the answer are on record"
RELEVANT, ALL = "factual_relevant", "factual_all"

Rulings = Mapping[tuple[int, int], Support | Lost]
"""By claim and position of the passage in the context, both from 0."""


@dataclass(frozen=True)
class Found:
    """What came of the calls on one answer.

    Attributes:
        taken: its claims and what it is as a whole, or the latter only; None: nobody was asked.
        supports: rulings on its claims.
        said: its sentences, where they were to be ruled on.
        facts: rulings on its sentences by kind; a kind without rulings: it needs none.
        kinds: the kinds of rulings on sentences that it has.
    """

    taken: Extraction | Whole | Lost | None
    supports: Rulings = field(default_factory=dict)
    said: tuple[str, ...] = ()
    facts: Mapping[str, Facts | Lost] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()

    @property
    def lost(self) -> str | None:
        """Why the answer is not judged; None: every call on it was answered and read."""
        parts = (self.taken, *self.supports.values(), *self.facts.values())
        return next((part.reason for part in parts if isinstance(part, Lost)), None)


@dataclass(frozen=True)
class Rounds:
    """How answers are asked about.

    Attributes:
        asking: makes the calls.
        prompts: what is asked.
        recorded: whether claims on record stand for those that the model would find.
        factual: whether sentences are ruled on.
        language: whose rules find them, ISO 639.
    """

    asking: Asking
    prompts: Prompts
    recorded: bool
    factual: bool
    language: str

    def rule(self, read: list[Case]) -> list[Found]:
        """What came of each answer, in order.

        First its claims and whether it deflects, then each claim with each passage cited, and
        the sentences of an answer that does not deflect. Nothing is asked about an answer
        that failed or says nothing.
        """
        taken = self._taken(read)
        supports = self._supports(read, taken)
        said = {
            at: tuple(case.text[a:b] for a, b in spoken(case.text, self.language))
            for at, case in enumerate(read)
            if case.text is not None and self._stands(taken.get(at)) and self._kinds(case)
        }
        facts = self._facts(read, said)
        return [
            Found(taken.get(at), supports.get(at, {}), said.get(at, ()), facts.get(at, {}), kinds)
            for at, kinds in enumerate(map(self._kinds, read))
        ]

    def again(self, read: list[Case], first: list[Found]) -> dict[int, Found]:
        """What another draw makes of the same answers, claims and sentences, by index.

        Args:
            read: the answers.
            first: what came of each in the first draw. What that lost, or did not ask about,
                is left out.
        """
        kept = [at for at, one in enumerate(first) if one.taken is not None and one.lost is None]
        cases = [read[at] for at in kept]
        before = {n: first[at] for n, at in enumerate(kept)}
        taken = self._taken(cases)
        claims = {n: one.taken for n, one in before.items() if one.taken is not None}
        supports = self._supports(cases, claims)
        facts = self._facts(cases, {n: one.said for n, one in before.items() if one.facts})
        return {
            at: Found(taken[n], supports.get(n, {}), before[n].said, facts.get(n, {}))
            for n, at in enumerate(kept)
        }

    def _taken(self, read: list[Case]) -> dict[int, Extraction | Whole | Lost]:
        worded = [at for at, case in enumerate(read) if case.text is not None]
        stated = {at for at in worded if self.recorded and read[at].stated}
        free = [at for at in worded if at not in stated]
        found: dict[int, Extraction | Whole | Lost] = {
            at: Lost(WORDLESS)
            for at, case in enumerate(read)
            if case.text is None and not case.failed and not case.silent
        }
        claims = self.asking.settle([self.prompts.claims(read[at]) for at in free])
        found |= dict(zip(free, claims, strict=True))
        whole = self.asking.settle([self.prompts.whole(read[at]) for at in sorted(stated)])
        return found | dict(zip(sorted(stated), whole, strict=True))

    def _supports(
        self, read: list[Case], taken: Mapping[int, Extraction | Whole | Lost]
    ) -> dict[int, dict[tuple[int, int], Support | Lost]]:
        """Of each answer, by claim and passage: whether the one is supported by the other."""
        asks = {
            (at, item, against): self.prompts.support(claim.text, read[at].context[against])
            for at, found in taken.items()
            if isinstance(found, Extraction)
            for item, claim in enumerate(found.claims)
            for against in positions(claim, read[at]).values()
            if against is not None
        }
        rulings = self.asking.settle(list(asks.values()))
        by_answer: dict[int, dict[tuple[int, int], Support | Lost]] = {}
        for (at, item, against), ruling in zip(asks, rulings, strict=True):
            by_answer.setdefault(at, {})[item, against] = ruling
        return by_answer

    def _facts(
        self, read: list[Case], said: Mapping[int, tuple[str, ...]]
    ) -> dict[int, dict[str, Facts | Lost]]:
        """Of each answer, by kind: what the passages make of its sentences."""
        asks: dict[tuple[int, str], Ask[Facts]] = {}
        for at, sentences in said.items():
            case = read[at]
            shown = {RELEVANT: case.relevant or (), ALL: tuple(range(len(case.context)))}
            for kind in self._kinds(case):
                asks[at, kind] = self.prompts.facts(case, sentences, shown[kind])
        rulings = self.asking.settle(list(asks.values()))
        by_answer: dict[int, dict[str, Facts | Lost]] = {}
        for (at, kind), ruling in zip(asks, rulings, strict=True):
            by_answer.setdefault(at, {})[kind] = ruling
        return by_answer

    def _kinds(self, case: Case) -> tuple[str, ...]:
        """What the sentences of an answer are ruled against; all passages need no labels."""
        if not self.factual or case.left_out or case.failed:
            return ()
        return (ALL,) if case.relevant is None else (RELEVANT, ALL)

    def _stands(self, taken: Extraction | Whole | Lost | None) -> bool:
        return isinstance(taken, Extraction | Whole) and not taken.deflects


def positions(claim: Claim, case: Case) -> dict[int, int | None]:
    """Position in the context, from 0, of each mark that a claim bears; None: outside of it."""
    shown = range(1, len(case.context) + 1)
    return {number: number - 1 if number in shown else None for number in claim.citations}
