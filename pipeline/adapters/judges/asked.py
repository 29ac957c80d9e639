"""What people are asked of each answer, one item a decision."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline.adapters.judges.cases import Case
from pipeline.adapters.judges.sentences import Unit
from pipeline.contract.cells import ticket

Kind = Literal["expected", "supported", "deflection", "eligibility"]
Said = tuple[int, ...]
"""A decision: numbers of expected claims from 1, `EXTRA` or `SILENT`; `YES` or `NO`."""

EXTRA: Said = (0,)
SILENT: Said = ()
YES, NO = (1,), (0,)
WORDS = {"none": EXTRA, "no claim": SILENT}
YES_NO = {"yes": YES, "no": NO, "true": YES, "false": NO}

QUESTION = {
    "expected": "Which expected claim does the sentence state? Several: one a line, or with ;",
    "supported": "Does the passage support what the sentence states? No claim: no",
    "deflection": "Does the answer decline to answer?",
    "eligibility": "Does the answer address what the question asks for?",
}


@dataclass(frozen=True)
class Item:
    """One decision that is asked for.

    Attributes:
        id: names it: the response, what is asked, and of which part. It begins with a letter,
            so that no spreadsheet takes it for a number or a date, and tells no system's name.
        content: hash of every text that the decision rests on.
        kind: what is asked.
        case: index of the answer.
        unit: index of its sentence; None: the whole answer.
        against: index of the passage in the context; None: no single passage.
        claims: ids of the expected claims, in order, where one of them is asked for.
        shown: columns of texts, for people.
    """

    id: str
    content: str
    kind: Kind
    case: int
    unit: int | None
    against: int | None
    claims: tuple[str, ...]
    shown: dict[str, str]

    @property
    def allowed(self) -> str:
        """What may be decided, in words."""
        return " | ".join((*self.claims, *WORDS) if self.kind == "expected" else ("yes", "no"))

    def read(self, decision: str) -> Said | None:
        """What a decision says; None where it is none that is allowed.

        An expected claim is named by its id, several by a line each or with semicolons
        between them. `none`: the sentence claims something else. `no claim`: nothing.
        """
        if self.kind != "expected":
            return YES_NO.get(decision.strip().casefold())
        number = {name: at for at, name in enumerate(self.claims, 1)}
        text = decision.strip()
        if text not in number and text.casefold() in WORDS:
            return WORDS[text.casefold()]
        for names in ([text], text.splitlines(), text.replace("\n", ";").split(";")):
            told = [name.strip() for name in names if name.strip()]
            if told and all(name in number for name in told):
                return tuple(sorted({number[name] for name in told}))
        return None


def items(
    at: int, case: Case, parts: Sequence[Unit], name: str, ask: Sequence[Kind]
) -> Iterator[Item]:
    """Yield what is asked of an answer, sentence by sentence.

    Args:
        at: index of the answer.
        case: the answer.
        parts: its units.
        name: the question's id.
        ask: the kinds that are asked for.
    """
    key = [case.key["system"], case.key["repeat"], name]
    claims = tuple(id_ for _, id_, _ in case.expected)
    told = "\n".join(id_ if id_ == words else f"{id_}: {words}" for _, id_, words in case.expected)
    whole = {"question": case.question, "expected": told, "answer": case.text or ""}

    def item(kind: Kind, unit: int | None, against: int | None, **more: str) -> Item:
        texts = {**whole, **more}
        content = ticket("v", [kind, texts, claims])
        id_ = ticket("i", [*key, kind, unit, against])
        shown = {"asked": QUESTION[kind], **texts}
        return Item(id_, content, kind, at, unit, against, claims, shown)

    for kind in ask:
        if kind in ("deflection", "eligibility") and case.text is not None:
            yield item(kind, None, None)
    for number, unit in enumerate(parts):
        if "expected" in ask:
            yield item("expected", number, None, sentence=unit.text)
        if "supported" in ask:
            for mark in filter(None, unit.marks):
                passage = case.context[mark - 1].text
                yield item("supported", number, mark - 1, sentence=unit.text, passage=passage)
